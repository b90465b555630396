"""A person's deadlines: where they are waited for, and until when, at all their tables."""

from collections.abc import Iterable
from typing import Final

from domain.instants import EARLIEST
from domain.match.state import OVER
from services.errors import MatchClosed, NoSuchMatch
from services.matches.reader import MatchReader
from services.notices.occasions import Occasion, standing
from services.people.memberships import Membership
from services.projections.listing import Listing

MOST: Final = 200
"""How many of a person's newest seats are looked at."""


async def deadlines_of(
    listing: Listing, reader: MatchReader, memberships: Iterable[Membership]
) -> list[tuple[str, Occasion]]:
    """Return the games in which somebody is to act by an instant, and by which.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    seats = [one.holder for one in memberships if one.holder.role == "seat"]
    found: list[tuple[str, Occasion]] = []
    for holder in seats[:MOST]:
        row = await listing.row(holder.match)
        if row is not None and row.state in OVER:
            continue
        try:
            position = await reader.head(holder.match)
        except (NoSuchMatch, MatchClosed):
            continue
        game = position.state.terms.game if position.state.terms is not None else ""
        found += [
            (game, one)
            for one in standing(position)
            if one.name.player == holder.player and one.deadline != EARLIEST
        ]
    return found

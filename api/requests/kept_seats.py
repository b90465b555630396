"""Keeping seats for people, who are told that a seat waits for them."""

from collections.abc import Iterable
from typing import Final

from api.parts import Parts
from domain.errors import BrokenLog
from domain.match.fold import Position
from services.errors import MatchClosed, NoSuchMatch

MOST_SHOWN: Final = 20
"""How many tables that keep a seat for somebody their page of tables shows."""


async def tables_that_keep_a_seat(parts: Parts, person: str) -> list[Position]:
    """Return the tables that gather and keep a seat for a person who has not come yet.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found: list[Position] = []
    if not person:
        return found
    for match, invitation in (await parts.application.memberships.offers(person))[:MOST_SHOWN]:
        try:
            position = await parts.application.reader.head(match)
        except (BrokenLog, NoSuchMatch, MatchClosed):
            continue
        state = position.state
        waits = any(seat.kept == invitation and not seat.player for seat in state.seats)
        if waits and state.lifecycle.phase == "gathering":
            found.append(position)
    return found


async def invitations_for(parts: Parts, match: str, persons: Iterable[str]) -> list[str]:
    """Return the invitations with which people take the seats that a table keeps for them, in the same order.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    application, found = parts.application, []
    for person in persons:
        found.append(application.identity.kept_for(match, person))
        # The log has the invitation alone, which leads to nobody without this.
        await application.memberships.offer(person, match, found[-1])
    return found

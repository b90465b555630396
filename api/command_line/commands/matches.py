"""``tablee matches``."""

import asyncio
from collections import Counter

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.opening import opened_log
from api.command_line.output import say, say_json, say_table
from api.command_line.remote import Remote, asked
from domain.errors import TableeError
from domain.match.fold import beginning, follow
from services.log.event_store.contract import EventStore, Meta, Status
from services.projections.listing import Listing
from services.projections.matches import STATES, MatchRow

_BROKEN = "broken"
_ARCHIVED = "archived"
_PHASES = (*STATES, _ARCHIVED, _BROKEN)


class Listed(msgspec.Struct, frozen=True):
    """A match in the list.

    Attributes:
        phase: ``gathering``, ``playing``, ``finished`` or ``abandoned``; ``archived`` when its events are elsewhere:
            seats and time are then those of the lists, and missing until these have come so far; ``broken`` when its
            log cannot be read: ``tablee verify`` tells why.
        seats: All seats.
        at: When the last of them was accepted.
    """

    match: str
    game: str
    phase: str
    people: int = 0
    bots: int = 0
    seats: int = 0
    version: int = 0
    at: str = ""


@click.command()
@click.option("--phase", type=click.Choice(_PHASES), help="List only matches in this phase.")
@call_options(remote=True)
def matches(*, phase: str | None, call: Call) -> None:
    """List the matches. Those with the newest events come first."""
    if call.remote is not None:
        found = _listed_by(call.remote, phase)
    else:
        with call.log() as log:
            found = asyncio.run(_list(log.url))
    wanted = [match for match in found if phase in {None, match.phase}]
    if call.as_json:
        for match in wanted:
            say_json(match)
    elif wanted:
        head = ("MATCH", "GAME", "PHASE", "PLAYERS", "VERSION", "AT")
        say_table(head, [_row(match) for match in wanted])
    else:
        say("No matches.")


def _listed_by(remote: Remote, phase: str | None) -> list[Listed]:
    if phase == _BROKEN:
        raise click.UsageError(
            "With --server there is no --phase broken: only who reads the store sees such logs."
        )
    with asked(remote) as client:
        rows = list(client.matches(state=None if phase == _ARCHIVED else phase))
    return [_of_row(row, _ARCHIVED if row.archived else row.state) for row in rows]


def _of_row(row: MatchRow, phase: str) -> Listed:
    kinds = Counter(player.kind for player in row.players)
    people, bots, seats = kinds["person"], kinds["bot"], len(row.players)
    return Listed(row.match, row.game, phase, people, bots, seats, row.version, row.changed_at)


async def _list(url: str) -> list[Listed]:
    async with opened_log(url) as store:
        listing = Listing(store.look, store.shards)
        found = [await _listed(store, listing, match) async for match in store.matches()]
    return sorted(found, key=lambda match: (match.at, match.match), reverse=True)


async def _listed(store: EventStore, listing: Listing, match: str) -> Listed:
    game = ""
    try:
        meta = await store.meta(match)
        if meta is not None:
            game = meta.game
            if meta.status is Status.ARCHIVED:
                return await _archived(listing, match, meta)
        position = follow(beginning(match), await store.read(match))
    except (TableeError, ValueError, LookupError, TypeError, AttributeError):
        return Listed(match, game, _BROKEN)
    seats = position.state.seats
    return Listed(
        match,
        game,
        position.state.lifecycle.phase,
        sum(seat.kind == "person" for seat in seats),
        sum(seat.kind == "bot" for seat in seats),
        len(seats),
        position.version,
        position.at,
    )


async def _archived(listing: Listing, match: str, meta: Meta) -> Listed:
    """Return what the lists know of an archived match: reading thousands of files would take minutes."""
    row = await listing.row(match)
    if row is None:
        return Listed(match, meta.game, _ARCHIVED, version=meta.version)
    return msgspec.structs.replace(_of_row(row, _ARCHIVED), version=meta.version)


def _row(match: Listed) -> tuple[str, ...]:
    free = match.seats - match.people - match.bots
    parts = ((match.people, "person", "people"), (match.bots, "bot", "bots"), (free, "free", "free"))
    players = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in parts if count)
    return match.match, match.game, match.phase, players, str(match.version), match.at

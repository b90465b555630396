"""Who sat on a seat before somebody else did: what a history tells of that time, it tells of them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.match.fold import Position
from services.matches.reader import MatchReader
from services.matches.seat_names import called
from services.people.player_names import PlayerNames

_LEAVE: Final = (b"SeatGiven", b"SeatLeft")
_SITS_DOWN: Final = frozenset({"SeatTaken", "SeatGiven"})


class FormerHolder(NamedTuple):
    """Somebody who no longer sits on a seat.

    Attributes:
        seat: The seat.
        before: The first version at which they do not hold it.
        name: What stands for them: their player id, or how they are called.
    """

    seat: int
    before: int
    name: str


def names_then(names: Sequence[str], former: Sequence[FormerHolder], version: int) -> Sequence[str]:
    """Return how the seats of a match were called at a version."""
    then = list(names)
    # The first who left after that version sat there then.
    for one in reversed(former):
        if version < one.before and one.seat < len(then):
            then[one.seat] = one.name
    return then


def seat_then(seat: int | None, former: Sequence[FormerHolder], version: int) -> int | None:
    """Return the seat that its present holder had at a version: none while others sat there."""
    return None if any(one.seat == seat and version < one.before for one in former) else seat


async def former_holders(
    reader: MatchReader, names: PlayerNames, head: Position, entries: Sequence[StoredEntry], language: str
) -> tuple[FormerHolder, ...]:
    """Return who no longer sits where they sat when some entries in a row were made, in their order, by name.

    Most matches have nobody, and cost nothing. Raises what reading a log and names raises.
    """
    if not entries:
        return ()
    is_whole = entries[-1].version == head.version
    if is_whole and not any(mark in entry.e for entry in entries for mark in _LEAVE):
        return ()
    first = await reader.at(head.match, entries[0].version)
    held = [seat.player for seat in first.state.seats]
    now = [seat.player for seat in head.state.seats]
    return await named(names, tuple(left(entries, held, now)), language)


def left(entries: Sequence[StoredEntry], held: Sequence[str], now: Sequence[str]) -> Iterator[FormerHolder]:
    """Yield who no longer sits where they sat, by player id.

    Args:
        entries: What is told.
        held: Who sat there when the first of them was made, by seat; empty for nobody.
        now: Who sits there now.
    """
    holders = dict(enumerate(held))
    for entry in entries:
        envelope = decode_envelope(entry.e)
        if envelope.type in _SITS_DOWN:
            newcomer = msgspec.json.decode(envelope.data, type=_Holder)
            before = holders.get(newcomer.seat, "")
            if before and before != newcomer.player:
                yield FormerHolder(newcomer.seat, envelope.v, before)
            holders[newcomer.seat] = newcomer.player
    after = entries[-1].version + 1 if entries else 0
    for seat, player in holders.items():
        if player and seat < len(now) and player != now[seat]:
            yield FormerHolder(seat, after, player)


async def named(
    names: PlayerNames, former: Sequence[FormerHolder], language: str
) -> tuple[FormerHolder, ...]:
    """Return former holders with their names instead of their ids; who has none any more is called by the seat."""
    found = await names.of([one.name for one in former])
    return tuple(
        one._replace(name=called(["person"] * (one.seat + 1), [""] * one.seat + [name], language)[-1])
        for one, name in zip(former, found, strict=True)
    )


class _Holder(msgspec.Struct, frozen=True):
    seat: int
    player: str

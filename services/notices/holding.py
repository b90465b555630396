"""Whether an occasion still holds: looked up in the log, once more before anything is written or sent."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from domain.instants import EARLIEST, Instant, after
from domain.match.fold import Position
from services.errors import MatchClosed, NoSuchMatch
from services.matches.reader import MatchReader
from services.notices.club_occasions import CLUB_KINDS, club_occasions
from services.notices.days import Days
from services.notices.occasions import STANDING_KINDS, Kind, Name, Occasion, standing
from services.notices.planning import GRACE_SECONDS, REMINDER_MARK

FOREVER: Final = frozenset({"played", "happened", "ended", "test", "heads"})
"""Kinds that tell of the past, or of nothing: they hold for ever."""


_KINDS_BEHIND: Final[Mapping[Kind, frozenset[Kind]]] = {
    "reminder": frozenset({"turn"}),
    "nudge": frozenset({"turn", "answer", "ready"}),
}
"""By kind, the kinds of which one must still hold."""


class Holds(NamedTuple):
    """An occasion that holds.

    Attributes:
        occasion: As the log has it now; of a reminder, the turn that it reminds of.
        due: The instant from which it is to be told.
    """

    occasion: Occasion
    due: Instant


async def holds(reader: MatchReader, days: Days, name: Name) -> Holds | None:
    """Return what the log says about an occasion now; None if nobody is waited for any more.

    A digest holds while there is anything to tell.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    if name.kind in FOREVER:
        return Holds(Occasion(name, EARLIEST), EARLIEST)
    if name.kind == "digest":
        return await _worth_telling(days, name)
    return await _standing(reader, name)


async def _worth_telling(days: Days, name: Name) -> Holds | None:
    day = await days.of(name.player)
    return Holds(Occasion(name, EARLIEST), EARLIEST) if day.is_worth_telling else None


async def _standing(reader: MatchReader, name: Name) -> Holds | None:
    turn, _, more = name.turn.partition(REMINDER_MARK)
    kinds = _KINDS_BEHIND.get(name.kind, frozenset({name.kind}))
    if not kinds <= STANDING_KINDS | set(CLUB_KINDS):
        return None
    try:
        position = await reader.head(name.match)
    except (NoSuchMatch, MatchClosed):
        return None
    found = next(
        (
            one
            for one in _present(position, name)
            if one.name.player == name.player and one.name.turn == turn and one.name.kind in kinds
        ),
        None,
    )
    if found is None:
        return None
    if name.kind == "reminder":
        # The deadline may have moved since: a pause, or time that somebody gave.
        due = after(found.deadline, -int(more) * 3600) if found.deadline != EARLIEST else None
        return None if due is None else Holds(found, due)
    return Holds(found, EARLIEST if name.kind == "nudge" else after(found.since, GRACE_SECONDS))


def _present(position: Position, name: Name) -> Iterable[Occasion]:
    return club_occasions(position, name.player) if name.kind in CLUB_KINDS else standing(position)

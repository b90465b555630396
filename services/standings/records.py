"""Records: the longest match of a club, the lowest round, whatever else its games keep as records. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from domain.games.moments import Extreme, Question
from services.projections.matches import RESIGNED, STOOD_IN, KeptRow

ROUNDS: Final = "rounds"
TIME: Final = "time"
MARGIN: Final = "margin"
OF_ALL_GAMES: Final = (ROUNDS, TIME, MARGIN)
"""Records that every game has: the most rounds, the longest time in seconds, the widest win."""

PODIUM: Final = 3
"""How many of each are shown."""

_PEOPLE: Final = 2


class Record(NamedTuple):
    """A record, or one of those behind it.

    Attributes:
        name: What it is of: one of :data:`OF_ALL_GAMES`, or the name of one of the game's questions.
        rank: Its rank, from 1; those that are level share it.
        value: Its number.
        match: In which match it was set.
        at: When that ended, in milliseconds since the epoch.
        person: Whose it is; empty for the whole table's, and for somebody who is not known any more.
        seat: Their seat; None for the whole table's.
        version: Where in the match it is; 0 for the match as a whole.
    """

    name: str
    rank: int
    value: int
    match: str
    at: int
    person: str = ""
    seat: int | None = None
    version: int = 0


def records(
    rows: Mapping[str, KeptRow], persons: Mapping[str, str], questions: Sequence[Question]
) -> list[Record]:
    """Return the records of a game, each with those behind it, in the order of :data:`OF_ALL_GAMES` and the questions.

    Among those that are level, who was first comes first.

    Args:
        rows: The rows of the matches that count.
        persons: By player, whose they are.
        questions: The game's questions.
    """
    set_ones = [one for match, row in rows.items() for one in _of_match(match, row, persons, questions)]
    wanted: dict[str, Extreme] = {**dict.fromkeys(OF_ALL_GAMES, "most")}
    wanted |= {question.name: question.record for question in questions if question.record}
    found: list[Record] = []
    for name, extreme in wanted.items():
        found += _podium((one for one in set_ones if one.name == name), extreme)
    return found


def _podium(candidates: Iterable[Record], extreme: Extreme) -> Iterator[Record]:
    sign = -1 if extreme == "most" else 1
    ordered = sorted(candidates, key=lambda one: (sign * one.value, one.at, one.match))
    for one in ordered[:PODIUM]:
        yield one._replace(rank=1 + sum(sign * other.value < sign * one.value for other in ordered))


def _of_match(
    match: str, row: KeptRow, persons: Mapping[str, str], questions: Sequence[Question]
) -> Iterator[Record]:
    people = [seat for seat, player in enumerate(row.seats) if isinstance(player, str)]
    if len(people) < _PEOPLE:
        return
    marks = row.marks or (0,) * len(row.seats)

    def held(name: str, value: int, seat: int | None, version: int = 0) -> Record:
        person = "" if seat is None else persons.get(str(row.seats[seat]), "")
        return Record(name, 0, value, match, row.changed_at, person, seat, version)

    yield held(ROUNDS, row.round, None)
    yield held(TIME, row.lasted // 1000, None)
    first, *behind = row.ranking or ((),)
    if len(first) == 1 and behind and first[0] in people and RESIGNED not in marks and row.totals:
        margin = abs(row.totals[behind[0][0]] - row.totals[first[0]])
        yield held(MARGIN, margin, first[0])
    for feat in row.feats:
        # What a bot did for somebody is nobody's record.
        if feat.question < len(questions) and (feat.seat is None or marks[feat.seat] != STOOD_IN):
            yield held(questions[feat.question].name, feat.value, feat.seat, feat.version)

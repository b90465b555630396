"""How many people and how many bots of each level a new table's form asks for."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from api.pages.forms import Form
from api.requests.bodies import SeatBody
from domain.match.levels import DEFAULT_LEVEL, LEVELS
from domain.match.state import Seat
from services.matches.catalogue import SeatRange

PEOPLE: Final = "people"
_USUAL_BOTS: Final = 2
"""Bots that a form proposes, where the game has room for them."""


class SeatCounts(msgspec.Struct, frozen=True):
    """What is asked for.

    Attributes:
        people: How many seats wait for people.
        bots: By level, how many seats bots take.
        plays: Whether who makes the table takes the first of the people's seats.
    """

    people: int
    bots: Mapping[str, int]
    plays: bool = True

    @property
    def seats(self) -> tuple[SeatBody, ...]:
        """The table's seats: people's first, then bots from the gentlest level on."""
        bots = [SeatBody(level) for level, count in self.bots.items() for _ in range(count)]
        return (*[SeatBody()] * self.people, *bots)

    @property
    def my_seat(self) -> int | None:
        """The seat of who makes the table."""
        return 0 if self.plays and self.people else None

    def stepped(self, step: str, most: int) -> "SeatCounts":
        """Return the counts after a press of a button: ``people+``, ``steady-``."""
        what, change = step[:-1], {"+": 1, "-": -1}.get(step[-1:], 0)
        if change > 0 and len(self.seats) >= most:
            return self
        if what == PEOPLE:
            return replace(self, people=max(0, self.people + change))
        if what not in self.bots:
            return self
        return replace(self, bots={**self.bots, what: max(0, self.bots[what] + change)})


def usual_counts(seats: SeatRange) -> SeatCounts:
    """Return what a form proposes: oneself against bots."""
    bots = max(seats.fewest - 1, min(_USUAL_BOTS, seats.most - 1))
    by_level: dict[str, int] = {level: bots if level == DEFAULT_LEVEL else 0 for level in LEVELS}
    return SeatCounts(1, by_level)


def counts_of(form: Form, most: int) -> SeatCounts:
    """Read the counts of a form; none is larger than a table of the game.

    Raises:
        Malformed: One is no number.
    """

    def count(name: str) -> int:
        # One more than the table has is refused with the game's own words.
        return min(max(form.number(name, 0), 0), most + 1)

    bots: dict[str, int] = {level: count(f"bots-{level}") for level in LEVELS}
    return SeatCounts(count(PEOPLE), bots, form.text("plays") == "yes")


def counts_like(seats: Sequence[Seat]) -> SeatCounts:
    """Return the counts of a table that was played. Levels that are no longer offered become the usual one."""
    levels = [seat.level if seat.level in LEVELS else DEFAULT_LEVEL for seat in seats if seat.kind == "bot"]
    bots: dict[str, int] = {level: levels.count(level) for level in LEVELS}
    return SeatCounts(len(seats) - len(levels), bots)

"""A second model of time, written from one sentence and nothing else.

*The time that a seat has spent in a position adds up over all its visits to it; what is left is its allowance at the
first visit, with what others have given, less that sum.*

It keeps every second of every visit and counts them anew for each answer. It shares no code with the match: it knows
only which game was on the table, who was to act, what was taken back, and which intervals did not count.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.games.contract import GameState


class Spell(NamedTuple):
    """Some seconds that a seat spent in a position: ``[begins, ends)``."""

    seat: int
    position: int
    begins: int
    ends: int


class Place(NamedTuple):
    """A position: what was on the table, after what, and in which position each seat to act had been asked."""

    before: int
    game: GameState
    asked: dict[int, int]


class SecondClock:
    """The time of all seats, in whole seconds."""

    def __init__(self, allowance: int, bank: int) -> None:
        """Take the seconds of a turn, and those of each seat for the whole match."""
        self.allowance = allowance
        self.bank = bank
        self._places: list[Place] = []
        self._here = -1
        self._by_version: dict[int, int] = {}
        self._spells: list[Spell] = []
        self._rests: list[tuple[int, int]] = []
        self._given: dict[tuple[int, int], int] = {}
        self._now = 0

    def pass_to(self, now: int) -> None:
        """Let time pass: whoever is to act spends it where they were asked."""
        if self._here >= 0 and now > self._now:
            for seat, position in self._places[self._here].asked.items():
                self._spells.append(Spell(seat, position, self._now, now))
        self._now = max(self._now, now)

    def move(self, version: int, game: GameState, mover: int | None, to_act: Sequence[int]) -> None:
        """Follow a move into the position that it leads to: the same one if it has led there before."""
        for number, place in enumerate(self._places):
            if place.before == self._here and place.game == game:
                self._go(number, version)
                return
        number = len(self._places)
        asked_before = self._places[self._here].asked if self._here >= 0 else {}
        asked = {
            seat: asked_before[seat] if seat in asked_before and seat != mover else number for seat in to_act
        }
        self._places.append(Place(self._here, game, asked))
        self._go(number, version)

    def step(self, version: int) -> None:
        """Follow an undo, or a move that is played again, to the position of a version."""
        self._here = self._by_version[version]

    def give(self, seat: int, seconds: int) -> None:
        """Give a seat time where it was asked."""
        key = seat, self._places[self._here].asked[seat]
        self._given[key] = self._given.get(key, 0) + seconds

    def give_in(self, seat: int, seconds: int) -> None:
        """Give a seat time in the position in which it stands after a step."""
        self.give(seat, seconds)

    def rest(self, begins: int, ends: int) -> None:
        """Let an interval not count."""
        self._rests.append((begins, ends))

    def resume(self, now: int, pauses: Sequence[tuple[int, int]]) -> None:
        """End pauses: they rest no longer than until now."""
        self._rests = [
            (begins, min(ends, now)) if (begins, ends) in pauses else (begins, ends)
            for begins, ends in self._rests
        ]

    def left(self, seat: int) -> int:
        """Return the seconds that a seat to act has left, with its bank."""
        here = self._places[self._here].asked[seat]
        spent = self._spent(seat)
        own = {position: self.allowance + self._given.get((seat, position), 0) for position in {*spent, here}}
        from_bank = sum(max(0, spent[position] - own[position]) for position in spent)
        return max(0, own[here] - spent.get(here, 0)) + max(0, self.bank - from_bank)

    def _spent(self, seat: int) -> dict[int, int]:
        spent: dict[int, int] = {}
        for spell in self._spells:
            if spell.seat == seat:
                spent[spell.position] = spent.get(spell.position, 0) + sum(1 for _ in self._counted(spell))
        return spent

    def _counted(self, spell: Spell) -> Iterator[int]:
        for second in range(spell.begins, spell.ends):
            if not any(begins <= second < ends for begins, ends in self._rests):
                yield second

    def _go(self, number: int, version: int) -> None:
        self._here = number
        self._by_version[version] = number

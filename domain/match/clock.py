"""Time: what a seat has spent in a position adds up over all its visits; what is left is its allowance less that.

The log gives all of it: when a seat was asked, when it stopped being asked, and when its clock rested. Nothing here is
computed before somebody wants to know, so that folding stays quick.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from domain.games.contract import GameState
from domain.instants import EARLIEST, Instant, instant_from_milliseconds, milliseconds_of

NOT_ASKED = EARLIEST
"""A seat that is not asked, or has no deadline."""

ADDS_UP_SINCE = 3
"""The number of the table's rules since which time adds up over visits; before, events recorded deadlines instead."""

Absent = Literal["turn", "stand_in", "forfeit"]


class ClockTerms(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How much time a seat has, and what happens when it has none left.

    Attributes:
        per_turn: Seconds for each turn; 0 for no clock.
        bank: Seconds for the whole match, which run when those of a turn are used up.
        absent: What happens after :attr:`misses` turns in a row for which a seat had no time: ``stand_in`` (a bot
            plays until the person returns), ``forfeit`` (the seat resigns) or ``turn`` (nothing more: a bot plays each
            of these turns, as it plays the ones before).
        misses: How many turns in a row those are.
        rests: Whether clocks rest in the nights, on the weekdays and in the holidays that people have chosen.
    """

    per_turn: int = 0
    bank: int = 0
    absent: Absent = "stand_in"
    misses: int = 2
    rests: bool = False


class Rest(msgspec.Struct, frozen=True, omit_defaults=True):
    """An interval in which clocks rest.

    Attributes:
        begins: Its first instant.
        ends: The first instant after it.
        why: ``outage``, ``pause``, ``night``, ``weekend`` or ``holiday``.
        seats: Whose clocks; empty for everybody's.
    """

    begins: Instant
    ends: Instant
    why: str
    seats: tuple[int, ...] = ()


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's turn on its present visit.

    Attributes:
        origin: The position in which the seat was asked.
        at: When this visit began.
        given: What others have given, in milliseconds.
        visits: Its visits before.
    """

    origin: int
    at: Instant
    given: int = 0
    visits: "Visit | None" = None


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A visit that is over: the seat had moved, or the position was left.

    Attributes:
        seat: Whose turn it was.
        turn: The turn.
        until: When it was left.
        before: The visit of any seat that ended before.
    """

    seat: int
    turn: Turn
    until: Instant
    before: "Visit | None" = None


class Branch(msgspec.Struct, frozen=True):
    """A position that was taken back. If the same move leads to it again, it is the same position.

    Attributes:
        game: The game there.
        origin: The position.
    """

    game: GameState
    origin: int


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time of all seats.

    Attributes:
        since: By seat, when it was asked; empty text if it is not. A bot that takes over is asked then.
        deadlines: As events recorded them, up to table number 2: by seat, when its time ends. Empty if none has any.
        allowance: What each turn has, in milliseconds; 0 for no clock, and up to table number 2.
        bank: What each seat has for the whole match besides, in milliseconds.
        turns: By seat, the turn whose time runs; None for a seat that is not asked. Empty where there is no allowance.
        visits: The latest visit that is over.
        rests: When clocks rest, in the order in which it became known.
        branches: By position, what followed on it and was taken back.
        planned: By seat, how far its rests are known.
    """

    since: tuple[Instant, ...] = ()
    deadlines: tuple[Instant, ...] = ()
    allowance: int = 0
    bank: int = 0
    turns: tuple[Turn | None, ...] = ()
    visits: Visit | None = None
    rests: tuple[Rest, ...] = ()
    branches: Mapping[int, tuple[Branch, ...]] = {}
    planned: Mapping[int, Instant] = {}

    def deadline_of(self, seat: int) -> Instant:
        """Return when a seat's time ends; :data:`NOT_ASKED` if it has no deadline."""
        turn = self.turn_of(seat)
        if turn is None:
            return self.deadlines[seat] if self.deadlines else NOT_ASKED
        own = max(0, self.allowance + turn.given - self._spent_before(seat, turn))
        return self.passed(seat, turn.at, own + self.bank_of(seat))

    def left(self, seat: int, now: Instant) -> int | None:
        """Return the milliseconds that a seat has left, its bank included; None if no time of it runs."""
        turn = self.turn_of(seat)
        if turn is None:
            return None
        own = max(0, self.allowance + turn.given - self._spent_before(seat, turn))
        return max(0, own + self.bank_of(seat) - self.runs(seat, turn.at, now))

    def turn_of(self, seat: int) -> Turn | None:
        """Return the turn of a seat whose time runs."""
        return self.turns[seat] if self.turns else None

    def bank_of(self, seat: int) -> int:
        """Return what a seat's bank held when its present visit began: turns took from it what they had not."""
        if not self.bank:
            return 0
        spent: dict[int, int] = {}
        given: dict[int, int] = {}
        visit = self.visits
        while visit is not None:
            if visit.seat == seat:
                turn = visit.turn
                spent[turn.origin] = spent.get(turn.origin, 0) + self.runs(seat, turn.at, visit.until)
                given[turn.origin] = max(given.get(turn.origin, 0), turn.given)
            visit = visit.before
        present = self.turn_of(seat)
        if present is not None and present.origin in given:
            given[present.origin] = present.given
        over = (max(0, spent[origin] - self.allowance - given[origin]) for origin in spent)
        return max(0, self.bank - sum(over))

    def left_in(self, seat: int, origin: int) -> int | None:
        """Return the milliseconds that a seat would have on another visit to a turn; None if it was never there."""
        visit = self.last_visit(seat, origin)
        if visit is None:
            return None
        spent = self._spent_before(seat, Turn(origin, EARLIEST, visits=visit))
        return max(0, self.allowance + visit.turn.given - spent) + self.bank_of(seat)

    def last_visit(self, seat: int, origin: int) -> Visit | None:
        """Return a seat's latest visit to a turn that is over."""
        visit = self.visits
        while visit is not None and (visit.seat != seat or visit.turn.origin != origin):
            visit = visit.before
        return visit

    def _spent_before(self, seat: int, turn: Turn) -> int:
        """Return the milliseconds that a turn took on the visits before this one."""
        spent, visit = 0, turn.visits
        while visit is not None:
            spent += self.runs(seat, visit.turn.at, visit.until)
            visit = visit.turn.visits
        return spent

    def runs(self, seat: int, begins: Instant, ends: Instant) -> int:
        """Return for how many milliseconds of an interval a seat's clock runs."""
        first, last = milliseconds_of(begins), milliseconds_of(ends)
        running = last - first
        for rest_begins, rest_ends in self.rests_of(seat):
            running -= max(0, min(rest_ends, last) - max(rest_begins, first))
        return max(0, running)

    def passed(self, seat: int, begins: Instant, milliseconds: int) -> Instant:
        """Return the first instant at which a seat's clock has run for so long."""
        reached = milliseconds_of(begins)
        for rest_begins, rest_ends in self.rests_of(seat):
            runs = max(0, rest_begins - reached)
            if milliseconds <= runs:
                break
            milliseconds -= runs
            reached = max(reached, rest_ends)
        return instant_from_milliseconds(reached + milliseconds)

    def rests_of(self, seat: int) -> Iterator[tuple[int, int]]:
        """Yield when a seat's clock rests, in milliseconds: in order, no two of them touching."""
        intervals = sorted(
            (milliseconds_of(rest.begins), milliseconds_of(rest.ends))
            for rest in self.rests
            if not rest.seats or seat in rest.seats
        )
        first, last = 0, 0
        for begins, ends in intervals:
            if begins > last:
                if last > first:
                    yield first, last
                first, last = begins, ends
            else:
                last = max(last, ends)
        if last > first:
            yield first, last

"""Recording when clocks will rest: what people have chosen becomes instants in the logs of their matches."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from domain.canonical import digest
from domain.errors import Refused
from domain.instants import Instant, after
from domain.match.apply_clock import planned
from domain.match.clock import Rest
from domain.match.clock_events import RestsPlanned
from domain.match.clock_terms import DAY
from domain.match.command_handler import CommandMetadata
from domain.match.commands import PlanRests
from domain.match.due import deadlines_of, needs_rests
from domain.match.fold import Position
from domain.match.state import Match
from services.errors import MatchClosed, MatchFull, NoSuchMatch, StaleVersion
from services.matches.reader import MatchReader
from services.matches.service import CLOCK, MatchService, Submission
from services.people.memberships import Memberships
from services.people.persons import Person, Persons
from services.people.rest_times import RestTimes, intervals, rest_times
from services.people.time_zones import zone_named

AHEAD_SECONDS: Final = 21 * DAY
"""How far ahead rests are recorded, at least."""

LONGEST_AHEAD_SECONDS: Final = 180 * DAY
"""How far at most, however long somebody's holidays are."""

FAR_SECONDS: Final = 366 * DAY
"""How far ahead it is recorded that nobody's clock rests."""

_log = structlog.get_logger(__name__)

_Chosen = tuple[RestTimes, Person]


class RestPlanner:
    """Records rests."""

    def __init__(
        self,
        reader: MatchReader,
        service: MatchService,
        persons: Persons,
        memberships: Memberships,
        now: Callable[[], Instant],
    ) -> None:
        self._reader: Final = reader
        self._service: Final = service
        self._persons: Final = persons
        self._memberships: Final = memberships
        self._now: Final = now

    async def plan(self, position: Position, *, anew: bool = False) -> Position:
        """Record the rests of a table whose recorded ones do not reach far enough; return the match after that.

        Args:
            position: The match at its head.
            anew: Whether somebody has chosen something else, so that what is recorded counts no more.
        """
        state = position.state
        if not anew and not needs_rests(state):
            return position
        seats = _people(state)
        if not seats or state.terms is None or not state.terms.clock.rests:
            return position
        now = max(self._now(), position.at)
        command = _planned(state, seats, await self._chosen(state, seats), now)
        what = {"rests": command.until, "match": position.match, "version": position.version}
        metadata = CommandMetadata(CLOCK, CLOCK, f"rests-{digest(what)[:32]}", position.trace)
        try:
            submission = Submission(position.match, command, metadata, digest(what), not_before=now)
            outcome = await self._service.execute(submission)
        except (Refused, StaleVersion, MatchClosed, MatchFull) as refusal:
            _log.info("rests_not_recorded", match=position.match, code=refusal.code)
            return await self._reader.head(position.match)
        return outcome.position if not outcome.duplicate else await self._reader.head(position.match)

    async def replan(self, person: str) -> int:
        """Record anew, at all their tables, when a person's clocks rest; return at how many."""
        matches = {
            one.holder.match for one in await self._memberships.of(person) if one.holder.role == "seat"
        }
        answers = await asyncio.gather(*(self._replanned(match) for match in sorted(matches)))
        return sum(answers)

    async def _replanned(self, match: str) -> bool:
        try:
            position = await self._reader.head(match)
        except (NoSuchMatch, MatchClosed):
            return False
        if position.state.lifecycle.phase != "playing":
            return False
        return (await self.plan(position, anew=True)).version > position.version

    async def _chosen(self, state: Match, seats: Sequence[int]) -> dict[int, _Chosen]:
        ids = await self._memberships.persons_of([state.seats[seat].player for seat in seats])
        known = {
            person.id: person
            for person in await self._persons.of_many(sorted({one for one in ids if one}))
            if person is not None
        }
        return {
            seat: (rest_times(known[person].preferences), known[person])
            for seat, person in zip(seats, ids, strict=True)
            if person in known
        }


def _people(state: Match) -> tuple[int, ...]:
    return tuple(
        number for number, seat in enumerate(state.seats) if seat.kind == "person" and not seat.resigned
    )


def _planned(state: Match, seats: tuple[int, ...], chosen: dict[int, _Chosen], now: Instant) -> PlanRests:
    """Return the rests of some seats, as far ahead as the time of those who are to move reaches."""
    if all(times == RestTimes() for times, _ in chosen.values()):
        return PlanRests(seats, after(now, FAR_SECONDS), ())
    ahead = AHEAD_SECONDS
    while True:
        until = after(now, ahead)
        rests = _rests(chosen, now, until)
        after_it = planned(state, RestsPlanned(seats, now, until, rests))
        reached = max(deadlines_of(after_it).values(), default=now)
        if reached <= until or ahead >= LONGEST_AHEAD_SECONDS:
            return PlanRests(seats, max(until, reached), rests)
        ahead += AHEAD_SECONDS


def _rests(chosen: dict[int, _Chosen], now: Instant, until: Instant) -> tuple[Rest, ...]:
    """Return intervals, each with the seats whose clocks rest then."""
    seats_by_interval: dict[tuple[Instant, Instant, str], list[int]] = {}
    for seat, (times, person) in sorted(chosen.items()):
        for one in intervals(times, zone_named(person.time_zone), now, until):
            seats_by_interval.setdefault((one.begins, one.ends, one.why), []).append(seat)
    return tuple(Rest(*interval, tuple(seats)) for interval, seats in sorted(seats_by_interval.items()))

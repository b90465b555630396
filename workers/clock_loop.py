"""The loop that visits what is due: seats whose time ran out, bots that should have moved, tables that begin.

It needs nobody to watch, and no queue: when jobs, workers or the whole queue are lost, a bot's turn is sent again
after ten seconds and forced with the fallback move after thirty.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

import structlog

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.instants import Instant, after, milliseconds_of
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import AnnounceExpiry, Command, ExpireTable, LapseRequest, StartMatch, TimeOut
from domain.match.due import (
    ATTEMPT_SECONDS,
    FALLBACK_SECONDS,
    UNJUDGED_SECONDS,
    begins_at,
    bots_to_act,
    due_of,
    fixed_instants,
    needs_rests,
    overdue_seats,
)
from domain.match.expiry import next_of_expiry
from domain.match.fold import Position
from domain.match.say import due_at
from services.errors import MatchClosed, NoSuchMatch, OutcomeUnknown, StaleVersion, StoreUnavailable
from services.jobs.errors import JobStoreUnavailable
from services.log.event_store.contract import EventStore
from services.log.leases import Holding
from services.matches.bots import BotPlayer
from services.matches.outages import TOGETHER, Outages
from services.matches.reader import MatchReader
from services.matches.resting import RestPlanner
from services.matches.service import CLOCK, MatchService, Submission
from services.process.service_log import correlation
from workers.bot_jobs import attempt_at, seconds_asked, send_job
from workers.clock_watch import ClockWatch
from workers.future_matches import FutureMatches
from workers.held_due import HeldDue
from workers.jobs import BotsQueue
from workers.running import keep_running
from workers.unscheduled import UnscheduledTables

BATCH = 100
LONGEST_SLEEP_SECONDS = 1.0
RETRY_SECONDS = 0.2

RESTS_MILLISECONDS = 1_000
"""How long after a visit the clock comes again to record when somebody's clock will rest."""

PARKED_MILLISECONDS = 60_000
"""How long a match that cannot be handled is left alone."""

_log = structlog.get_logger(__name__)


class ClockLoop:
    """Visits matches whose due instant has come."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        service: MatchService,
        bots: BotPlayer,
        queue: BotsQueue,
        now: Callable[[], Instant],
        watch: ClockWatch | None = None,
        future: FutureMatches | None = None,
        outages: Outages | None = None,
        rests: RestPlanner | None = None,
        holding: Holding | None = None,
    ) -> None:
        self._store = store
        self._due = HeldDue(store, holding)
        self._reader = reader
        self._service = service
        self._bots = bots
        self._queue = queue
        self._now = now
        self._watch = watch
        self._future = future or FutureMatches(store, now, due=self._due)
        self._unscheduled = UnscheduledTables(store, reader)
        self._outages = outages
        self._rests = rests
        self._left_alone: dict[str, int] = {}
        self._ahead = 0
        self._held: set[str] = set()

    async def run(self) -> None:
        """Visit what is due for ever; while the store is away, keep trying."""
        await keep_running("clock", _log, self._turn, RETRY_SECONDS)

    async def _turn(self) -> float:
        await self.step()
        return 0.01 if await self._unscheduled.look() else await self._pause()

    async def step(self) -> int:
        """Visit every match that is due now; return how many there were.

        While the clock is ahead of itself, people's time runs on as if it had not leapt; bots move as ever.
        """
        self._ahead = await self._watch.look() if self._watch is not None else 0
        if self._outages is not None:
            await self._outages.look(self._ahead)
        if not self._ahead:
            # They stand in the due index by the clock that was wrong.
            held, self._held = self._held, set()
            await self._visit_all(held)
        now = milliseconds_of(self._now())
        due = await self._due.due(now, BATCH)
        await self._visit_all(match for match, _ in due if self._left_alone.get(match, 0) <= now)
        ahead = await self._future.due()
        await self._visit_all(ahead)
        return len(due) + len(ahead)

    async def _visit_all(self, matches: Iterable[str]) -> None:
        """Visit matches, many at the same time: the store makes their events durable together."""
        waiting = [*matches][::-1]

        async def some() -> None:
            while waiting:
                await self._visit(waiting.pop())

        answers = await asyncio.gather(
            *(some() for _ in range(min(TOGETHER, len(waiting)))), return_exceptions=True
        )
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

    def _now_of(self, match: str) -> Instant:
        """Return the present instant, or that of a match whose log is ahead of the clock."""
        return after(self._now(), self._future.ahead(match) / 1000)

    async def _pause(self) -> float:
        earliest = await self._due.next_due()
        if earliest is None:
            return LONGEST_SLEEP_SECONDS
        seconds = (earliest - milliseconds_of(self._now())) / 1000
        return min(max(seconds, 0.01), LONGEST_SLEEP_SECONDS)

    async def _visit(self, match: str) -> None:
        # The instant before anything that may take long: what becomes due meanwhile is not to be passed over.
        began, trace = self._now_of(match), ""
        try:
            position = await self._reader.head(match)
            self._future.notice(position.at)
            # What the clock does follows from the request that asked somebody to move.
            trace = position.trace
            with correlation(trace or None):
                await self._handle(position, began)
        except (NoSuchMatch, MatchClosed):
            await self._park(match, None)
        except (StoreUnavailable, OutcomeUnknown):
            raise
        except Exception:  # noqa: BLE001
            # One match that cannot be handled must not stop the clocks of the others.
            _log.exception("match_parked", match=match, correlation=trace)
            await self._park(match, milliseconds_of(self._now()) + PARKED_MILLISECONDS)

    async def _handle(self, position: Position, began: Instant) -> None:
        before = position.version
        position = await self._expire(await self._begin(position))
        if self._rests is not None:
            position = await self._rests.plan(position)
        position = await self._time_out(position)
        position = await self._lapse(position)
        position = await self._move_bots(position)
        due = self._next_due(position, began)
        # With what was appended just now stands when the match is due.
        if position.version == before or due != due_of(position):
            await self._store.set_due(position.match, position.version, due)

    async def _park(self, match: str, due: int | None) -> None:
        try:
            meta = await self._store.meta(match)
        except BrokenLog as broken:
            # Not even its record can be read, so no other instant can be written into it.
            _log.error("match_left_alone", match=match, code=broken.code, reason=str(broken))
            self._left_alone[match] = milliseconds_of(self._now()) + PARKED_MILLISECONDS
            return
        await self._store.set_due(match, meta.version if meta is not None else 0, due)

    async def _begin(self, position: Position) -> Position:
        """Begin a match at which everybody is ready, without the nonces of those who are away."""
        begins = begins_at(position.state)
        if begins == NOT_ASKED or begins > self._peoples_now(position.match):
            return position
        command_id = f"begin-{milliseconds_of(begins)}"
        fingerprint = {"begin": begins, "match": position.match}
        return await self._execute(position, StartMatch(), command_id, fingerprint)

    async def _expire(self, position: Position) -> Position:
        """Tell a table that has waited for long when it will end, and end it then."""
        when = next_of_expiry(position.state, position.at)
        if when == NOT_ASKED or when > self._peoples_now(position.match):
            return position
        told = position.state.expires != NOT_ASKED
        command_id = f"{'expire' if told else 'expiry'}-{position.version}"
        fingerprint = {"expire": told, "match": position.match, "version": position.version}
        await self._execute(position, ExpireTable() if told else AnnounceExpiry(), command_id, fingerprint)
        return await self._reader.head(position.match)

    async def _time_out(self, position: Position) -> Position:
        for seat in overdue_seats(position.state, self._peoples_now(position.match)):
            asked_at = position.state.asked_at[seat]
            command_id = f"clock-{position.match}-{asked_at}-{seat}"
            fingerprint = {"clock": seat, "match": position.match, "asked_at": asked_at}
            position = await self._execute(position, TimeOut(seat), command_id, fingerprint)
        return position

    def _peoples_now(self, match: str) -> Instant:
        """Return the instant by which people's time is measured."""
        return after(self._now_of(match), -self._ahead / 1000)

    async def _lapse(self, position: Position) -> Position:
        now = self._peoples_now(position.match)
        for request in position.state.requests:
            if due_at(position.state, request) > now:
                continue
            command_id = f"lapse-{digest(request.id)[:32]}"
            fingerprint = {"lapse": request.id, "match": position.match}
            position = await self._execute(position, LapseRequest(request.id), command_id, fingerprint)
        return position

    async def _execute(
        self, position: Position, command: Command, command_id: str, fingerprint: Mapping[str, object]
    ) -> Position:
        """Carry out what time has brought; return the match as it is then."""
        match, metadata = position.match, CommandMetadata(CLOCK, CLOCK, command_id, position.trace)
        try:
            submission = Submission(
                match, command, metadata, digest(fingerprint), not_before=self._peoples_now(match)
            )
            outcome = await self._service.execute(submission)
            if not outcome.duplicate:
                return outcome.position
        except (Refused, StaleVersion, MatchClosed) as refusal:
            _log.info("clock_came_late", match=match, command=command_id, code=refusal.code)
        return await self._reader.head(match)

    async def _move_bots(self, position: Position) -> Position:
        now = self._now_of(position.match)
        for seat in bots_to_act(position.state):
            waited = seconds_asked(position, seat, now)
            if waited < ATTEMPT_SECONDS:
                continue
            if waited < FALLBACK_SECONDS:
                _log.warning("bot_is_late", match=position.match, seat=seat, seconds=waited)
                try:
                    await send_job(self._queue, position, now)
                except JobStoreUnavailable as error:
                    _log.warning(
                        "bot_waits_for_the_clock", match=position.match, seat=seat, reason=str(error)
                    )
                return position
            _log.error("bot_played_by_the_clock", match=position.match, seat=seat, seconds=waited)
            try:
                await self._bots.play_turn(
                    position,
                    seat,
                    trace=position.trace,
                    hurried=True,
                    judged=waited < UNJUDGED_SECONDS,
                    not_before=now,
                )
            except (Refused, StaleVersion, MatchClosed) as refusal:
                _log.info("bot_moved_after_all", match=position.match, seat=seat, code=refusal.code)
            return await self._reader.head(position.match)
        return position

    def _next_due(self, position: Position, began: Instant) -> int | None:
        state = position.state
        instants = fixed_instants(position)
        if needs_rests(state):
            # They could not be recorded, or somebody has just been asked: the clock comes again.
            instants.append(milliseconds_of(began) + RESTS_MILLISECONDS)
        if self._ahead and instants:
            # The clock comes again and again, as to a match that it cannot handle.
            self._held.add(position.match)
            later = milliseconds_of(began) + PARKED_MILLISECONDS
            instants = [max(instant, later) for instant in instants]
        for seat in bots_to_act(state):
            since = milliseconds_of(state.clock.since[seat])
            instants.append(since + (attempt_at(position, seat, began) + 1) * ATTEMPT_SECONDS * 1000)
        return min(instants, default=None)

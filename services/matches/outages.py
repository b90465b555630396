"""Outages: time in which the service was away, or its store was put back, is given back before anything fires."""

import asyncio
from collections.abc import Callable
from typing import Final

import redis.asyncio
import structlog

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.instants import Instant, after, seconds_between
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import CreditOutage
from domain.match.due import deadlines_of
from domain.match.state import Match
from services.errors import MatchClosed, MatchFull, NoSuchMatch, OutcomeUnknown, StoreUnavailable
from services.log.event_store.checks import GREATEST_NUMBER
from services.log.event_store.contract import EventStore
from services.log.watched import say_watched, watched_until
from services.matches.reader import MatchReader
from services.matches.service import CLOCK, MatchService, Submission

LONGEST_GAP_SECONDS: Final = 120
"""Shorter gaps are a restart: nobody's time is given back for them."""

SAY_EVERY_SECONDS: Final = 20
"""How often it is written down that the clocks are watched."""

TOGETHER: Final = 64
"""How many matches are credited at the same time: the store makes their events durable together."""

_ALL: Final = 1_000_000

_log = structlog.get_logger(__name__)


class Outages:
    """Notices when nobody watched the clocks, and gives that time back."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        service: MatchService,
        client: "redis.asyncio.Redis",
        now: Callable[[], Instant],
        elapsed: Callable[[], float],
    ) -> None:
        """Take what matches need, a client of the log's server, the clock, and the seconds that have really passed."""
        self._store: Final = store
        self._reader: Final = reader
        self._service: Final = service
        self._client: Final = client
        self._now: Final = now
        self._elapsed: Final = elapsed
        self._said: Instant | None = None
        """What was written down last."""
        self._said_at = 0.0

    async def look(self, ahead: int = 0) -> int:
        """Give back the time since the clocks were last watched, if it is long; return to how many matches.

        Args:
            ahead: By how many milliseconds the clock is ahead of what it can be.

        Raises:
            StoreUnavailable: The store did not answer. What is not given back yet will be at the next look.
        """
        now, elapsed = after(self._now(), -ahead / 1000), self._elapsed()
        silent = elapsed - self._said_at
        if self._said is not None and silent < SAY_EVERY_SECONDS:
            return 0
        since, credited = await watched_until(self._client), 0
        # Who has watched all the time knows that a clock was set; a store that was put back says something else.
        watched = self._said is not None and since == self._said and silent <= LONGEST_GAP_SECONDS
        if since is not None and not watched and seconds_between(since, now) > LONGEST_GAP_SECONDS:
            credited = await self._give_back(since, now)
        # Only now: if this process dies before, the next one gives the rest back. Intervals that overlap count once.
        await say_watched(self._client, now)
        self._said, self._said_at = now, elapsed
        return credited

    async def _give_back(self, begins: Instant, ends: Instant) -> int:
        waiting = [match for match, _ in await self._store.due(GREATEST_NUMBER, _ALL)]
        _log.warning("outage_is_given_back", begins=begins, ends=ends, matches=len(waiting))
        credited = 0

        async def some() -> None:
            nonlocal credited
            while waiting:
                was_credited = await self._credit(waiting.pop(), begins, ends)
                credited += was_credited

        answers = await asyncio.gather(*(some() for _ in range(TOGETHER)), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        _log.info("outage_was_given_back", matches=credited)
        return credited

    async def _credit(self, match: str, begins: Instant, ends: Instant) -> bool:
        try:
            position = await self._reader.head(match)
            if not is_waited_for(position.state):
                return False
            what = {"outage": [begins, ends], "match": match}
            metadata = CommandMetadata(CLOCK, CLOCK, f"outage-{digest(what)[:32]}", position.trace)
            command = CreditOutage(begins, ends)
            await self._service.execute(Submission(match, command, metadata, digest(what), not_before=ends))
        except (StoreUnavailable, OutcomeUnknown):
            raise
        except (NoSuchMatch, MatchClosed, MatchFull, Refused, BrokenLog) as error:
            _log.info(
                "outage_not_given_back", match=match, code=getattr(error, "code", ""), reason=str(error)
            )
            return False
        except Exception:  # noqa: BLE001
            # One match that cannot be read must not keep the others from their time.
            _log.exception("outage_not_given_back", match=match)
            return False
        return True


def is_waited_for(state: Match) -> bool:
    """Tell whether any time runs in a match: for a move, for an answer, or until a table ends that never began."""
    return bool(state.requests) or bool(deadlines_of(state)) or state.expires != NOT_ASKED

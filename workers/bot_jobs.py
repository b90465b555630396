"""Which jobs the bots of a match need now."""

import asyncio
from typing import Final

import structlog

from domain.instants import Instant, seconds_between
from domain.match.due import ATTEMPT_SECONDS, bots_to_act, people_play
from domain.match.fold import Position
from services.matches.bots import bot_command_id, bot_job_id
from workers.jobs import BotsQueue

_FORMER: Final = 6
"""So many attempts are looked for in the queue, from the first one: the clock plays a turn before there are more."""

_log = structlog.get_logger(__name__)


def seconds_asked(position: Position, seat: int, now: Instant) -> float:
    """Return how long a seat has owed its move, in seconds."""
    return seconds_between(position.state.clock.since[seat], now)


def attempt_at(position: Position, seat: int, now: Instant) -> int:
    """Return which attempt at a bot's turn is in order: RQ keeps the id of a killed job for minutes."""
    return int(max(0.0, seconds_asked(position, seat, now)) // ATTEMPT_SECONDS)


async def send_job(queue: BotsQueue, position: Position, now: Instant) -> bool:
    """Queue the job that plays the first bot to act, and all bots behind it; tell whether it was queued.

    While a former attempt waits in the queue, another one would only make it longer; a turn that waits too long there
    the clock plays. An attempt that is lost, or that a worker has taken, waits no longer.

    Raises:
        JobStoreUnavailable: The queue's server did not take it.
    """
    waiting = bots_to_act(position.state)
    if not waiting:
        return False
    seat = waiting[0]
    command_id = bot_command_id(position.match, position.state.asked_at[seat], seat)
    attempt = attempt_at(position, seat, now)
    job_id = bot_job_id(command_id, attempt)
    unless = [bot_job_id(command_id, number) for number in range(min(attempt, _FORMER))]
    alone = not people_play(position.state)
    sent = await asyncio.to_thread(queue.send, job_id, position.match, position.trace, unless, alone=alone)
    if sent:
        _log.info("bots_job_sent", match=position.match, job=job_id, correlation=position.trace)
    return sent

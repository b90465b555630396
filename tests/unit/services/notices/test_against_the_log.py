"""The outbox over random histories, compared with a reading of the log that shares no code with it.

The reading knows one thing: at a table with a clock, a command's last event says whom it asked, and until when. Whoever
was asked owes a move until the next command that moves, times out, or takes a move back.
"""

import asyncio
import json
from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.match.commands import AskToEnd, UndoMove
from services.errors import MatchClosed
from tests.kit.house import House
from tests.kit.told import Told

GRACE = 60
STEP = 7
"""Seconds between two looks of the loop: a turn that ends so soon after its minute may not be seen."""

ASIDE = {"RequestMade", "RequestAnswered", "SeatReady", "SeatTaken"}
ENDS = {"MatchFinished", "MatchAbandoned", "MoveUndone", "MoveRedone"}
"""Another position, or none: whoever owed a move owes it no longer."""
PER_TURN = 5 * 24 * 3600


class Turn(NamedTuple):
    """A move that somebody owed.

    Attributes:
        asked: The millisecond at which it was asked for.
        seconds: For how long.
    """

    player: str
    asked: int
    seconds: float


def turns_in(envelopes: list[dict[str, Any]], now: float) -> list[Turn]:
    """Return the moves that people owed, by the log alone."""
    turns: list[Turn] = []
    players: dict[int, str] = {}
    waiting: dict[int, float] = {}

    def end(seats: Iterable[int], at: float) -> None:
        for seat in set(seats) & waiting.keys():
            since = waiting.pop(seat)
            turns.append(Turn(players[seat], round(since * 1000), at - since))

    for envelope in envelopes:
        at = datetime.fromisoformat(envelope["at"]).timestamp()
        kind, mover = envelope["type"], envelope.get("seat")
        if kind == "SeatTaken":
            players[envelope["data"]["seat"]] = envelope["data"]["player"]
        if mover is not None and kind not in ASIDE:
            end([mover], at)
        if kind in ENDS:
            end(waiting, at)
        asked = [int(seat) for seat in envelope.get("deadlines", {})]
        end(asked, at)
        waiting |= dict.fromkeys(asked, at)
    end(waiting, now)
    return turns


async def history(seed: int) -> tuple[Told, list[Turn]]:
    """Play a random history with loops that are killed, jobs that are doubled or lost; return what it should say."""
    random = Random(seed)
    client = FakeAsyncRedis()
    told = Told(House(), client)
    house = told.house
    await told.loop.step()
    await house.begin("lama", random.choice((2, 3)), per_turn=PER_TURN)
    seats = len((await house.head()).state.seats)
    for seat in range(seats):
        await told.person(f"P{seat}", ("m1", f"player-{seat}"))
    for _ in range(random.randint(5, 25)):
        await trouble(told, random)
        await told.steps(random.choice((1, 20, 40, 59, 61, 90, 300)), step=STEP)
        try:
            await act(house, random)
        except Refused:
            continue
        except MatchClosed:
            break
    told.loop = told.beside()
    await told.steps(GRACE + 10)
    entries = await house.store.read("m1")
    envelopes = [json.loads(entry.e) for entry in entries]
    return told, turns_in(envelopes, datetime.fromisoformat(house.clock()).timestamp())


async def act(house: House, random: Random) -> None:
    match random.randrange(6):
        case 0:
            (mover, *_) = await house.to_act()
            await house.do(UndoMove((mover + 1) % 2))
        case 1:
            # Asking for something on one's turn asks nobody anew.
            (mover, *_) = await house.to_act()
            await house.do(AskToEnd(mover, f"r{house.clock.seconds:.0f}"))
        case _:
            await house.move()


async def trouble(told: Told, random: Random) -> None:
    match random.randrange(6):
        case 0:
            told.loop = told.beside()  # the process was killed and started again
        case 1:
            told.queue.jobs *= 2
        case 2:
            told.queue.jobs.clear()
        case 3:
            step = asyncio.create_task(told.loop.step())
            await asyncio.sleep(0)
            step.cancel()  # killed in the middle
            await asyncio.gather(step, return_exceptions=True)
        case _:
            pass


@pytest.mark.parametrize("seed", range(6))
async def test_each_turn_that_lasted_a_minute_is_entered_once_and_no_other(seed):
    told, owed = await history(seed)
    entries = await told.outbox.entries("m1")
    turns = [field.split(" ") for field in entries if field.startswith("turn ")]
    found = {(player, int(turn.removeprefix("turn-"))) for _, turn, player, _ in turns}
    must = {(turn.player, turn.asked) for turn in owed if turn.seconds >= GRACE + 2 * STEP}
    may = {(turn.player, turn.asked) for turn in owed if turn.seconds >= GRACE}
    assert must <= found <= may
    assert len(turns) == len(found)
    fed = [
        (item.match, item.kind, item.turn)
        for person in told.known.values()
        for message in await told.feed.of(person.id)
        for item in message.items
        if item.kind == "turn"
    ]
    assert len(fed) == len(set(fed))

"""Whatever goes wrong with a bot's turn, its seat moves within a minute, once, legally, and the log says how."""

from collections.abc import Awaitable, Callable

import pytest

from domain.entries import Envelope, decode_envelope
from domain.games.registry import CURRENT
from domain.match.due import bots_to_act
from domain.match.verification import verify
from services.matches import bots
from services.matches.bots import bot_command_id
from services.matches.hands import HANDS, Hands
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from workers.bot_jobs import send_job
from workers.clock_loop import ClockLoop

Worker = Callable[[House, int, int], Awaitable[None]]
"""What a worker does with the job of an attempt, so many seconds after the bot was asked."""

built_in = pytest.mark.parametrize("game", ["lama", "odin", "skyjo"])


async def plays(house: House, _attempt: int, _second: int) -> None:
    await house.beside().bots.play_turns("m1", trace="", seconds=0)


async def loses_all(_house: House, _attempt: int, _second: int) -> None:
    """Every job is lost: it was taken by a worker that was killed, or the queue was emptied."""


async def is_killed_once(house: House, attempt: int, second: int) -> None:
    if attempt:
        await plays(house, attempt, second)


class KilledWhileItWaits(Hands):
    """Those of a worker that is killed when a move is chosen, and its time has not come."""

    async def wait(self, seconds: float) -> None:  # noqa: ARG002
        raise ConnectionAbortedError


async def is_killed_with_a_move_that_waits(house: House, attempt: int, second: int) -> None:
    if attempt:
        await plays(house, attempt, second)
        return
    token = HANDS.set(KilledWhileItWaits())
    with pytest.raises(ConnectionAbortedError):
        await plays(house, attempt, second)
    HANDS.reset(token)


async def gets_it_twice(house: House, attempt: int, second: int) -> None:
    await plays(house, attempt, second)
    await again(house)


async def again(house: House) -> None:
    """Play a turn as a worker does that looked at the match before another one moved."""
    position = house.asked_then  # type: ignore[attr-defined]
    outcome = await house.beside().bots.play_turn(position, bots_to_act(position.state)[0], trace="late")
    assert outcome.duplicate


async def a_bots_turn(game: str, level: str) -> House:
    house = await House().begin(game, 2, bots=1, level=level)
    while not (waiting := bots_to_act((await house.head()).state)) or (await house.to_act())[0] != waiting[0]:
        await house.move((await house.to_act())[0])
    house.asked_then = await house.head()  # type: ignore[attr-defined]
    return house


async def a_minute(house: House, worker: Worker, *, away: bool = False) -> tuple[int, Envelope]:
    """Let a minute pass, second by second; return the one in which the seat moved, and its first event."""
    asked = await house.head()
    seat = bots_to_act(asked.state)[0]
    queue, beside = FakeQueue(), house.beside()
    clock = ClockLoop(beside.store, beside.reader, beside.service, beside.bots, queue, house.clock)
    await send_job(queue, asked, house.clock())
    queue.away = away
    moved_after, taken = -1, 0
    for second in range(61):
        for attempt in range(taken, len(queue.sent)):
            taken += 1
            await worker(house, attempt, second)
        await clock.step()
        if moved_after < 0 and (await house.head()).version > asked.version:
            moved_after = second
        house.clock.advance(1)
    entries = await house.store.read("m1")
    command = bot_command_id("m1", asked.state.asked_at[seat], seat)
    mine = [envelope for entry in entries if (envelope := decode_envelope(entry.e)).command.id == command]
    assert mine, "the seat never moved"
    assert len({envelope.command.first for envelope in mine}) == 1, "it moved twice"
    assert verify("m1", entries, complete=False).good
    return moved_after, mine[0]


MISHAPS: dict[str, tuple[Worker, bool, range, str]] = {
    "nothing": (plays, False, range(1), ""),
    "a job that comes twice": (gets_it_twice, False, range(1), ""),
    "a worker that is killed": (is_killed_once, False, range(10, 13), ""),
    "a worker that is killed with a move that waits": (
        is_killed_with_a_move_that_waits,
        False,
        range(10, 13),
        "",
    ),
    "jobs that are lost": (loses_all, False, range(30, 33), "hurried"),
    "a queue that is away": (loses_all, True, range(30, 33), "hurried"),
}


@built_in
@pytest.mark.parametrize("mishap", MISHAPS)
async def test_a_seat_moves_in_time_and_once(game: str, mishap: str) -> None:
    worker, away, when, note = MISHAPS[mishap]
    moved_after, event = await a_minute(await a_bots_turn(game, "hard"), worker, away=away)
    assert moved_after in when
    assert (event.door, event.note) == ("bot", note)


@built_in
async def test_a_worker_that_thaws_late_finds_its_turn_played(game: str) -> None:
    house = await a_bots_turn(game, "hard")
    moved_after, event = await a_minute(house, loses_all)
    assert (moved_after <= 33, event.note) == (True, "hurried")
    before = await house.head()
    await again(house)
    assert (await house.head()).version == before.version


def hangs(*_: object) -> None:
    while True:
        pass


def crashes(*_: object) -> None:
    raise MemoryError


def answers_nonsense(*_: object) -> object:
    return object()


@built_in
@pytest.mark.parametrize("bot", [hangs, crashes, answers_nonsense])
@pytest.mark.parametrize("worker", [plays, loses_all])
async def test_a_bot_that_is_of_no_use_is_moved_for(
    game: str, bot: Callable[..., object], worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await a_bots_turn(game, "expert")
    monkeypatch.setattr(type(CURRENT[game]), "choose", bot)
    monkeypatch.setattr(bots, "JUDGEMENT_SECONDS", 0.02)
    monkeypatch.setattr(bots, "SEARCH_SECONDS", 0.02)
    moved_after, event = await a_minute(house, worker)
    assert moved_after in (range(1) if worker is plays else range(30, 46))
    assert event.note == "fallback"

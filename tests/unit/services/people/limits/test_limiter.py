"""Who must wait, as one process decides it."""

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from services.people.limits import limiter as module
from services.people.limits.buckets import Buckets, Limit, Withdrawal
from services.people.limits.limiter import PARTS, PAUSE, SAY_EVERY, Limiter

LIMIT = Limit(rate=10, burst=100)
CHUNK = LIMIT.burst / PARTS
ANNE = (("person", "anne", LIMIT),)


class Shared(Buckets):
    """Buckets that answer what a test says; None for a store that is away."""

    def __init__(self) -> None:
        self.waits: list[float] | None = None
        self.away = False
        self.asked: list[list[tuple[str, float]]] = []

    async def take(self, withdrawals: Sequence[Withdrawal]) -> list[float] | None:
        self.asked.append([(withdrawal.name, withdrawal.tokens) for withdrawal in withdrawals])
        await asyncio.sleep(0)
        if self.away:
            return None
        return self.waits or [0.0] * len(withdrawals)

    async def close(self) -> None:
        self.asked.clear()


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def shared() -> Shared:
    return Shared()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(shared: Shared, clock: Clock) -> Limiter:
    return Limiter(shared, clock)


async def test_who_asks_for_little_is_never_worth_a_question(limiter, shared, clock):
    for _ in range(1000):
        assert await limiter.wait(1, ANNE) == 0
        clock.now += PARTS / LIMIT.rate
    assert shared.asked == []


async def test_what_mounts_up_is_paid_at_once(limiter, shared):
    for _ in range(30):
        assert await limiter.wait(1, ANNE) == 0
    assert shared.asked == [[("person:anne", CHUNK)]] * int(30 // CHUNK)


async def test_a_dear_request_counts_as_several(limiter, shared):
    assert await limiter.wait(2 * CHUNK, ANNE) == 0
    assert shared.asked == [[("person:anne", 2 * CHUNK)]]


async def test_nothing_is_asked_for_that_no_bucket_holds(limiter, shared):
    assert await limiter.wait(1e6, ANNE) == 0
    assert shared.asked == [[("person:anne", LIMIT.burst)]]


async def test_a_person_and_an_address_are_one_question(limiter, shared):
    both = (("address", "::1", LIMIT), *ANNE)
    await limiter.wait(CHUNK, both)
    assert shared.asked == [[("address:::1", CHUNK), ("person:anne", CHUNK)]]


async def test_who_must_wait_is_not_asked_about_until_then_and_nobody_else_waits(limiter, shared, clock):
    shared.waits = [0.5]
    assert await limiter.wait(CHUNK, ANNE) == 0.5
    clock.now += 0.2
    assert await limiter.wait(1, ANNE) == pytest.approx(0.3)
    assert await limiter.wait(1, (("person", "ben", LIMIT),)) == 0
    assert len(shared.asked) == 1
    shared.waits = None
    clock.now += 0.3
    assert await limiter.wait(CHUNK, ANNE) == 0
    assert len(shared.asked) == 2


async def test_a_request_that_was_turned_away_costs_nothing(limiter, shared, clock):
    await limiter.wait(CHUNK - 1, ANNE)
    shared.waits = [0.5]
    assert await limiter.wait(1, ANNE) == 0.5
    for _ in range(100):
        assert await limiter.wait(1, ANNE) > 0
    shared.waits = None
    clock.now += 0.5
    await limiter.wait(1, ANNE)
    (_, tokens), *_ = shared.asked[-1]
    assert tokens <= CHUNK


async def test_the_longest_wait_is_told(limiter, shared):
    shared.waits = [0.25, 0.75]
    assert await limiter.wait(CHUNK, (("address", "a", LIMIT), *ANNE)) == 0.75


async def test_everybody_passes_when_the_store_is_away_and_it_is_left_alone_for_a_while(
    limiter, shared, clock
):
    shared.away = True
    for _ in range(100):
        assert await limiter.wait(CHUNK, ANNE) == 0
    assert len(shared.asked) == 1
    clock.now += PAUSE
    shared.away = False
    assert await limiter.wait(CHUNK, ANNE) == 0
    assert len(shared.asked) == 2


async def test_requests_that_come_together_do_not_pay_for_each_other(limiter, shared):
    waits = await asyncio.gather(*(limiter.wait(1, ANNE) for _ in range(50)))
    assert waits == [0.0] * 50
    assert sum(tokens for [(_, tokens)] in shared.asked) == 50


async def test_only_so_many_are_remembered(limiter, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 10)
    for number in range(100):
        await limiter.wait(1, (("address", "always", LIMIT), ("person", str(number), LIMIT)))
    assert len(limiter._accounts) == 10
    assert ("address", "always") in limiter._accounts


async def test_operators_are_told_how_many_were_turned_away_and_not_who(limiter, shared, clock):
    shared.waits = [1000.0]
    with capture_logs() as lines:
        for _ in range(5):
            await limiter.wait(CHUNK, ANNE)
        clock.now += SAY_EVERY
        await limiter.wait(1, ANNE)
    assert [(line["event"], line["person"]) for line in lines] == [
        ("requests_limited", 1),
        ("requests_limited", 5),
    ]
    assert "anne" not in str(lines)


async def test_closing_gives_the_store_back(limiter, shared):
    await limiter.wait(CHUNK, ANNE)
    await limiter.close()
    assert shared.asked == []

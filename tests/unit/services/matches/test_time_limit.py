"""A thought that takes too long is interrupted, and nothing else is."""

import asyncio
import signal
import threading
import time

import pytest

from services.matches.time_limit import TookTooLong, at_most


def forever() -> None:
    while True:
        pass


def test_a_thought_that_does_not_end_is_interrupted() -> None:
    with pytest.raises(TookTooLong), at_most(0.05):
        forever()


def test_one_that_swallows_the_interruption_is_interrupted_again() -> None:
    def stubborn() -> None:
        try:
            forever()
        except Exception:  # noqa: BLE001 - as a game from outside might
            forever()

    with pytest.raises(TookTooLong), at_most(0.05):
        stubborn()


def test_what_is_done_in_time_is_left_alone_afterwards() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with at_most(0.05):
        pass
    time.sleep(0.08)
    assert signal.getsignal(signal.SIGALRM) is before


def test_an_alarm_set_before_goes_off_all_the_same() -> None:
    rung = threading.Event()
    former = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(TookTooLong), at_most(0.02):
            forever()
        assert not rung.is_set()
        assert rung.wait(5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def test_it_works_within_an_event_loop() -> None:
    async def thinking() -> None:
        with pytest.raises(TookTooLong), at_most(0.05):
            forever()
        await asyncio.sleep(0)

    asyncio.run(thinking())


async def test_in_another_thread_there_is_no_limit() -> None:
    def limited() -> int:
        with at_most(0.01):
            time.sleep(0.05)
        return 1

    assert await asyncio.to_thread(limited) == 1

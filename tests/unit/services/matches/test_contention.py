"""Several writers at once: nothing is lost, nothing is done twice, and a loser is told."""

import asyncio

import pytest

from domain.errors import Refused
from domain.games.skyjo.moves import Reveal
from domain.match.commands import CreateMatch, HandSeatToBot, PlayMove, ReclaimSeat, SeatPlan, TakeSeat
from domain.match.verification import verify
from services.errors import CommandIdReused, Contended, StaleVersion, StoreUnavailable
from services.matches.service import ATTEMPTS
from tests.kit.house import House
from tests.kit.table import SEED


async def test_flips_of_different_seats_all_count_though_they_come_at_once():
    house = await House().begin("skyjo", 8)
    start = (await house.head()).version
    processes = [house.beside() for _ in range(8)]
    outcomes = await asyncio.gather(
        *(
            process.do(PlayMove(seat, Reveal((seat, 11))), if_match=start, id=f"flip-{seat}")
            for seat, process in enumerate(processes)
        )
    )
    assert not any(outcome.duplicate for outcome in outcomes)
    ranges = sorted((outcome.first, outcome.last) for outcome in outcomes)
    assert [first for first, _ in ranges] == [start + 1, *(last + 1 for _, last in ranges[:-1])]
    assert verify("m1", await house.store.read("m1"), complete=True).good


async def test_a_double_move_of_one_seat_counts_once():
    house = await House().begin("skyjo", 3)
    start = (await house.head()).version
    results = await asyncio.gather(
        house.do(PlayMove(1, Reveal((0,))), if_match=start, id="one"),
        house.beside().do(PlayMove(1, Reveal((1,))), if_match=start, id="other"),
        return_exceptions=True,
    )
    assert sum(isinstance(result, StaleVersion) for result in results) == 1
    assert (await house.head()).version == start + 1


async def test_a_double_click_counts_once_and_both_get_the_answer():
    house = await House().begin("skyjo", 3)
    start = (await house.head()).version
    move = PlayMove(1, Reveal((0,)))
    one, other = await asyncio.gather(
        house.do(move, if_match=start, id="click"), house.beside().do(move, if_match=start, id="click")
    )
    assert {one.duplicate, other.duplicate} == {True, False}
    assert one.position.state == other.position.state


async def test_two_commands_under_one_id_at_once_have_one_effect():
    house = await House().begin("skyjo", 3)
    results = await asyncio.gather(
        house.do(PlayMove(1, Reveal((0,))), id="same"),
        house.beside().do(PlayMove(1, Reveal((1,))), id="same"),
        return_exceptions=True,
    )
    assert sum(isinstance(result, CommandIdReused) for result in results) == 1


async def test_two_people_who_want_the_same_seat():
    house = House()
    await house.do(CreateMatch("lama", {}, (SeatPlan(),) * 2, "host", SEED))
    results = await asyncio.gather(
        house.do(TakeSeat("ann", 0), actor="ann"),
        house.beside().do(TakeSeat("ben", 0), actor="ben"),
        return_exceptions=True,
    )
    (refusal,) = [result for result in results if isinstance(result, Refused)]
    assert refusal.code == "seat.taken"


async def test_who_does_not_mind_where_gets_the_other_seat():
    house = House()
    await house.do(CreateMatch("lama", {}, (SeatPlan(),) * 4, "host", SEED))
    await asyncio.gather(
        *(house.beside().do(TakeSeat(name), actor=name) for name in ("ann", "ben", "cleo", "dora"))
    )
    seats = (await house.head()).state.seats
    assert sorted(seat.player for seat in seats) == ["ann", "ben", "cleo", "dora"]


async def test_a_conflict_is_decided_anew_at_the_head():
    house = await House().begin()
    house.store.conflicts = ATTEMPTS - 1
    outcome = await house.move()
    assert not outcome.duplicate
    assert house.store.conflicts == 0


async def test_after_too_many_conflicts_it_is_said_that_nothing_was_changed():
    house = await House().begin()
    before = await house.head()
    house.store.conflicts = ATTEMPTS
    with pytest.raises(Contended):
        await house.move()
    assert await house.beside().head() == before
    await house.move()


async def test_a_store_that_is_away_is_said_to_be():
    house = await House().begin()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    house.store.away = True
    with pytest.raises(StoreUnavailable):
        await house.do(move, id="k")
    house.store.away = False
    assert not (await house.do(move, id="k")).duplicate


async def test_many_commands_of_many_processes_leave_one_whole_log():
    house = await House().begin("skyjo", 4)

    async def restless(seat: int) -> None:
        process = house.beside()
        for turn in range(6):
            await process.do(HandSeatToBot(seat), id=f"hand-{seat}-{turn}")
            await process.do(ReclaimSeat(seat), id=f"back-{seat}-{turn}")

    await asyncio.gather(*(restless(seat) for seat in range(4)))
    entries = await house.store.read("m1")
    verdict = verify("m1", entries, complete=True)
    assert verdict.good
    assert not any(seat.stand_in for seat in (await house.beside().head()).state.seats)

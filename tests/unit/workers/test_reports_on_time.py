"""What people reported of clocks, pauses and holidays elsewhere, and what happens here instead.

Each test names the reports (repository and number) that it stands for.
"""

from datetime import date

import pytest

from domain.errors import Refused
from domain.match.commands import (
    AnswerRequest,
    AskToEnd,
    AskToPause,
    HandSeatToBot,
    ResignSeat,
)
from domain.match.due import deadlines_of
from domain.match.events import MatchAbandoned, TurnTimedOut
from domain.match.view import match_view
from domain.viewers import SPECTATOR
from services.people.rest_times import Holiday, RestTimes
from tests.kit.house import House
from tests.kit.instants import NOON, at
from tests.unit.workers.test_clock_loop import timeouts, tower
from tests.unit.workers.test_outages import watched
from tests.unit.workers.test_resting import Resting

HOUR, DAY = 3600, 86_400


async def test_time_runs_out_though_nobody_opens_the_match():
    """lichess-org/lila#20758: a win on time was noticed only when somebody opened the match."""
    clock = await tower(per_turn=60)
    await clock.strike(60)
    assert timeouts(await clock.types()) == 1


async def test_the_first_turn_has_as_much_time_as_every_other():
    """lichess-org/lila#1154: a match of seven days a turn was gone after about a day."""
    clock = await tower(per_turn=7 * DAY)
    for _ in range(7):
        await clock.strike(DAY - 1)
    assert timeouts(await clock.types()) == 0
    await clock.strike(7)
    assert timeouts(await clock.types()) == 1


async def test_a_holiday_ends_by_itself_and_nobody_is_put_on_one():
    """online-go/online-go.com#152, #3446: a vacation never ended; one was switched on by itself and disqualified."""
    clock = Resting(House())
    away = RestTimes(holidays=(Holiday(date(2026, 11, 29), date(2026, 12, 3)),))
    await clock.begin(away, RestTimes())
    await clock.strike()
    head = (await clock.house.head()).state
    (asked,) = await clock.house.to_act()
    rests = [rest for rest in head.clock.rests if asked in rest.seats]
    assert all(rest.ends <= at(5 * DAY) for rest in rests)
    for _ in range(8):
        await clock.strike(DAY)
    assert timeouts(await clock.types()) >= 1


async def test_a_pause_needs_everybody_is_told_and_ends_by_itself():
    """online-go/online-go.com#694: pauses that nobody had noticed."""
    house = await House().begin("lama", 2, per_turn=HOUR)
    await house.do(AskToPause(0, DAY, "p1"))
    assert not (await house.head()).state.clock.rests
    await house.do(AnswerRequest(1, "p1", agree=True))
    state = (await house.head()).state
    assert set(deadlines_of(state).values()) == {at(DAY + HOUR)}
    assert [rest.why for rest in match_view(await house.head(), SPECTATOR).rests] == ["pause"]


async def test_without_a_clock_nobody_is_hurried_however_long_they_think():
    """Hanabi-Live/hanabi-live#1795, #2622: matches were ended after half an hour without a word."""
    clock = await tower()
    for _ in range(20):
        await clock.strike(30 * DAY / 20)
    assert timeouts(await clock.types()) == 0
    assert (await clock.house.head()).state.lifecycle.phase == "playing"


async def test_who_never_answers_holds_nobody_up():
    """tobymao/18xx#11642, #287, #870; swords-and-ravens#365: people who left could not be got rid of."""
    clock = await tower("odin", 3, per_turn=60)
    absent = (await clock.house.to_act())[0]
    for _ in range(12):
        if (await clock.house.head()).state.seats[absent].stand_in:
            break
        await clock.strike(60)
        await clock.play()
        for seat in await clock.house.to_act():
            if seat != absent:
                await clock.house.move(seat)
    assert (await clock.house.head()).state.seats[absent].stand_in
    asker, other = (seat for seat in range(3) if seat != absent)
    await clock.house.do(AskToEnd(asker, "e1"))
    await clock.house.do(AnswerRequest(other, "e1", agree=True))
    await clock.strike(60)
    await clock.strike(1)
    assert (await clock.types())[-1] == MatchAbandoned.__name__


async def test_forfeits_are_told_apart_from_losses():
    """buttonmen-dev/buttonmen#1682: statistics counted forfeits as losses."""
    house = await House().begin("lama", 3)
    await house.do(ResignSeat(1))
    assert [seat.resigned for seat in match_view(await house.head(), SPECTATOR).seats] == [False, True, False]


async def test_a_restart_flags_nobody_and_clocks_run_on_after_it():
    """lichess-org/lila#13630, #11966; gbtami/pychess-variants#1549: flagged by a restart, or never again."""
    clock = await watched(per_turn=HOUR)
    await clock.rise(3 * DAY)
    assert timeouts(await clock.types()) == 0
    for _ in range(HOUR // 100):
        await clock.strike(100)
    assert timeouts(await clock.types()) == 1


async def test_letting_a_bot_play_and_coming_back_wins_no_time():
    """boardgamers/powergrid PR#119; lichess-org/lila#12404, #2413: time was won by taking back, or by going."""
    house = await House().begin("lama", 2, per_turn=600)
    (seat,) = await house.to_act()
    house.clock.advance(100)
    await house.do(HandSeatToBot(seat))
    state = (await house.head()).state
    assert state.clock.left(seat, at(250)) == 350_000


async def test_one_turn_is_played_once_though_the_clock_goes_back_and_forth():
    """tobymao/18xx#8091 and others: a turn that was ended twice, or never."""
    clock = await tower(per_turn=60)
    await clock.strike(60)
    for seconds in (-HOUR, HOUR, 5, -5):
        await clock.strike(seconds)
    assert (await clock.types()).count(TurnTimedOut.__name__) == 1
    assert at(60) > NOON


async def test_a_pause_cannot_be_asked_for_twice():
    """lichess-org/lila#18474: pauses that stall everybody."""
    house = await House().begin("lama", 3, per_turn=HOUR)
    await house.do(AskToPause(0, DAY, "p1"))
    with pytest.raises(Refused) as caught:
        await house.do(AskToPause(1, DAY, "p2"))
    assert caught.value.code == "request.already_made"

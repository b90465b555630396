"""Bots' turns: each from its seat's view, each once, and none that stays open because judgement failed."""

import asyncio

import pytest

from domain.entries import Envelope, decode_envelope
from domain.errors import Refused
from domain.games.contract import USUAL, Move
from domain.games.registry import CURRENT
from domain.match.commands import AbandonMatch, CreateMatch, HandSeatToBot, ReclaimSeat, SeatPlan, StartMatch
from domain.match.due import bots_to_act
from domain.match.fold import Position, beginning
from domain.match.state import Match
from domain.match.verification import verify
from domain.viewers import seat_viewer
from services.matches import bots, pacing
from services.matches.bots import bot_command_id
from services.matches.reader import MatchReader
from tests.kit.games import every_game
from tests.kit.house import House
from tests.kit.table import SEED, started

every_current_game = pytest.mark.parametrize("game", CURRENT.values(), ids=lambda game: game.key)


async def bots_turn(game: str, seats: int = 3, people: int = 1, level: str = "steady") -> House:
    """Return a match in which a bot is to act and no person."""
    house = await House().begin(game, seats, bots=seats - people, level=level)
    while not bots_to_act((await house.head()).state) or any(seat < people for seat in await house.to_act()):
        if (await house.to_act())[0] >= people:
            await house.bots.play_turn(await house.head(), (await house.to_act())[0], trace="t")
        else:
            await house.move()
    return house


async def envelopes(house: House) -> list[Envelope]:
    return [decode_envelope(entry.e) for entry in await house.store.read("m1")]


@every_current_game
async def test_all_turns_of_bots_in_a_row_are_played_until_a_person_is_to_act(game):
    house = await bots_turn(game.key, 4)
    before = (await house.head()).version
    played = await house.bots.play_turns("m1", trace="t7", seconds=60)
    assert played.turns >= 1
    assert played.position == await house.head()
    assert bots_to_act(played.position.state) == ()
    mine = [envelope for envelope in await envelopes(house) if envelope.v > before]
    assert {envelope.door for envelope in mine} == {"bot"}
    assert {envelope.trace for envelope in mine} == {"t7"}
    assert all(envelope.actor == f"bot-{envelope.seat}" for envelope in mine)


@every_current_game
async def test_a_match_of_bots_alone_is_played_to_its_end(game):
    house = await House().begin(game.key, 3, bots=3)
    played = await house.bots.play_turns("m1", trace="", seconds=60)
    assert played.position.state.lifecycle.phase == "finished"
    assert verify("m1", await house.store.read("m1"), complete=True).good


@every_current_game
async def test_a_turn_has_the_same_id_whoever_plays_it_and_a_second_run_is_a_duplicate(game):
    house = await bots_turn(game.key)
    position = await house.head()
    seat = bots_to_act(position.state)[0]
    asked_at = position.state.asked_at[seat]
    first = await house.bots.play_turn(position, seat, trace="one")
    again = await house.beside().bots.play_turn(position, seat, trace="two")
    assert (again.duplicate, again.first, again.last) == (True, first.first, first.last)
    assert (await envelopes(house))[first.first - 1].command.id == bot_command_id("m1", asked_at, seat)


@every_current_game
async def test_two_workers_at_once_play_every_turn_once(game):
    house = await House().begin(game.key, 3, bots=3)
    workers = [house.beside() for _ in range(3)]
    played = await asyncio.gather(*(worker.bots.play_turns("m1", trace="", seconds=60) for worker in workers))
    commands = [envelope.command.id for envelope in await envelopes(house) if envelope.door == "bot"]
    assert sum(one.turns for one in played) == len(set(commands))
    assert verify("m1", await house.store.read("m1"), complete=True).good


@every_current_game
async def test_judgement_that_fails_is_replaced_by_the_fallback_and_the_log_says_so(game, monkeypatch):
    house = await bots_turn(game.key)

    def confused(*_):
        raise RuntimeError("I do not know this card")

    monkeypatch.setattr(type(game), "choose", confused)
    await check_fallback(house)


@every_current_game
async def test_an_illegal_choice_is_replaced_by_the_fallback_and_the_log_says_so(game, monkeypatch):
    house = await bots_turn(game.key)
    illegal = an_illegal_move(game, (await house.head()).state)
    monkeypatch.setattr(type(game), "choose", lambda *_: illegal)
    await check_fallback(house)


def an_illegal_move(game, state: Match) -> Move:
    """Return a move that is legal at another table, and not here."""
    seat = bots_to_act(state)[0]
    table = started(game, 3)
    for _ in range(50):
        for move in table.legal(table.to_act[0]):
            try:
                game.decide(state.game, seat, move, state.chance)
            except Refused:
                return move
        table.move(table.to_act[0])
    raise AssertionError("everything is legal here")


async def check_fallback(house: House) -> None:
    position = await house.head()
    seat = bots_to_act(position.state)[0]
    outcome = await house.bots.play_turn(position, seat, trace="")
    fresh = (await envelopes(house))[outcome.first - 1 :]
    assert {envelope.note for envelope in fresh} == {"fallback"}
    assert {envelope.door for envelope in fresh} == {"bot"}


@every_current_game
async def test_a_turn_that_the_clock_plays_is_judged_and_says_so(game):
    house = await bots_turn(game.key)
    position = await house.head()
    seat = bots_to_act(position.state)[0]
    outcome = await house.bots.play_turn(position, seat, trace="", hurried=True)
    assert (await envelopes(house))[outcome.last - 1].note == "hurried"


@every_current_game
async def test_a_bot_that_hangs_is_interrupted_and_the_log_says_so(game, monkeypatch):
    house = await bots_turn(game.key)

    def hangs(*_):
        while True:
            pass

    monkeypatch.setattr(type(game), "choose", hangs)
    monkeypatch.setattr(bots, "JUDGEMENT_SECONDS", 0.02)
    await check_fallback(house)


@every_current_game
async def test_an_expert_that_is_late_is_played_for_at_a_quicker_level_and_the_log_says_so(game, monkeypatch):
    house = await bots_turn(game.key, level="expert")
    monkeypatch.setattr(bots, "SEARCH_SECONDS", 0.02)
    choose, asked = game.choose, []

    def slow(*given):
        asked.append(given[-1].level)
        while given[-1].level == "expert":
            pass
        return choose(*given[-5:])

    monkeypatch.setattr(type(game), "choose", slow)
    position = await house.head()
    outcome = await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="")
    assert asked == ["expert", "hard"]
    assert (await envelopes(house))[outcome.first - 1].note == "hurried"


@every_current_game
async def test_the_clock_asks_no_expert(game, monkeypatch):
    house = await bots_turn(game.key, level="expert")
    choose, asked = game.choose, []

    def noted(*given):
        asked.append(given[-1].level)
        return choose(*given[-5:])

    monkeypatch.setattr(type(game), "choose", noted)
    position = await house.head()
    await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="", hurried=True)
    assert asked == ["hard"]


@every_current_game
async def test_a_turn_that_is_open_for_too_long_is_made_without_any_judgement(game, monkeypatch):
    house = await bots_turn(game.key)
    monkeypatch.setattr(type(game), "choose", None)
    position = await house.head()
    outcome = await house.bots.play_turn(
        position, bots_to_act(position.state)[0], trace="", hurried=True, judged=False
    )
    assert (await envelopes(house))[outcome.first - 1].note == "fallback"


async def test_where_people_play_a_bot_answers_after_the_same_time_whatever_it_holds(monkeypatch):
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(pacing, "pace_of", lambda _: 60.0)
    for people in (1, 0):
        house = await bots_turn("lama", 2, people)
        slept.clear()
        position = await house.head()
        await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="")
        waited = [seconds for seconds in slept if seconds]
        assert len(waited) == people
        assert all(0 < seconds <= 60 for seconds in waited)


@every_current_game
async def test_a_turn_that_the_clock_plays_ends_even_if_the_bot_fails(game, monkeypatch):
    house = await bots_turn(game.key)
    monkeypatch.setattr(type(game), "choose", lambda *_: 1 / 0)
    position = await house.head()
    outcome = await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="", hurried=True)
    assert (await envelopes(house))[outcome.last - 1].note == "fallback"


@every_current_game
async def test_a_turn_judged_well_has_no_note(game):
    house = await bots_turn(game.key)
    await house.bots.play_turns("m1", trace="", seconds=60)
    assert {envelope.note for envelope in await envelopes(house)} == {""}


@every_current_game
async def test_a_bot_gets_its_seats_view_from_the_wire_and_nothing_else(game, monkeypatch):
    house = await bots_turn(game.key)
    position = await house.head()
    seat = bots_to_act(position.state)[0]
    seen = []
    true = game.choose

    def watching(view, legal, mine, chance, allowance):
        seen.append((view, legal, mine, chance.seed))
        assert allowance == USUAL
        return true(view, legal, mine, chance, allowance)

    monkeypatch.setattr(type(game), "choose", staticmethod(watching))
    await house.bots.play_turn(position, seat, trace="")
    ((view, legal, mine, seed),) = seen
    assert view == game.view(position.state.game, seat_viewer(seat))
    assert view is not game.view(position.state.game, seat_viewer(seat))
    assert legal == game.legal_moves(position.state.game, seat)
    assert mine == seat
    assert seed not in {position.state.entropy.seed, ""}


async def test_a_stand_in_plays_for_a_person():
    house = await House().begin("lama", 2)
    for seat in (0, 1):
        await house.do(HandSeatToBot(seat))
    played = await house.bots.play_turns("m1", trace="", seconds=60)
    assert played.position.state.lifecycle.phase == "finished"


async def test_the_time_of_one_run_is_limited():
    house = await House().begin("lama", 2, bots=2)
    ticks = iter(range(100))
    played = await house.bots.play_turns("m1", trace="", seconds=3, clock=lambda: next(ticks))
    assert played.turns == 3
    assert bots_to_act(played.position.state)


async def test_one_turn_is_played_however_short_the_time():
    house = await House().begin("lama", 2, bots=2)
    played = await house.bots.play_turns("m1", trace="", seconds=0)
    assert played.turns == 1


async def test_a_match_that_ends_under_its_bots_is_left_alone():
    house = await House().begin("lama", 2, bots=2)
    beside = house.beside()
    await beside.head()
    await house.do(AbandonMatch("tired"))
    played = await beside.bots.play_turns("m1", trace="", seconds=60)
    assert played.turns == 0
    assert played.position.state.lifecycle.phase == "abandoned"


class OldMemory:
    """A reader that remembers an old position the first time it is asked."""

    def __init__(self, old: Position, true: MatchReader) -> None:
        self.old: Position | None = old
        self.true = true

    async def head(self, match: str) -> Position:
        old, self.old = self.old, None
        return old or await self.true.head(match)


async def test_a_turn_that_somebody_else_has_played_is_looked_at_again():
    house = await House().begin("lama", 2, bots=2)
    old = await house.head()
    for _ in range(3):
        position = await house.head()
        await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="")
    house.bots._reader = OldMemory(old, house.reader)  # type: ignore[assignment]
    played = await house.bots.play_turns("m1", trace="", seconds=60)
    assert played.position.state.lifecycle.phase == "finished"


async def test_a_seat_that_was_taken_back_from_its_bot_is_not_played():
    house = await House().begin("lama", 2)
    (seat,) = await house.to_act()
    old = (await house.do(HandSeatToBot(seat))).position
    await house.do(ReclaimSeat(seat))
    house.bots._reader = OldMemory(old, house.reader)  # type: ignore[assignment]
    played = await house.bots.play_turns("m1", trace="", seconds=60)
    assert (played.turns, played.position.version) == (0, old.version + 1)


async def test_nothing_to_play_is_no_harm():
    house = await House().begin("lama", 2)
    assert (await house.bots.play_turns("m1", trace="", seconds=60)).turns == 0


async def test_a_match_that_has_not_begun_has_no_turns():
    with pytest.raises(ValueError, match="m1"):
        await House().bots.play_turn(beginning("m1"), 0, trace="")


@every_game
async def test_the_fallback_is_legal_wherever_a_bot_is_asked(game, monkeypatch):
    """Also under rules numbers that new matches do not take any more."""
    monkeypatch.setattr(type(game), "choose", lambda *_: 1 / 0)
    house = House()
    plans = (SeatPlan("steady"),) * 2
    await house.do(CreateMatch(game.key, {}, plans, "host", SEED, rules=game.rules_number))
    await house.do(StartMatch())
    for _ in range(30):
        position = await house.head()
        waiting = bots_to_act(position.state)
        if not waiting:
            break
        await house.bots.play_turn(position, waiting[0], trace="", hurried=True)
    assert (await envelopes(house))[-1].v > 5

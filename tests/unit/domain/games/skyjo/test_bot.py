"""Bots are sensible and quick, each level in its way; what is certain they play with certainty."""

from collections import Counter
from time import perf_counter

import msgspec
import pytest

from domain.games.contract import Allowance, Level
from domain.games.skyjo import bot
from domain.games.skyjo.cards import CARDS
from domain.games.skyjo.judgement import USUAL, Manner, rated
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState
from domain.match.levels import LEVELS, allowance_of
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round, when

every_level = pytest.mark.parametrize("level", LEVELS)
from_normal_up = pytest.mark.parametrize("level", LEVELS[1:])


def chosen(state: SkyjoState, seat: int = 0, level: Level = "hard") -> SkyjoMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, CHANCE, allowance_of(level))


def test_it_first_turns_cards_of_different_columns() -> None:
    state = new_round(2)

    assert chosen(state) == Reveal((0, 3))
    state = when(state, 0, Reveal((4,))).state
    assert chosen(state) == Reveal((0,))


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (arrange.given("12 (8) 3", "1 2 3", discard="-2"), Take(0)),
        (arrange.given("1 (8) 3", "1 2 3", discard="12"), Draw()),
        (arrange.given("9 9 1", "1 2 3", discard="9"), Take(2)),
        (arrange.given("12 (8) 3", "1 2 3", drawn=-2), Swap(0)),
        (arrange.given("9 9 (1)", "1 2 3", drawn=9), Swap(2)),
    ],
    ids=[
        "takes a low card",
        "leaves a high card",
        "completes by taking",
        "keeps a low card",
        "completes by swapping",
    ],
)
@from_normal_up
def test_it_does_what_anybody_would(state: SkyjoState, move: SkyjoMove, level: Level) -> None:
    assert chosen(state, level=level) == move


def test_a_beginner_keeps_low_cards_only() -> None:
    assert chosen(arrange.given("12 (8) 3", "1 2 3", discard="-2"), level="easy") == Take(0)
    assert chosen(arrange.given("9 9 1", "1 2 3", discard="9"), level="easy") == Draw()
    assert chosen(arrange.given("9 9 (1)", "1 2 3", drawn=9), level="easy") == Flip(2)
    assert chosen(arrange.given("12 (8) 3", "1 2 3", drawn=-2), level="easy") == Swap(0)


def test_it_does_not_choose_for_a_seat_whose_drawn_card_it_was_not_shown() -> None:
    state = arrange.given("12 (8) 3", "1 2 3", drawn=-2)
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    for level in LEVELS:
        with pytest.raises(TypeError, match="sees the card"):
            GAME.choose(GAME.view(state, SPECTATOR), legal, 0, CHANCE, allowance_of(level))


def test_it_throws_a_high_card_away() -> None:
    assert isinstance(chosen(arrange.given("1 (8) 3", "1 2 3", drawn=12)), Flip)


def test_it_closes_when_it_is_ahead_and_not_when_it_is_behind() -> None:
    ahead = "0 0 1 | 0 1 1 | gone | 1 0 (1)"
    behind = "9 8 9 | 8 7 8 | gone | 7 9 (1)"

    assert chosen(arrange.given(ahead, "(1) (2) (3)", drawn=0)) == Swap(11)
    closing = chosen(arrange.given(behind, "1 0 1 | 0 1 0 | 1 0 (2)", drawn=0))
    assert isinstance(closing, Swap)
    assert closing.slot != 11


def test_it_does_not_wait_for_ever_when_it_is_behind() -> None:
    boards = ("9 8 9 | 8 7 8 | gone | 7 9 (1)", "1 0 1 | 0 1 0 | 1 0 (2)")

    assert isinstance(chosen(arrange.given(*boards, drawn=12, idle_turns=0)), Swap)
    assert chosen(arrange.given(*boards, drawn=12, idle_turns=4)) == Flip(11)


def test_who_gains_less_by_closing_waits_with_it_and_who_likes_to_opens_cards() -> None:
    """What sets an expert's judgement apart from that of the other levels."""
    late = arrange.given("3 4 2 | 5 1 3 | gone | 2 4 (1)", "9 9 8 | (1) (2) (3)", drawn=4)
    early = arrange.given("5 4 2 | (1) (2) (3)", "9 9 8 | (1) (2) (3)", drawn=4)

    def likes(state: SkyjoState, manner: Manner) -> SkyjoMove:
        legal = GAME.legal_moves(state, 0)
        assert legal is not None
        return rated(GAME.view(state, seat_viewer(0)), legal, 0, wary=True, manner=manner).best

    assert likes(late, USUAL) == Swap(11)
    assert likes(late, USUAL._replace(closing=-4.0)) != Swap(11)
    assert likes(early, USUAL._replace(opening=-9.0)) == Swap(0)
    assert likes(early, USUAL._replace(opening=9.0)) != Swap(0)


AHEAD = "0 0 1 | 0 1 1 | gone | 1 0 (1)"
BEHIND = "12 11 12 | 10 12 11 | gone | 12 11 (1)"
CHEAP = "0 0 1 | 0 1 0 | 1 0 2 | -1 0 (2)"
DEAR = "9 8 9 | 8 7 8 | 9 8 7 | 9 8 (1)"


@from_normal_up
def test_it_closes_where_that_surely_wins_the_match(level: Level) -> None:
    """Five points against at least fifty; the other reaches the limit."""
    assert chosen(arrange.given(AHEAD, DEAR, drawn=0, totals=(50, 80)), level=level) == Swap(11)


@from_normal_up
def test_it_does_not_close_where_that_surely_loses_the_match(level: Level) -> None:
    for drawn in (0, 12):
        move = chosen(arrange.given(BEHIND, CHEAP, drawn=drawn, totals=(60, 10)), level=level)
        assert move != Swap(11)
        assert move != Flip(11)


ONE_TOO_MANY = "0 0 (1) | gone | gone | gone"
LOST = "6 0 0 | gone | gone | gone"
NO_TWELVE = " ".join(["12"] * 10)


@from_normal_up
def test_on_its_last_turn_it_turns_up_what_surely_wins_rather_than_lay_down_what_does_not(
    level: Level,
) -> None:
    """With any card but a twelve it stays below the other, who has reached the limit; all twelves were seen."""
    drawn = arrange.given(ONE_TOO_MANY, LOST, discard=NO_TWELVE[:-3], drawn=12, closer=1, totals=(89, 95))
    assert chosen(drawn, level=level) == Flip(2)
    before = arrange.given(ONE_TOO_MANY, LOST, discard=NO_TWELVE, closer=1, totals=(89, 95))
    assert chosen(before, level=level) == Draw()


@from_normal_up
def test_where_nearly_all_cards_were_seen_it_tries_out_all_that_may_happen(level: Level) -> None:
    """Turning up its last card looks better than an eight, but then the other may draw a six and come level."""
    used = [0, 3, 2, 10, 6, 6, 8, 7, 11]
    seen = Counter(CARDS)
    seen.subtract(used)
    state = arrange.given(
        "0 3 (2) | gone | gone | gone",
        "10 6 (6) | gone | gone | gone",
        discard=" ".join(map(str, seen.elements())),
        pile="7 11",
        drawn=8,
        totals=(95, 95),
        limit="single",
        idle_turns=23,
    )
    assert chosen(state, level=level) == Swap(2)


def test_the_move_that_was_made_is_compared_however_poor_it_is() -> None:
    state = arrange.given("12 (8) 3 | 0 1 2", "1 2 3", discard="-2")
    legal, view = GAME.legal_moves(state, 0), GAME.view(state, seat_viewer(0))
    assert legal is not None

    def compared(also: SkyjoMove | None) -> list[SkyjoMove]:
        worths = GAME.consider(view, legal, 0, CHANCE, Allowance(40, "expert"), also)
        return [each.move for each in worths]

    assert Take(3) not in compared(None)
    assert compared(Take(3)).count(Take(3)) == 1
    assert compared(Take(0)).count(Take(0)) == 1


@from_normal_up
def test_where_cards_are_nowhere_nothing_is_certain(level: Level) -> None:
    """Two hidden cards and an empty pile, but most cards of the deck were never seen."""
    state = arrange.given(
        "0 (1) 2 | gone | gone | gone", "0 (0) 9 | gone | gone | gone", discard="4", pile=""
    )
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    assert chosen(state, level=level) in list(GAME.expand(legal))


def test_what_moves_are_worth_is_told_best_first() -> None:
    state = arrange.given("12 (8) 3", "1 2 3", discard="-2")
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    view = GAME.view(state, seat_viewer(0))

    worths = GAME.consider(view, legal, 0, CHANCE, Allowance(60, "expert"))

    assert worths[0].move == Take(0)
    assert [each.worth for each in worths] == sorted((each.worth for each in worths), reverse=True)
    first = GAME.legal_moves(new_round(2), 0)
    assert first is not None
    assert not GAME.consider(view, first, 0, CHANCE, Allowance(60, "expert"))


@pytest.mark.parametrize(("seats", "courses"), [(2, 600), (4, 600), (6, 400), (8, 300)])
def test_with_many_seats_an_expert_plays_out_fewer_courses_since_each_takes_longer(
    seats: int, courses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = []

    def best_of(_moves: int, _deal: object, _outcome: object, playouts: int, _certainty: float) -> object:
        allowed.append(playouts)
        return 0, (1.0, 0.0)

    monkeypatch.setattr(bot, "best_of", best_of)
    state = arrange.given("1 (8) 3", *["1 2 3"] * (seats - 1), discard="4")
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    view = GAME.view(state, seat_viewer(0))
    legal = msgspec.structs.replace(legal, take=legal.take[:1])
    GAME.choose(view, legal, 0, CHANCE, allowance_of("expert"))

    assert allowed == [courses]


def test_its_last_turn_takes_the_dearest_card_off() -> None:
    state = arrange.given(
        "1 2 12 | gone | gone | 10 (1) 3", "1 2 3 | gone | gone | gone", discard="4", closer=1
    )

    assert chosen(state) == Take(2)


def test_a_decision_takes_about_a_millisecond_at_most() -> None:
    state = new_round(8)
    for seat in range(8):
        state = when(state, seat, Reveal((0, 1))).state
    (seat,) = GAME.to_act(state)
    begin = perf_counter()
    chosen(state, seat)
    best = perf_counter() - begin
    for _ in range(20):
        begin = perf_counter()
        chosen(state, seat)
        best = min(best, perf_counter() - begin)

    assert best < 0.002

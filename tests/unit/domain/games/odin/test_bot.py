"""Bots are sensible, each level in its way; what is certain they play with certainty."""

import random
from itertools import combinations

import pytest

from domain.chance import Chance
from domain.games.contract import Allowance, Level
from domain.games.odin import judgement
from domain.games.odin.cards import CARDS, is_uniform
from domain.games.odin.certainty import sure_exit
from domain.games.odin.judgement import beginners_move, burden, features_of, plain_move
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.simulator import PASS as NOTHING
from domain.games.odin.simulator import Unknown, bits_of, table_of
from domain.games.odin.state import OdinState
from domain.match.levels import LEVELS, allowance_of
from domain.viewers import seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS, play

BOTS_CHANCE = Chance("b0" * 32)

every_level = pytest.mark.parametrize("level", LEVELS)
from_normal_up = pytest.mark.parametrize("level", LEVELS[1:])


def chosen(state: OdinState, seat: int, level: Level = "hard") -> OdinMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    move = GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, BOTS_CHANCE, allowance_of(level))
    assert any(_same(move, other) for other in GAME.expand(legal))
    return move


def _same(one: OdinMove, other: OdinMove) -> bool:
    if isinstance(one, Pass) or isinstance(other, Pass):
        return one == other
    return set(one.cards) == set(other.cards) and one.take == other.take


@from_normal_up
def test_it_goes_out_when_it_can(level: Level) -> None:
    assert _same(chosen(arrange.given("R1 R2 R3", "Y1"), 0, level), play("R3 R2 R1"))
    assert _same(chosen(arrange.given("B5 G5", "V1", centre="R4"), 0, level), play("G5 B5"))


def test_a_beginner_plays_the_lowest_set_and_takes_the_highest_card() -> None:
    assert chosen(arrange.given("R8 R9 B3", "V1 V2", centre="G2"), 0, "easy") == play("B3", "G2")
    assert chosen(arrange.given("R2", "V1 V2", centre="G3"), 0, "easy") == PASS


def test_it_passes_rather_than_break_a_good_hand() -> None:
    assert _same(chosen(arrange.given("R8 R9 B2", "V1 V2 V3 V4", centre="G2"), 0), play("R9 R8", "G2"))


@from_normal_up
def test_it_leads_what_the_known_cards_of_the_other_cannot_beat(level: Level) -> None:
    """The other holds a blue 3 that everybody saw: whoever leads the blue 2 first loses."""
    move = chosen(arrange.given("B2 B5 R5", "+B3"), 0, level)

    assert isinstance(move, Play)
    assert move.cards != ("B2",)


@from_normal_up
def test_it_leads_the_highest_cards_first_when_the_other_holds_one_unknown_card(level: Level) -> None:
    """Nobody can beat a nine with one card, and each trick is led again."""
    move = chosen(arrange.given("R9 G9 B1", "V5"), 0, level)

    assert isinstance(move, Play)
    assert move.cards in {("R9",), ("G9",)}


@from_normal_up
def test_it_forces_its_way_out_where_all_cards_are_known(level: Level) -> None:
    """Whatever the other does with two known cards, the pair goes out after the nine."""
    state = arrange.given("R9 R3 G3", "+V8 O7")

    assert _same(chosen(state, 0, level), play("R9"))


@from_normal_up
def test_it_does_not_end_the_match_to_come_last(level: Level) -> None:
    """Going out makes the second seat reach the limit, and the third one wins."""
    state = arrange.given("R8 R9", "V1 V2", "Y1", centre="G2", totals=(12, 13, 2))

    assert not _same(chosen(state, 0, level), play("R9 R8"))


@from_normal_up
def test_it_goes_out_when_that_ends_the_match_and_wins_it(level: Level) -> None:
    state = arrange.given("R8 R9", "V1 V2", "Y1", centre="G2", totals=(2, 13, 12))

    assert _same(chosen(state, 0, level), play("R9 R8"))


def test_a_leader_with_a_single_card_plays_it_whatever_that_ends() -> None:
    assert chosen(arrange.given("R8", "V1 V2", "Y1", totals=(12, 13, 2)), 0) == play("R8")


@pytest.mark.parametrize("seed", range(40))
def test_the_fewest_groups_are_counted_exactly(seed: int):
    cards = random.Random(seed).sample(CARDS, 1 + seed % 9)
    lines = {card[0] for card in cards} | {card[1] for card in cards}

    fewest = next(
        count
        for count in range(1, 10)
        if any(
            all(set(card) & set(chosen) for card in cards) for chosen in combinations(sorted(lines), count)
        )
    )

    assert features_of(bits_of(cards))[:2] == (len(cards), fewest)
    assert (fewest == 1) is is_uniform(cards)


def test_fewer_cards_and_fewer_groups_burden_less() -> None:
    assert burden(bits_of(["R5", "B7"])) > burden(bits_of(["R5"]))
    assert burden(bits_of(["R5", "B7"])) > burden(bits_of(["R5", "R7"]))


def test_what_moves_are_worth_is_told_best_first() -> None:
    state = arrange.given("R8 R9 B2", "V1 V2", centre="G2")
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    view = GAME.view(state, seat_viewer(0))

    worths = GAME.consider(view, legal, 0, BOTS_CHANCE, allowance_of("expert"))

    assert len(worths) == len(list(GAME.expand(legal)))
    assert [each.worth for each in worths] == sorted((each.worth for each in worths), reverse=True)
    last = arrange.given("R8", "V1 V2")
    legal = GAME.legal_moves(last, 0)
    assert legal is not None
    assert not GAME.consider(GAME.view(last, seat_viewer(0)), legal, 0, BOTS_CHANCE, allowance_of("expert"))


def test_the_move_that_was_made_is_compared_however_poor_it_is() -> None:
    state = arrange.given("R2 B3 O4 V1 G5 B6 O7 R8 G8", "V7 V8", centre="O1", turn=0)
    legal, view = GAME.legal_moves(state, 0), GAME.view(state, seat_viewer(0))
    assert legal is not None

    def compared(also: OdinMove | None) -> list[OdinMove]:
        worths = GAME.consider(view, legal, 0, BOTS_CHANCE, Allowance(40, "expert"), also)
        return [each.move for each in worths]

    promising = compared(None)
    poor = [move for move in GAME.expand(legal) if not any(_same(move, other) for other in promising)]
    assert {type(move) for move in poor} == {Play, Pass}
    for made in poor:
        assert [_same(move, made) for move in compared(made)].count(True) == 1


def test_a_forced_exit_that_takes_too_much_thought_is_not_found() -> None:
    state = arrange.given("R9 R3 G3", "+V8 O7")
    unknown = Unknown(GAME.view(state, seat_viewer(0)), 0)

    assert sure_exit(table_of(state), unknown, 1000) is not None
    assert sure_exit(table_of(state), unknown, 1) is None


def test_judgement_alone_goes_out_when_it_can_and_passes_when_it_must() -> None:
    whole = table_of(arrange.given("R2 R3", "V1 V2", centre="G2"))
    assert plain_move(whole)[:2] == (bits_of(("R2", "R3")), 0)
    beaten = table_of(arrange.given("R2", "V1 V2", centre="G3"))
    assert beginners_move(beaten)[:2] == NOTHING == plain_move(beaten)[:2]


def test_only_so_many_hands_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered: dict[int, tuple[int, int, float]] = {}
    monkeypatch.setattr(judgement, "_KEPT", 3)
    monkeypatch.setattr(judgement, "_features", remembered)
    assert [features_of(bits_of((card,)))[0] for card in CARDS[:8]] == [1] * 8
    assert 0 < len(remembered) <= 3


def test_the_fallback_is_a_pass_or_the_lowest_card():
    assert GAME.fallback(arrange.given("R9 B2", "V1", centre="R4"), 0) == PASS
    assert GAME.fallback(arrange.given("R9 V2 B2", "V1"), 0) == play("B2")

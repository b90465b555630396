"""What the other one of two may hold follows from what they did, and from nothing that is hidden."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.lama.beliefs import Numbers, beliefs_of, numbers_of
from domain.games.lama.cards import VALUES
from domain.games.lama.habits import patient_move, thrifty_move
from domain.games.lama.simulator import DRAW, QUIT, LamaTable, Unknown, counted, table_of
from domain.games.lama.state import LamaState
from domain.games.lama.view import LamaView
from domain.match.levels import allowance_of
from domain.viewers import seat_viewer
from tests.ladder.players import player_of
from tests.unit.domain.games.lama.arrangement import GAME

SEEN = seat_viewer(0)
HARD = player_of("lama", "hard")
ANY: Any = GAME


def positions(seed: int, seats: int = 2) -> list[LamaState]:
    """Return the positions of a match in which the first seat is to move and nobody has quit."""
    chance = Chance(f"{seed:032x}")
    state = GAME.initial(GAME.options_type(), seats)
    for event in GAME.start(state, chance):
        state = GAME.evolve(state, event)
    found = []
    while not GAME.is_over(state):
        (seat, *_) = GAME.to_act(state)
        if not seat and state.returning is None and not state.quit:
            found.append(state)
        legal = GAME.legal_moves(state, seat)
        assert legal is not None
        move = HARD(ANY, GAME.view(state, seat_viewer(seat)), legal, seat, chance)
        for event in GAME.decide(state, seat, move, chance):
            state = GAME.evolve(state, event)
    return found


def believed(view: LamaView, value: int, tables: int = 200) -> float:
    """Return how often the other one is believed to hold a value."""
    beliefs = beliefs_of(view, Unknown(view, 0), Random(1))
    assert beliefs is not None
    return sum(beliefs.deal().table.hands[1][value] > 0 for _ in range(tables)) / tables


def test_a_table_that_is_believed_in_shows_its_seat_what_it_sees() -> None:
    tried = 0
    for state in positions(7)[:30]:
        view = GAME.view(state, SEEN)
        beliefs = beliefs_of(view, Unknown(view, 0), Random(3))
        if beliefs is None:
            assert state.last_acted is None
            continue
        real, dealt = table_of(state), beliefs.deal().table
        assert (dealt.hands[0], dealt.sizes, dealt.top, dealt.turn) == (
            real.hands[0],
            real.sizes,
            real.top,
            0,
        )
        assert sorted([*dealt.pile, *_cards(dealt.hands[1])]) == sorted([*real.pile, *_cards(real.hands[1])])
        tried += 1
    assert tried > 10


def _cards(hand: list[int]) -> list[int]:
    return [value for value, count in enumerate(hand) for _ in range(count)]


def test_what_is_believed_is_nearer_to_the_truth_than_chance() -> None:
    """The squared error over all values, against hands of cards that were not seen."""
    near = far = 0.0
    for state in [state for seed in range(4) for state in positions(20 + seed)[::4] if state.discard[1:]]:
        view, real, random = GAME.view(state, SEEN), table_of(state).hands[1], Random(5)
        unknown = Unknown(view, 0)
        beliefs = beliefs_of(view, unknown, random)
        assert beliefs is not None
        near += _error([beliefs.deal().table.hands[1] for _ in range(60)], real)
        far += _error([unknown.deal(random).hands[1] for _ in range(60)], real)
    assert near < 0.9 * far


def _error(hands: list[list[int]], real: list[int]) -> float:
    shares = [sum(hand[value] > 0 for hand in hands) / len(hands) for value in range(len(VALUES))]
    return sum((share - (held > 0)) ** 2 for share, held in zip(shares, real, strict=True))


def test_who_just_drew_had_nothing_to_play() -> None:
    """One card at most fits, the one that was drawn."""
    drawn = [state for state in positions(7) if state.last_played == 0 and state.last_acted == 1]
    assert drawn
    for state in drawn[:3]:
        view = GAME.view(state, SEEN)
        assert view.top is not None
        assert believed(view, VALUES.index(view.top)) < 0.3


def test_what_is_hidden_changes_no_belief_and_no_move() -> None:
    for state in positions(7)[2:5]:
        view, legal = GAME.view(state, SEEN), GAME.legal_moves(state, 0)
        assert legal is not None
        other = GAME.view(GAME.redeal(state, 0, Chance("ab" * 16)), SEEN)
        assert other == view
        moves = {
            GAME.choose(seen, legal, 0, Chance("0e" * 16), allowance_of("expert")) for seen in (view, other)
        }
        assert len(moves) == 1


@pytest.mark.parametrize(
    "impossible",
    [
        {"starter": None},
        {"starter": 1},
        {"pile_size": 3},
        {"pile_size": 0},
        {"hand_sizes": (6, 30)},
        {"discard": ()},
        {"last_played": None},
        {"quit": (1,)},
    ],
    ids=str,
)
def test_a_view_that_cannot_have_come_about_is_judged_all_the_same(impossible: dict[str, object]) -> None:
    state = positions(7)[4]
    view, legal = replace(GAME.view(state, SEEN), **impossible), GAME.legal_moves(state, 0)
    assert legal is not None

    GAME.choose(view, legal, 0, Chance("0e" * 16), allowance_of("expert"))


def test_nothing_is_told_by_a_round_in_which_nothing_was_done_or_by_more_than_two() -> None:
    assert numbers_of(GAME.view(positions(8)[0], SEEN), 0) in {
        None,
        Numbers((0, 0), (0, 1)),
        Numbers((0, 1), (0, 0)),
    }
    assert all(numbers_of(GAME.view(state, SEEN), 0) is None for state in positions(8, 3)[:5])


def table(hand: str, top: str, other: int = 6, quit_: bool = False) -> LamaTable:
    own = counted(tuple(hand))  # type: ignore[arg-type]
    return LamaTable(
        [own, [other, *[0] * 6]], [sum(own), other], VALUES.index(top), [1], [True, not quit_], 0
    )


def test_somebody_thrifty_puts_a_cheap_hand_down_and_somebody_patient_a_single_value() -> None:
    assert thrifty_move(table("35", "6")) == QUIT
    assert thrifty_move(table("45", "6")) == DRAW
    assert thrifty_move(table("35", "6", quit_=True)) == QUIT
    assert thrifty_move(table("345", "3")) == VALUES.index("3")
    assert thrifty_move(table("45", "3")) == VALUES.index("4")
    assert patient_move(table("12", "6")) == DRAW
    assert patient_move(table("55", "6", other=1)) == QUIT
    assert patient_move(table("LLLLL", "1")) == DRAW
    assert patient_move(table("LL", "1", other=2)) == QUIT
    assert patient_move(table("345", "3")) == VALUES.index("3")
    assert patient_move(table("45", "3")) == VALUES.index("4")

"""States made up behind a view agree with it."""

from collections import Counter

from hypothesis import given
from hypothesis.strategies import sampled_from

from domain.chance import Chance
from domain.games.lama.cards import CARDS
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, started, viewers
from tests.unit.domain.games.lama.playing import TEMPERS, examples, positions, random_match, seeds


@examples(200)
@given(positions, seeds, sampled_from(range(8)))
def test_a_sample_looks_like_the_view_it_was_made_from(state: LamaState, seed: int, choice: int):
    everybody = viewers(state.seats)
    viewer = everybody[choice % len(everybody)]
    view = GAME.view(state, viewer)

    sample = GAME.sample(view, viewer.seat or A, Chance(f"{seed:032x}"))

    assert GAME.view(sample, viewer) == view
    assert Counter(sample.order) == Counter(CARDS)
    assert GAME.to_act(sample) == GAME.to_act(state)
    if viewer.seat is not None:
        assert GAME.legal_moves(sample, viewer.seat) == GAME.legal_moves(state, viewer.seat)


@examples(50)
@given(positions, seeds)
def test_a_sample_can_be_played_on(state: LamaState, seed: int):
    chance = Chance(f"{seed:032x}")
    (seat,) = GAME.to_act(state)
    sample = GAME.sample(GAME.view(state, seat_viewer(seat)), seat, chance)

    while not GAME.is_over(sample):
        (seat,) = GAME.to_act(sample)
        for event in GAME.decide(sample, seat, GAME.fallback(sample, seat), chance):
            sample = GAME.evolve(sample, event)


def test_samples_differ_in_what_is_hidden():
    view = started(3).view(seat_viewer(A))

    samples = {GAME.sample(view, A, Chance(f"{seed:032x}")).order for seed in range(20)}

    assert len(samples) == 20


def test_before_the_first_deal_there_is_nothing_to_make_up():
    state = GAME.initial(LamaOptions(first=1), 3)
    view = GAME.view(state, SPECTATOR)

    sample = GAME.sample(view, A, Chance("00" * 16))

    assert view.phase == "waiting"
    assert (view.top, view.turn, view.hands, view.pile_size) == (None, None, (), 0)
    assert GAME.view(sample, SPECTATOR) == view
    assert GAME.knows(state, seat_viewer(A)) == frozenset()


def test_after_the_end_everything_shown_is_in_the_sample():
    *_, last = random_match(3, LamaOptions("single"), 5, TEMPERS[0])
    view = GAME.view(last.after, SPECTATOR)

    sample = GAME.sample(view, A, Chance("00" * 16))

    assert view.phase == "over"
    assert GAME.is_over(sample)
    assert GAME.view(sample, SPECTATOR) == view

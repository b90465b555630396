"""K28 and the stall rule of section 5: what happens when a round goes on for long."""

import msgspec

from domain.chance import Chance
from domain.games.recorded_chance import RecordedShuffle, shuffle_of
from domain.games.skyjo.events import (
    BoardsRevealed,
    CardDrawn,
    PileReshuffled,
    RoundScored,
    RoundStalled,
    RoundStarted,
)
from domain.games.skyjo.moves import Draw, Flip, Swap, Take
from domain.games.skyjo.rules import decide
from domain.games.skyjo.rulings import RULINGS
from domain.viewers import seat_viewer
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, discard_pile, given, when


def test_k28_an_empty_pile_is_rebuilt_from_all_discards_but_the_top() -> None:
    state = given("9 (8) 7", "1 2 3", discard="1 2 3 7", pile="")

    outcome = when(state, 0, Draw())

    assert outcome.kinds == ["PileReshuffled", "CardDrawn"]
    assert discard_pile(outcome.state) == [7]
    drawn = outcome.one(CardDrawn).card
    assert sorted([drawn, *(outcome.state.dealt[card] for card in outcome.state.pile)]) == [1, 2, 3]


def test_k28_the_pile_is_rebuilt_only_when_somebody_draws() -> None:
    state = given("9 (8) 7", "1 2 3", discard="1 2 3 7", pile="5")

    state = when(when(state, 0, Draw()).state, 0, Flip(1)).state
    assert state.pile_size == 0
    assert when(state, 1, Take(0)).kinds == ["DiscardTaken"]


def test_k28_shuffles_are_numbered_within_the_round_and_start_from_the_card_list() -> None:
    state = given("9 (8) 7", "1 2 3", discard="3 1 2 7", pile="")

    first = when(state, 0, Draw())
    assert first.one(PileReshuffled) == PileReshuffled(1, 1, (7,), CHANCE.shuffle((1, 2, 3), 1, 1))
    assert shuffle_of(first.one(PileReshuffled)) == RecordedShuffle(
        1, 1, CHANCE.shuffle((1, 2, 3), 1, 1), whole=False
    )

    state = when(first.state, 0, Swap(0)).state
    for seat in (1, 0):
        state = when(when(state, seat, Draw()).state, seat, Swap(0)).state
    discard = discard_pile(state)
    second = when(state, 1, Draw())
    assert second.one(PileReshuffled).shuffle == 2
    assert second.one(PileReshuffled).pile == CHANCE.shuffle(tuple(sorted(discard[:-1])), 1, 2)


def test_k28_reshuffled_cards_are_new_cards_and_all_others_keep_their_identity() -> None:
    state = given("9 (8) 7", "1 2 3", discard="1 2 3 7", pile="", deals=4)
    drawer, other = seat_viewer(0), seat_viewer(1)
    before = GAME.knows(state, drawer)

    state = when(state, 0, Draw()).state

    assert before - GAME.knows(state, drawer) == {(4, 0), (4, 1), (4, 2)}
    assert GAME.knows(state, drawer) - before == {(5, 0)}
    assert GAME.knows(state, drawer) - GAME.knows(state, other) == {(5, 0)}


def test_k28_how_many_discards_stay_is_a_named_ruling() -> None:
    other = msgspec.structs.replace(RULINGS[1], kept_at_reshuffle=2)
    state = given("9 (8) 7", "1 2 3", discard="1 2 3 7", pile="")

    events = decide(state, 0, Draw(), other, CHANCE)

    assert events[0] == PileReshuffled(1, 1, (3, 7), CHANCE.shuffle((1, 2), 1, 1))
    assert discard_pile(GAME.evolve(state, events[0])) == [3, 7]


def test_k28_the_same_cards_come_again_after_an_undo() -> None:
    state = given("9 (8) 7", "1 2 3", discard="1 2 3 7", pile="")

    assert when(state, 0, Draw()).events == when(state, 0, Draw()).events
    other = when(state, 0, Draw(), Chance("0b" * 32)).events
    assert len(other) == 2


def test_k31_twelve_laps_without_progress_stall_the_round() -> None:
    state = given("5 (8) (8) | 1 1 (1)", "5 (8) 7", discard="5", starter=1, turn=1, totals=(-50, -40))
    for _ in range(2 * 12 - 1):
        (seat,) = GAME.to_act(state)
        state = when(state, seat, Take(0)).state
        assert state.round == 1

    outcome = when(state, GAME.to_act(state)[0], Take(0))

    assert outcome.kinds == [
        "DiscardTaken",
        "RoundStalled",
        "BoardsRevealed",
        "ColumnDiscarded",
        "RoundScored",
        "RoundStarted",
    ]
    assert outcome.one(RoundStalled) == RoundStalled(24)
    assert outcome.one(BoardsRevealed).boards[0][:6] == (5, 8, 8, 1, 1, 1)
    scored = outcome.one(RoundScored)
    assert scored.points == scored.raw
    assert scored.doubled is None
    assert scored.totals == (-50 + scored.raw[0], -40 + scored.raw[1])
    assert outcome.one(RoundStarted).starter == 1


def test_k31_any_hidden_card_turned_or_replaced_starts_the_count_again() -> None:
    state = given("5 (8) 7", "5 (8) 7", discard="5", idle_turns=22)

    assert when(state, 0, Take(0)).state.idle_turns == 23
    assert when(state, 0, Take(1)).state.idle_turns == 0
    drawn = when(state, 0, Draw()).state
    assert when(drawn, 0, Swap(0)).state.idle_turns == 23
    assert when(drawn, 0, Swap(1)).state.idle_turns == 0
    assert when(drawn, 0, Flip(1)).state.idle_turns == 0


def test_k31_the_view_counts_the_turns_that_are_left() -> None:
    assert GAME.view(given("5 (8) 7", "5 (8) 7", idle_turns=22), seat_viewer(0)).turns_to_stall == 2


def test_k31_moves_made_for_absent_players_never_stall_a_round() -> None:
    state = given("5 (8) 7", "5 (8) 7", discard="5")
    kinds: list[str] = []
    while "RoundScored" not in kinds:
        (seat,) = GAME.to_act(state)
        outcome = when(state, seat, GAME.fallback(state, seat))
        state, kinds = outcome.state, outcome.kinds

    assert "RoundStalled" not in kinds

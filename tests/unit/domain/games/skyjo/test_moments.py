"""What people ask about a match of Skyjo, and what the answers are."""

from domain.games.moments import Moment
from domain.games.skyjo.events import (
    CardDrawn,
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    ColumnDiscarded,
    DiscardTaken,
    PlayBegan,
    RoundScored,
)
from domain.sealing import Event
from tests.kit.moments import answers
from tests.unit.domain.games.skyjo.arrange import GAME

BEGUN = CardsRevealed(0, (0, 1), (5, 5)), CardsRevealed(1, (0, 1), (5, 5)), PlayBegan(0, (10, 10))
"""The first flips of two seats; versions 1 to 3."""


def scored(*points: int, doubled: int | None = None) -> RoundScored:
    return RoundScored(1, points, points, points, doubled)


def taken(seat: int, slot: int = 0) -> DiscardTaken:
    return DiscardTaken(seat, slot, 5, 5, 1 - seat)


def swapped(seat: int, slot: int) -> tuple[Event, ...]:
    return CardDrawn(seat, 4), CardSwapped(seat, slot, 4, 7, 1 - seat)


def test_a_closer_whose_points_were_doubled():
    rounds = scored(3, 20), scored(-2, 24, doubled=1)
    assert answers(GAME, "doubled", *rounds) == [Moment("doubled", 2, 1, 24)]


def test_columns_and_of_which_card():
    assert answers(GAME, "column", *BEGUN, ColumnDiscarded(0, 0, 5)) == [Moment("column", 4, 0, 5)]


def test_the_longest_stall_is_told_at_its_last_turn():
    short, long = (taken(0), taken(1), taken(0)), (taken(0), taken(1), taken(0), taken(1))
    course = *BEGUN, *short, CardFlipped(1, 2, 5, 9, 0), *long, CardFlipped(0, 2, 5, 9, 1), scored(1, 2)
    assert answers(GAME, "stall", *course) == [Moment("stall", 11, None, 4)]


def test_two_turns_without_a_new_card_are_none():
    assert not answers(GAME, "stall", *BEGUN, taken(0), taken(1), scored(1, 2))


def test_a_hidden_card_that_is_replaced_ends_a_stall_and_an_open_one_does_not():
    on_new = *BEGUN, taken(0), taken(1), taken(0, slot=7), taken(1), taken(0, slot=7), scored(1, 2)
    assert not answers(GAME, "stall", *on_new)
    drawn_for_new = *BEGUN, taken(0), taken(1), *swapped(0, 7), taken(1), scored(1, 2)
    assert not answers(GAME, "stall", *drawn_for_new)
    drawn_for_open = *BEGUN, taken(0), taken(1), *swapped(0, 1), scored(1, 2)
    assert answers(GAME, "stall", *drawn_for_open) == [Moment("stall", 7, None, 3)]


def test_a_stall_does_not_reach_from_one_round_into_the_next():
    course = *BEGUN, taken(0), taken(1), scored(1, 2), *BEGUN, taken(0), taken(1), scored(1, 2)
    assert not answers(GAME, "stall", *course)


def test_cards_of_the_next_round_lie_hidden_again():
    # In the first round slot 7 was turned up; in the second it is a new card again.
    first = *BEGUN, CardFlipped(0, 7, 1, 9, 1), scored(1, 2)
    second = *BEGUN, taken(0), taken(1), taken(0, slot=7), scored(1, 2)
    assert not answers(GAME, "stall", *first, *second)


def test_the_cheapest_and_the_dearest_round():
    course = scored(-2, 24), scored(-2, 10), scored(5, 24)
    assert answers(GAME, "lowest_round", *course) == [
        Moment("lowest_round", 1, 0, -2),
        Moment("lowest_round", 2, 0, -2),
    ]
    assert answers(GAME, "highest_round", *course) == [
        Moment("highest_round", 1, 1, 24),
        Moment("highest_round", 3, 1, 24),
    ]

"""What people ask about a match of Odin, and what the answers are."""

from domain.games.moments import Moment
from domain.games.odin.events import CardsPlayed, RoundEnded, RoundStarted, TrickEnded
from domain.sealing import Event
from tests.kit.moments import answers
from tests.unit.domain.games.odin.arrange import GAME


def dealt(number: int = 1) -> RoundStarted:
    return RoundStarted(number, 0, 0, ((), (), ()), ())


def played(seat: int, cards: str, *, out: bool = False) -> CardsPlayed:
    return CardsPlayed(seat, tuple(cards.split()), next_seat=None if out else (seat + 1) % 3)


def ended(*points: int) -> RoundEnded:
    return RoundEnded(1, points.index(0), points, points)


def trick(*seats: int) -> tuple[Event, ...]:
    return *(played(seat, f"R{number}") for number, seat in enumerate(seats, 1)), TrickEnded(seats[-1], ())


def test_a_hand_that_went_out_with_several_cards_at_once():
    course = dealt(), played(0, "R9 R8"), played(1, "B9 B8 B7", out=True), ended(6, 0, 9)
    assert answers(GAME, "out_at_once", *course) == [Moment("out_at_once", 3, 1, 3)]
    assert not answers(GAME, "out_at_once", dealt(), played(1, "B9", out=True), ended(6, 0, 9))


def test_the_largest_set_of_all_and_none_of_two():
    course = played(0, "R9 R8"), played(1, "R7 B7 V7"), played(2, "B9 B8 B7 B6"), played(0, "O4 O3 O2")
    assert answers(GAME, "largest_set", *course) == [Moment("largest_set", 3, 2, 4)]
    assert not answers(GAME, "largest_set", played(0, "R9 R8"))


def test_the_longest_trick_is_told_at_its_last_play():
    assert answers(GAME, "longest_trick", *trick(0, 1, 2, 0), *trick(0, 1, 2, 0, 1), *trick(1, 2)) == [
        Moment("longest_trick", 10, 1, 5)
    ]
    assert not answers(GAME, "longest_trick", *trick(0, 1, 2))


def test_a_round_that_ends_in_a_trick_ends_that_too():
    course = *trick(0, 1, 2, 0)[:4], ended(0, 3, 3), *trick(1, 2)
    assert answers(GAME, "longest_trick", *course) == [Moment("longest_trick", 4, 0, 4)]


def test_who_was_caught_with_a_hand_from_which_nothing_was_played():
    first = dealt(), played(0, "R9"), played(1, "R8", out=True), ended(6, 0, 9)
    second = dealt(2), played(2, "R9"), played(1, "R8", out=True), ended(6, 0, 3)
    assert answers(GAME, "never_played", *first, *second) == [
        Moment("never_played", 4, 2, 9),
        Moment("never_played", 8, 0, 6),
    ]


def test_of_the_round_in_which_a_fork_begins_not_all_plays_are_known():
    rest_of_a_round = played(1, "R8", out=True), ended(6, 0, 9)
    assert not answers(GAME, "never_played", *rest_of_a_round)
    assert answers(GAME, "never_played", *rest_of_a_round, played(1, "R8", out=True), ended(1, 0, 1))


def test_the_dearest_round():
    course = ended(6, 0, 9), ended(0, 4, 5)
    assert answers(GAME, "highest_round", *course) == [Moment("highest_round", 1, 2, 9)]

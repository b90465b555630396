"""What people ask about a match of L.A.M.A., and what the answers are."""

from domain.games.lama.events import CardPlayed, ChipReturned, RoundEnded, RoundQuit
from domain.games.moments import Moment
from tests.kit.moments import answers
from tests.unit.domain.games.lama.arrangement import GAME, A, B, C


def ended(
    *points: int, number: int = 1, winner: int | None = None, totals: tuple[int, ...] = ()
) -> RoundEnded:
    return RoundEnded(number, ((),) * len(points), points, totals or points, winner)


def test_the_last_one_standing_played_on_alone():
    alone = (
        CardPlayed(A, "3", B),
        RoundQuit(B, C),
        RoundQuit(C, A),
        CardPlayed(A, "4", A),
        CardPlayed(A, "5"),
        ended(0, 1, 2, winner=A),
    )
    assert answers(GAME, "last_standing", *alone) == [Moment("last_standing", 4, A, 2)]


def test_who_quits_last_without_another_card_stood_for_nothing():
    assert not answers(
        GAME, "last_standing", CardPlayed(A, "3", B), *map(RoundQuit, (B, C, A)), ended(1, 2, 3)
    )


def test_where_two_still_play_nobody_stood_alone():
    assert not answers(GAME, "last_standing", RoundQuit(B, C), CardPlayed(C, "3"), ended(4, 2, 0, winner=C))


def test_a_round_begins_with_nobody_gone():
    quit_in_one_and_one = (
        RoundQuit(B, C),
        ended(1, 1, 0),
        RoundQuit(C, A),
        CardPlayed(A, "3"),
        ended(0, 1, 1),
    )
    assert not answers(GAME, "last_standing", *quit_in_one_and_one)


def test_who_went_out_and_with_how_many_points_they_stand():
    assert answers(GAME, "went_out", ended(0, 3, winner=A, totals=(12, 3))) == [Moment("went_out", 1, A, 12)]
    assert not answers(GAME, "went_out", ended(1, 3))


def test_rounds_that_all_quit():
    assert answers(GAME, "all_quit", ended(1, 3, number=1), ended(0, 3, number=2, winner=A)) == [
        Moment("all_quit", 1, None, 1)
    ]


def test_black_chips_that_were_given_back_and_no_white_ones():
    chips = ChipReturned(A, "white", 12), ChipReturned(B, "black", 2)
    assert answers(GAME, "black_returned", *chips) == [Moment("black_returned", 2, B, 2)]


def test_the_dearest_round_of_all_is_everybodys_who_had_it():
    rounds = ended(10, 4), ended(3, 14), ended(14, 14)
    assert answers(GAME, "highest_round", *rounds) == [
        Moment("highest_round", 2, B, 14),
        Moment("highest_round", 3, A, 14),
        Moment("highest_round", 3, B, 14),
    ]

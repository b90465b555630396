"""Standings from results: counted by hand, in any order, bots and stand-ins apart."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.ratings import newcomer, ratings_after
from services.standings.results import Entrant, Result, among_people, entrants_of
from services.standings.seasons import in_season, season_at, seasons_of
from services.standings.table import Meeting, head_to_head, standings

OCTOBER = 1_759_300_000_000  # 2025-10-01
A_DAY = 86_400_000


def result(number: int, *places: tuple[str, int], bots: int = 0, stood_in: str = "") -> Result:
    people = [Entrant(who, place, 10 * place, stood_in=who == stood_in) for who, place in places]
    robots = [Entrant("", len(places) + 1 + one, 99, is_bot=True) for one in range(bots)]
    return Result(f"m{number}", "lama", OCTOBER + number * A_DAY, (*people, *robots))


class TestCounting:
    def test_by_hand(self):
        anna, bert, clara = standings(
            [
                result(1, ("anna", 1), ("bert", 2), ("clara", 3)),
                result(2, ("anna", 1), ("bert", 1), ("clara", 3)),
                result(3, ("anna", 2), ("bert", 1)),
                result(4, ("anna", 1), ("bert", 2), bots=1),
            ]
        )
        assert (anna.person, bert.person, clara.person) == ("anna", "bert", "clara")
        assert (anna.matches, anna.wins, anna.shared, anna.apart) == (4, 2, 1, 0)
        assert (bert.matches, bert.wins, bert.shared) == (4, 1, 1)
        assert (clara.matches, clara.wins, clara.shared) == (2, 0, 0)
        assert anna.mean_points == pytest.approx((10 + 10 + 20 + 10) / 4)
        assert clara.mean_place == pytest.approx(1.0)
        assert anna.form == (1, 1, 2, 1)
        assert (anna.streak, anna.best_streak) == (1, 2)
        assert (bert.streak, bert.best_streak) == (0, 2)

    def test_a_match_in_which_a_bot_moved_for_somebody_is_apart(self):
        (anna, bert) = standings(
            [
                result(1, ("anna", 1), ("bert", 2)),
                result(2, ("bert", 1), ("anna", 2), stood_in="anna"),
            ]
        )
        assert (anna.person, anna.matches, anna.wins, anna.apart) == ("anna", 1, 1, 1)
        assert (bert.matches, bert.wins, bert.apart) == (1, 0, 1)

    def test_bots_take_no_place_from_people(self):
        seats = (Entrant("anna", 0, 0), Entrant("", 0, 0, is_bot=True), Entrant("bert", 0, 0))
        entrants = entrants_of(((1,), (0, 2)), (7, 3, 7), seats)
        assert [entrant.place for entrant in entrants] == [2, 1, 2]
        people = among_people(Result("m", "lama", 0, entrants))
        assert [(one.person, one.place, one.points) for one in people] == [("anna", 1, 7), ("bert", 1, 7)]

    def test_who_played_with_bots_alone_has_no_rank_of_their_own(self):
        (anna,) = standings([result(1, ("anna", 1), bots=2)])
        assert (anna.matches, anna.apart, anna.rating) == (0, 1, newcomer())

    def test_each_against_each(self):
        results = [
            result(1, ("anna", 1), ("bert", 2), ("clara", 3)),
            result(2, ("bert", 1), ("anna", 2)),
            result(3, ("anna", 1), ("bert", 1)),
        ]
        assert head_to_head(results, "anna") == {"bert": Meeting(1, 1, 1), "clara": Meeting(1, 0, 0)}
        assert head_to_head(results, "clara") == {"anna": Meeting(0, 1, 0), "bert": Meeting(0, 1, 0)}
        assert head_to_head(results, "nobody") == {}


class TestRatings:
    def test_who_wins_rises_and_doubt_shrinks(self):
        after = ratings_after([result(number, ("anna", 1), ("bert", 2)) for number in range(20)])
        assert after["anna"].strength > newcomer().strength > after["bert"].strength
        assert after["anna"].doubt < newcomer().doubt
        assert after["anna"].at_least > after["bert"].at_least

    def test_going_on_from_known_ratings_is_the_same_as_beginning_again(self):
        results = [result(number, ("anna", 1 + number % 2), ("bert", 2 - number % 2)) for number in range(10)]
        assert ratings_after(results[5:], ratings_after(results[:5])) == ratings_after(results)


@st.composite
def histories(draw: st.DrawFn) -> list[Result]:
    results = []
    for number in range(draw(st.integers(0, 12))):
        people = draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True))
        places = [(who, draw(st.integers(1, len(people)))) for who in people]
        bots, stood_in = draw(st.integers(0, 1)), draw(st.sampled_from(["", "", *people]))
        results.append(result(number, *places, bots=bots, stood_in=stood_in))
    return results


@settings(deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_arrive_changes_nothing(results: list[Result], random: Random):
    shuffled = list(results)
    random.shuffle(shuffled)
    assert standings(shuffled) == standings(results)
    assert {one.person for one in standings(results)} == {
        entrant.person for result in results for entrant in result.entrants if entrant.person
    }


@settings(deadline=None)
@given(histories())
def test_every_meeting_has_two_sides(results: list[Result]):
    for person in "abcdef":
        for other, met in head_to_head(results, person).items():
            assert head_to_head(results, other)[person] == Meeting(met.worse, met.better, met.level)


class TestSeasons:
    def test_follow_the_calendar(self):
        assert season_at(OCTOBER, "quarter") == "2025-4"
        assert season_at(OCTOBER, "year") == "2025"
        assert season_at(OCTOBER, "ever") == "ever"

    def test_part_results(self):
        results = [result(day, ("anna", 1), ("bert", 2)) for day in (1, 100, 400)]
        assert seasons_of(results, "year") == ["2026", "2025"]
        assert [one.match for one in in_season(results, "2026", "year")] == ["m100", "m400"]
        assert in_season(results, "ever", "year") == results

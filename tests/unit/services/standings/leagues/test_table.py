"""Tables of leagues: they add up, in any order, and say what decides between those who are level."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.leagues.schedule import schedule
from services.standings.leagues.table import Scoring, courses_of, decided_by, league_table
from services.standings.results import Entrant, Result


def ended(number: int, *places: tuple[str, int, int], played: bool = True) -> Result:
    entrants = tuple(Entrant(*place) for place in places)
    return Result(f"m{number}", "odin", number, entrants, was_played=played)


FOUR = ended(1, ("anna", 1, 0), ("bert", 2, 10), ("clara", 2, 10), ("dora", 4, 30))


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        (Scoring("share"), (1, Fraction(1, 2), Fraction(1, 2), 0)),
        (Scoring("beaten"), (3, Fraction(3, 2), Fraction(3, 2), 0)),
        (Scoring("wins"), (1, 0, 0, 0)),
        (Scoring("places", (5, 3, 2)), (5, Fraction(5, 2), Fraction(5, 2), 0)),
    ],
)
def test_what_one_table_counts_for(scoring, points):
    rows = {row.entrant: row for row in league_table(["anna", "bert", "clara", "dora"], [FOUR], scoring)}
    assert tuple(rows[who].points for who in ("anna", "bert", "clara", "dora")) == points
    assert [rows[who].rank for who in ("anna", "bert", "clara", "dora")][:3] == [1, 2, 2]


def test_who_did_not_come_has_nothing_and_a_table_that_was_not_played_counts_for_who_did():
    missed = ended(1, ("anna", 1, 0), ("bert", 1, 0), ("clara", 3, 0), ("dora", 3, 0), played=False)
    for scoring, each in (
        (Scoring("share"), Fraction(5, 6)),
        (Scoring("wins"), Fraction(1, 2)),
        (Scoring("places", (5, 3, 2, 1)), 4),
    ):
        rows = {
            row.entrant: row for row in league_table(["anna", "bert", "clara", "dora"], [missed], scoring)
        }
        assert (rows["anna"].points, rows["bert"].points) == (each, each)
        assert (rows["clara"].points, rows["dora"].points) == (Fraction(0), Fraction(0))
        assert (rows["clara"].missed, rows["anna"].missed) == (1, 0)
        assert rows["anna"].game_points == Fraction(0)


def test_each_criterion_decides_and_is_named():
    rows = league_table(
        ["anna", "bert", "clara", "dora", "emil", "fred"],
        [
            # Anna, Bert and Clara each won one table and lost one, in a circle; Clara lost another one.
            ended(1, ("bert", 1, 2), ("anna", 2, 9)),
            ended(2, ("anna", 1, 1), ("clara", 2, 8)),
            ended(3, ("clara", 1, 1), ("bert", 2, 8)),
            ended(4, ("emil", 1, 7), ("fred", 1, 7)),
            ended(6, ("zoe", 1, 0), ("clara", 2, 0)),
            ended(5, ("dora", 1, 9), ("emil", 2, 9)),
        ],
        Scoring("beaten"),
    )
    by_hand = [(row.rank, row.entrant, row.points, row.wins, row.between) for row in rows]
    assert by_hand == [
        # Among Anna, Bert and Clara each beat one: level between them, and Clara stands behind by her mean of places.
        (1, "anna", 1, 1, 1),
        (1, "bert", 1, 1, 1),
        (3, "clara", 1, 1, 1),
        (4, "dora", 1, 1, 0),
        (5, "fred", Fraction(1, 2), 1, Fraction(1, 2)),
        (6, "emil", Fraction(1, 2), 1, Fraction(1, 2)),
    ]
    assert decided_by(rows) == ["", "nothing", "placing", "between", "", "placing"]


def test_points_in_the_game_decide_nothing():
    rows = league_table(["anna", "bert"], [ended(1, ("anna", 1, 5), ("bert", 1, 0))])
    assert [(row.rank, row.game_points) for row in rows] == [(1, Fraction(5)), (1, Fraction(0))]


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 12), st.integers(2, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_all_points_are_given_out_and_no_order_of_results_matters(count, largest, rounds, random):
    people = [f"p{number:02}" for number in range(count)]
    by_rounds = [
        [
            ended(100 * number + table[0], *((people[who], random.randint(1, 3), 0) for who in table))
            for table in one
        ]
        for number, one in enumerate(schedule(range(count), largest, rounds))
    ]
    results = [result for one in by_rounds for result in one]
    rows = league_table(people, results, Scoring("beaten"))
    pairs = sum(len(one.entrants) * (len(one.entrants) - 1) // 2 for one in results)
    assert sum(row.points for row in rows) == pairs
    assert sum(row.played for row in rows) == sum(len(one.entrants) for one in results)
    random.shuffle(results)
    assert league_table(people, results, Scoring("beaten")) == rows
    course = courses_of(people, by_rounds, Scoring("beaten"))
    assert course[-1] == {row.entrant: row.points for row in rows}
    assert len(course) == rounds

"""Leagues: fair schedules, and tables that add up."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.league_table import league_table
from services.standings.results import Entrant, Result
from services.standings.schedule import Round, schedule, table_sizes


def people(count: int) -> list[str]:
    return [f"p{number:02}" for number in range(count)]


def meetings(rounds: tuple[Round, ...]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for one in rounds for table in one for pair in combinations(table, 2))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 24), st.integers(2, 8), st.integers(1, 8))
def test_everybody_plays_once_in_each_round_and_byes_go_round(count, largest, rounds):
    made = schedule(people(count), largest, rounds)
    assert len(made) == rounds
    byes: Counter[str] = Counter()
    for one in made:
        seated = [entrant for table in one for entrant in table]
        assert len(seated) == len(set(seated))
        assert all(2 <= len(table) <= largest for table in one)
        byes.update(set(people(count)) - set(seated))
    assert sum(byes.values()) == rounds * (count - sum(table_sizes(count, largest)))
    given_byes = [byes[entrant] for entrant in people(count)]
    assert max(given_byes) - min(given_byes) <= 1


@pytest.mark.parametrize("count", [2, 4, 6, 12])
def test_at_tables_of_two_everybody_meets_everybody_once(count):
    met = meetings(schedule(people(count), 2, count - 1))
    assert set(met.values()) == {1}
    assert len(met) == count * (count - 1) // 2


def test_a_league_of_twelve_at_tables_of_four_meets_widely():
    met = meetings(schedule(people(12), 4, 6))
    # 6 rounds of 3 tables with 6 meetings each are 108, for 66 pairs.
    assert sum(met.values()) == 108
    assert len(met) >= 60
    assert max(met.values()) <= 3


def test_a_schedule_is_the_same_each_time():
    assert schedule(people(10), 4, 5) == schedule(people(10), 4, 5)


@pytest.mark.parametrize(
    ("count", "largest", "sizes"), [(5, 4, (3, 2)), (9, 4, (3, 3, 3)), (3, 2, (2,)), (1, 4, ())]
)
def test_tables_are_few_and_equal(count, largest, sizes):
    assert table_sizes(count, largest) == sizes


def test_a_table_by_hand():
    def ended(number: int, *places: tuple[str, int, int]) -> Result:
        return Result(f"m{number}", "odin", number, tuple(Entrant(*place) for place in places))

    rows = league_table(
        ["anna", "bert", "clara", "dora"],
        [
            ended(1, ("anna", 1, 0), ("bert", 2, 10), ("clara", 2, 10)),
            ended(2, ("dora", 1, 3), ("anna", 2, 15)),
        ],
    )
    assert [(row.rank, row.entrant, row.played, row.points, row.wins, row.game_points) for row in rows] == [
        (1, "anna", 2, 2.0, 1, 15),
        (2, "dora", 1, 1.0, 1, 3),
        (3, "bert", 1, 0.5, 0, 10),
        (3, "clara", 1, 0.5, 0, 10),
    ]


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), st.integers(2, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_all_points_of_a_table_are_given_out(count, largest, rounds, random):
    results = []
    for number, one in enumerate(schedule(people(count), largest, rounds)):
        for table in one:
            entrants = tuple(
                Entrant(who, random.randint(1, len(table)), random.randint(0, 40)) for who in table
            )
            results.append(Result(f"m{number}-{table[0]}", "lama", number, entrants))
    rows = league_table(people(count), results)
    pairs = sum(len(one.entrants) * (len(one.entrants) - 1) // 2 for one in results)
    assert sum(row.points for row in rows) == pytest.approx(pairs)
    assert sum(row.played for row in rows) == sum(len(one.entrants) for one in results)

"""Schedules: everybody plays, byes go round, and people meet as evenly as can be."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.leagues.schedule import Round, schedule, table_sizes


def meetings(rounds: Sequence[Round]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for one in rounds for table in one for pair in combinations(table, 2))


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 24), st.integers(2, 8), st.integers(1, 6))
def test_everybody_plays_once_in_each_round_and_byes_go_round(count, largest, rounds):
    made = schedule(range(count), largest, rounds)
    assert len(made) == rounds
    byes: Counter[int] = Counter()
    for one in made:
        seated = [entrant for table in one for entrant in table]
        assert len(seated) == len(set(seated))
        assert all(2 <= len(table) <= largest for table in one)
        assert max(map(len, one)) - min(map(len, one)) <= 1
        byes.update(set(range(count)) - set(seated))
    assert sum(byes.values()) == rounds * (count - sum(table_sizes(count, largest)))
    given_byes = [byes[entrant] for entrant in range(count)]
    assert max(given_byes) - min(given_byes) <= 1


@pytest.mark.parametrize("count", [2, 5, 6, 12])
def test_at_tables_of_two_everybody_meets_everybody_once(count):
    met = meetings(schedule(range(count), 2, 0))
    assert set(met.values()) == {1}
    assert len(met) == count * (count - 1) // 2


def test_without_a_number_of_rounds_everybody_meets_everybody():
    for count, largest in ((12, 4), (13, 4), (9, 3)):
        assert len(meetings(schedule(range(count), largest, 0))) == count * (count - 1) // 2


def test_a_league_of_twelve_at_tables_of_four_meets_evenly():
    met = meetings(schedule(range(12), 4, 6))
    # 6 rounds of 3 tables with 6 meetings each are 108, for 66 pairs.
    assert sum(met.values()) == 108
    assert len(met) >= 60
    assert max(met.values()) <= 3


def test_nobody_sits_on_one_seat_all_the_time():
    rounds = schedule(range(12), 4, 8)
    had = Counter((one, seat) for played in rounds for table in played for seat, one in enumerate(table))
    assert {had[one, seat] for one in range(12) for seat in range(4)} <= {1, 2, 3}


def test_what_follows_takes_account_of_what_was_played():
    first = schedule(range(12), 4, 3)
    left = [one for one in range(12) if one not in {3, 7}]
    following = schedule(left, 4, 2, before=first)
    assert {one for played in following for table in played for one in table} == set(left)
    both = meetings((*first, *following))
    assert max(both.values()) <= 3


def test_a_schedule_is_the_same_each_time():
    assert schedule(range(10), 4, 5) == schedule(range(10), 4, 5)


@pytest.mark.parametrize(
    ("count", "largest", "sizes"), [(5, 4, (3, 2)), (9, 4, (3, 3, 3)), (3, 2, (2,)), (1, 4, ())]
)
def test_tables_are_few_and_equal(count, largest, sizes):
    assert table_sizes(count, largest) == sizes

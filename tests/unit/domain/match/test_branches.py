"""Which part of a log still counts when people have stepped back and forth."""

from domain.match.branches import Course, left_branches


def move(version: int, *, events: int = 1) -> list[Course]:
    """Return the events of a move; the first has this version."""
    last = version + events - 1
    return [Course(one, last, is_game=True) for one in range(version, last + 1)]


def back(version: int, to: int) -> list[Course]:
    return [Course(version, version, is_game=False, undone_to=to)]


def forth(version: int, to: int) -> list[Course]:
    return [Course(version, version, is_game=False, redone_to=to)]


def talked(version: int) -> list[Course]:
    return [Course(version, version, is_game=False)]


def left(*parts: list[Course]) -> set[int]:
    return set(left_branches(one for part in parts for one in part))


DEAL = move(1, events=2)
"""Versions 1 and 2."""


def test_what_nobody_took_back_counts():
    assert left(DEAL, move(3), talked(4), move(5)) == set()
    assert left() == set()


def test_all_events_of_a_move_that_was_taken_back_do_not_count():
    assert left(DEAL, move(3, events=3), back(6, to=2)) == {3, 4, 5}


def test_what_belongs_to_the_match_is_never_taken_back():
    assert left(DEAL, move(3), talked(4), back(5, to=2)) == {3}


def test_what_was_played_again_counts():
    assert left(DEAL, move(3), move(4), back(5, to=2), forth(6, to=4)) == set()


def test_played_again_only_in_part():
    assert left(DEAL, move(3), move(4), move(5), back(6, to=2), forth(7, to=3)) == {4, 5}


def test_step_by_step_back_and_forth():
    steps = back(6, to=4), back(7, to=3), back(8, to=2), forth(9, to=3), forth(10, to=4)
    assert left(DEAL, move(3), move(4), move(5), *steps) == {5}


def test_another_move_leaves_the_branch_for_good():
    assert left(DEAL, move(3), back(4, to=2), move(5)) == {3}
    assert left(DEAL, move(3), back(4, to=2), move(5), back(6, to=2), forth(7, to=5)) == {3}


def test_a_move_after_some_were_played_again_leaves_the_rest():
    assert left(DEAL, move(3), move(4), back(5, to=2), forth(6, to=3), move(7)) == {4}

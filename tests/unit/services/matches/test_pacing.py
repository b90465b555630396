"""Bots answer after the same time, whatever there was to think about."""

import pytest

from services.matches.pacing import Pacing


@pytest.mark.parametrize("thought", [0.0, 0.004, 0.0149])
def test_an_answer_comes_after_a_full_pace(thought: float) -> None:
    assert thought + Pacing().seconds_to_wait("hard", thought) == pytest.approx(0.015)


def test_on_a_busy_machine_all_take_as_long_as_the_slowest_of_late() -> None:
    pacing = Pacing()
    answered = [
        thought + pacing.seconds_to_wait("expert", thought) for thought in (0.01, 0.7, 0.01, 0.3, 0.9)
    ]
    assert answered == pytest.approx([0.5, 1.0, 1.0, 1.0, 1.0])


def test_it_wears_off_and_other_levels_keep_their_own() -> None:
    pacing = Pacing()
    pacing.seconds_to_wait("expert", 0.7)
    assert pacing.seconds_to_wait("hard", 0.0) == pytest.approx(0.015)
    waited = [pacing.seconds_to_wait("expert", 0.0) for _ in range(20)]
    assert waited[0] == pytest.approx(1.0)
    assert waited[-1] == pytest.approx(0.5)

"""What decided a match: where whoever won took the lead for good."""

from api.pages.outcomes import decided_in
from services.matches.course import Scored
from services.matches.decision import Decision, decision_of

NAMES = ("Anna", "Ben")


def course(*scores: tuple[int, int]) -> list[Scored]:
    """Return a course with these totals of Anna and Ben after its rounds; the fewest lead."""
    return [
        Scored(at, 10 * at, totals, tuple(seat for seat in (0, 1) if totals[seat] == min(totals)))
        for at, totals in enumerate(scores, 1)
    ]


def told(*scores: tuple[int, int]) -> str:
    went = course(*scores)
    found = decision_of(went, went[-1].leaders, most_wins=False)
    return "" if found is None else decided_in(found, len(went), NAMES, "en")


def test_the_round_in_which_the_lead_went_to_the_winner_for_good():
    went = course((5, 9), (30, 12), (31, 31), (33, 40), (35, 60))
    assert decision_of(went, (0,), most_wins=False) == Decision(4, 40, 30, (0,), (0, 1), 7)
    assert told((5, 9), (30, 12), (31, 40)) == (
        "Round 3 decided it: the lead went from Ben to Anna, and stayed there."
    )
    assert told((5, 5), (6, 9)) == "Round 2 parted Anna and Ben: Anna led from there to the end."
    assert told((5, 9), (12, 12)) == "Round 2 decided it: Anna and Ben were level from there on."


def test_who_led_all_the_time_won_where_they_gained_most():
    assert told((5, 9), (7, 31), (20, 40)) == (
        "Anna led from the first round on; round 2 brought most: 20 points on the best of the others."
    )
    assert told((5, 6)) == "One round decided it, by 1 point."


def test_nothing_is_told_that_the_scores_do_not_tell():
    assert told((5, 5), (9, 9)) == ""
    assert decision_of([], (0,), most_wins=False) is None
    gave_up = course((5, 9), (7, 31))
    assert decision_of(gave_up, (1,), most_wins=False) is None

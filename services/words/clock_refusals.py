"""Why something about clocks and time is refused."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_TURN_RULE = phrase("A table's clock is chosen when the table is made.")
_GIFT_RULE = phrase("People may give each other as much again as a turn has.")
_PAUSE_RULE = phrase("In a pause nobody's clock runs. Everybody must agree to it, and to ending it early.")
_REST_RULE = phrase("Clocks rest where the table says so, when people have chosen it beforehand.")
_CHOICE_RULE = phrase("Somebody whose clock always rests would keep the others waiting.")

CLOCK_REFUSALS: Mapping[str, RefusalWords] = {
    "clock.out_of_range": RefusalWords(
        phrase("A clock cannot give {per_turn} seconds per turn."),
        NOTHING,
        phrase("Choose between {shortest} and {longest} seconds, or 0 for no clock."),
    ),
    "clock.bank_out_of_range": RefusalWords(
        phrase("A bank cannot hold {bank} seconds."), _TURN_RULE, phrase("Choose at most {longest} seconds.")
    ),
    "clock.misses_out_of_range": RefusalWords(
        phrase("A table cannot wait for {misses} missed turns."),
        _TURN_RULE,
        phrase("Choose between 1 and {most}."),
    ),
    "clock.absent_unknown": RefusalWords(
        phrase("There is nothing called {absent} that could happen to absent people."),
        _TURN_RULE,
        phrase("Choose one of these: {known}."),
    ),
    "clock.needs_turns": RefusalWords(
        phrase("A clock needs a time for each turn."),
        _TURN_RULE,
        phrase("Choose a time, or no clock at all."),
    ),
    "clock.too_quick_for_rests": RefusalWords(
        phrase("At so quick a table clocks do not rest."),
        _REST_RULE,
        phrase("Choose at least {shortest} seconds for each turn, or no rests."),
    ),
    "clock.none": RefusalWords(phrase("This table has no clock."), _TURN_RULE, NOTHING),
    "clock.still_running": RefusalWords(
        phrase("Seat {seat} still has time."),
        phrase("A seat may move until its time has run out."),
        NOTHING,
    ),
    "time.none_runs": RefusalWords(phrase("No time of seat {seat} runs now."), _GIFT_RULE, NOTHING),
    "time.own": RefusalWords(phrase("Nobody gives time to themselves."), _GIFT_RULE, NOTHING),
    "time.given_enough": RefusalWords(
        phrase("{seconds} seconds cannot be given."),
        _GIFT_RULE,
        phrase("At most {most} seconds are possible now."),
    ),
    "pause.already": RefusalWords(phrase("The match pauses already."), _PAUSE_RULE, NOTHING),
    "pause.none": RefusalWords(phrase("The match does not pause."), _PAUSE_RULE, NOTHING),
    "pause.out_of_range": RefusalWords(
        phrase("A pause cannot last {seconds} seconds."),
        _PAUSE_RULE,
        phrase("Choose between {shortest} and {longest} seconds."),
    ),
    "outage.not_over": RefusalWords(
        phrase("Time from {begins} to {ends} cannot be given back."),
        phrase("What is given back has passed."),
        NOTHING,
    ),
    "rests.not_here": RefusalWords(phrase("Clocks do not rest at this table."), _REST_RULE, NOTHING),
    "rests.out_of_range": RefusalWords(
        phrase("Clocks cannot rest then."), _REST_RULE, phrase("Choose intervals that are still to come.")
    ),
    "rest.night_too_long": RefusalWords(
        phrase("A night is not so long."), _CHOICE_RULE, phrase("Choose at most {longest} hours.")
    ),
    "rest.too_many_days": RefusalWords(
        phrase("These are too many weekdays."), _CHOICE_RULE, phrase("Choose at most {most}.")
    ),
    "rest.holidays_too_long": RefusalWords(
        phrase("These holidays are too long, or end before they begin."),
        _CHOICE_RULE,
        phrase("Choose at most {most} days in each year."),
    ),
    "rest.too_many_holidays": RefusalWords(
        phrase("These are too many holidays."), _CHOICE_RULE, phrase("Choose at most {most}.")
    ),
    "plan.unknown": RefusalWords(
        phrase("{game} has no such plan."), phrase("Each game has its own plans."), NOTHING
    ),
    "undo.no_time_left": RefusalWords(
        phrase("Seat {seat} has no time left in that turn."),
        phrase("Taking a turn back gives nobody time, unless all others agree to give it."),
        phrase("Take back an earlier turn."),
    ),
}
"""By code."""

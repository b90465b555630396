"""The words of time: turns that run out, time that is given, clocks that rest."""

from collections.abc import Mapping

from services.words.contract import Line
from services.words.phrases import counted, phrase
from services.words.telling import Data, Teller
from services.words.times import duration


def _turn_timed_out(teller: Teller, data: Data) -> str:
    if not data.get("row"):
        return teller.by_seat(data["seat"], phrase("Your time is up."), phrase("{name} has run out of time."))
    return teller.by_seat(
        data["seat"],
        phrase("Your time is up: a bot plays this turn."),
        phrase("{name} has run out of time: a bot plays this turn."),
    )


def _time_given(teller: Teller, data: Data) -> str:
    time = duration(data["seconds"], teller.words.language)
    if data["seat"] == teller.you:
        return teller.say(
            phrase("You give {name} more time: {time}."), name=teller.name(data["to"]), time=time
        )
    giver = teller.name(data["seat"])
    if data["to"] == teller.you:
        return teller.say(phrase("{giver} gives you more time: {time}."), giver=giver, time=time)
    return teller.say(
        phrase("{giver} gives {name} more time: {time}."),
        giver=giver,
        name=teller.name(data["to"]),
        time=time,
    )


def _clock_rested(teller: Teller, data: Data) -> str:
    if data["why"] == "outage":
        return teller.say(phrase("The service was away; nobody's clock ran meanwhile."))
    return teller.say(phrase("The match pauses: nobody's clock runs."))


def _clock_resumed(teller: Teller, _: Data) -> str:
    return teller.say(phrase("The pause is over."))


def _rests_planned(teller: Teller, data: Data) -> str:
    rests = len(data.get("rests", ()))
    if not rests:
        return teller.say(
            phrase("The clocks of {names} run day and night."), names=teller.all_of(data["seats"])
        )
    resting = counted(
        "The clocks of {names} will rest {rests} time.",
        "The clocks of {names} will rest {rests} times.",
        "rests",
    )
    return teller.say(resting, names=teller.all_of(data["seats"]), rests=rests)


CLOCK_LINES: Mapping[str, Line] = {
    "TurnTimedOut": _turn_timed_out,
    "TimeGiven": _time_given,
    "ClockRested": _clock_rested,
    "ClockResumed": _clock_resumed,
    "RestsPlanned": _rests_planned,
}
"""By event type, the function that writes its history line."""

"""What needs attention, in words: what it is, and what to do."""

from typing import Final, NamedTuple

from domain.instants import Instant, seconds_between
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.watch.attention import Concern, Kind
from services.words.phrases import Phrase, phrase, words_in
from services.words.times import duration


class Told(NamedTuple):
    """A match that needs attention, in words.

    Attributes:
        concern: The match, and what is wrong.
        commands: What to run, one after the other.
    """

    concern: Concern
    title: str
    meaning: str
    commands: tuple[str, ...]


_WORDS: Final[dict[Kind, tuple[Phrase, Phrase]]] = {
    "unreadable": (
        phrase("Its log cannot be read"),
        phrase("Nobody can play or look at it. The command tells the first event that is wrong."),
    ),
    "parked": (
        phrase("Put aside by {where} {duration} ago"),
        phrase(
            "The other matches go on. The first command tells whether its log is whole; the second tries again, "
            "and helps only once the cause is mended."
        ),
    ),
    "not_due": (
        phrase("The clock does not know that it is to come"),
        phrase("Nobody makes its bots move, and no deadline ends. The command sets that right from the log."),
    ),
    "stuck": (
        phrase("A bot has owed its move for {duration} ({seats})"),
        phrase(
            "The clock makes such a move after 30 seconds, if the loops run and the match can be handled."
        ),
    ),
    "overdue": (
        phrase("Time ran out {duration} ago, and nothing followed"),
        phrase("The clock does not come, or cannot handle this match. The service log tells which."),
    ),
}

_SEAT: Final = phrase("seat {seat}")


def told(concern: Concern, language: str, now: Instant) -> Told:
    """Return a match that needs attention, in words."""
    words = words_in(language)
    title, meaning = _WORDS[concern.kind]
    seconds = seconds_between(concern.since, now) if concern.since else 0.0
    said = {
        "where": concern.where,
        "duration": duration(seconds, language),
        "seats": words.all_of(words.say(_SEAT, seat=seat + 1) for seat in concern.seats),
    }
    return Told(concern, words.say(title, **said), words.say(meaning), _commands(concern))


def _commands(concern: Concern) -> tuple[str, ...]:
    proof = f"tablee verify {concern.match}"
    match concern.kind:
        case "unreadable":
            return (proof,)
        case "parked":
            # A log that is broken is put aside again, however often somebody tries.
            return proof, _another_try(concern.where)
        case "not_due":
            return ("tablee doctor --repair",)
        case _:
            return ("tablee doctor",)


def _another_try(where: str) -> str:
    return "tablee archive --retry" if where == ARCHIVE else f"tablee rebuild {where}"

"""What an advice says."""

from collections.abc import Mapping, Sequence
from typing import Final

from services.watch.inspection.advice import Advice
from services.words.phrases import Phrase, phrase, words_in

_TEXTS: Final[Mapping[str, Phrase]] = {
    "broken": phrase(
        "The log, or the record of it, is not what it was. Do not end the match: find out first what was altered, and "
        "hold it against a digest or a backup."
    ),
    "bot_late": phrase(
        "{name} is played by a bot, which has owed its move for too long: neither a worker nor the clock makes it."
    ),
    "clock_late": phrase("The time of {name} has ended, and the clock has not come to this match."),
    "due_missing": phrase(
        "The clock does not know that it is to come to this match: its entry in the index of instants is missing."
    ),
    "due_differs": phrase(
        "The index of instants does not say when this match needs somebody: the clock looks too late, or never."
    ),
    "person_late": phrase(
        "{name} has owed a move for days, and this table has no clock. Let a bot play, or end the match."
    ),
    "asked": phrase("{name} is to move."),
    "gathering": phrase("The table waits for its people."),
    "gathering_long": phrase("The table has waited for its people for weeks."),
    "over": phrase("The match is over. Nothing is to be done."),
    "archived": phrase("The match is over and in the archive. Nothing is to be done."),
}


def advice_text(advice: Advice, names: Sequence[str], language: str) -> str:
    """Return what an advice says, in a sentence or two.

    Args:
        advice: The advice.
        names: How the seats are called.
        language: The language.
    """
    seat = advice.seat
    name = names[seat] if seat is not None and seat < len(names) else ""
    return words_in(language).say(_TEXTS[advice.code], name=name)

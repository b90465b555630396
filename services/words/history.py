"""History lines: what an entry of a log says to somebody who reads the match."""

from collections.abc import Sequence

from services.words.games import words_of
from services.words.match import LINES
from services.words.phrases import phrase, words_in
from services.words.telling import Data, Teller

_FALLBACK = phrase("(This move was made in place of the bot, which found none.)")


def history_line(
    game: str,
    event_type: str,
    data: Data,
    names: Sequence[str],
    language: str,
    *,
    you: int | None = None,
    note: str = "",
) -> str | None:
    """Return the line of a log's entry; None for a type of event that nobody knows.

    Args:
        game: The game's key.
        event_type: The type of the event.
        data: Its public data, with those sealed values put back that the reader may see. Commitments may stay in
            the place of the others.
        names: How the seats are called, by seat. One that has no name is called by its number.
        language: The language.
        you: The reader's seat: of that one it says "you".
        note: The ``note`` of the entry's envelope.
    """
    words = words_of(game)
    line = LINES.get(event_type) or (None if words is None else words.lines.get(event_type))
    if line is None:
        return None
    teller = Teller(words_in(language), names, you)
    said = line(teller, data)
    return f"{said} {teller.say(_FALLBACK)}" if note == "fallback" else said

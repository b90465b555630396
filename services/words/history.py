"""History lines: what an entry of a log says to a reader of the match."""

from collections.abc import Sequence

from domain.envelopes import FALLBACK
from services.words.games import words_of
from services.words.match import LINES
from services.words.phrases import phrase, words_in
from services.words.telling import Data, Teller

_FALLBACK = phrase("(The bot found no move, so this one was made for it.)")


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
    """Return the line for a log's entry; None for an unknown type of event.

    Args:
        game: The game's key.
        event_type: The type of the event.
        data: Its public data, with the sealed values that the reader may see put back. The others may stay
            commitments.
        names: By seat, its name. A seat without a name is called by its number.
        language: The language.
        you: The reader's seat, which the line calls "you".
        note: The ``note`` of the entry's envelope.
    """
    words = words_of(game)
    line = LINES.get(event_type) or (None if words is None else words.lines.get(event_type))
    if line is None:
        return None
    teller = Teller(words_in(language), names, you)
    said = line(teller, data)
    return f"{said} {teller.say(_FALLBACK)}" if note == FALLBACK else said


def is_joined(game: str, event_type: str) -> bool:
    """Tell whether several events of a type in a row share one line."""
    words = words_of(game)
    return words is not None and event_type in words.joined


def joined_line(
    game: str, event_type: str, run: Sequence[Data], names: Sequence[str], language: str, *, you: int | None
) -> str:
    """Return the one line for several events of a type in a row; see :func:`history_line`.

    Raises:
        KeyError: Events of this type do not share a line.
    """
    words = words_of(game)
    if words is None:
        raise KeyError(game)
    return words.joined[event_type](Teller(words_in(language), names, you), run)

"""What an event says in words, to an operator."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.sealing import unseal
from services.watch.inspection.disclosure import Disclosure
from services.words.history import history_line

_CANNOT_BE_SAID = (msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError)


def said(entry: StoredEntry, disclosure: Disclosure, game: str, names: Sequence[str], language: str) -> str:
    """Return the history line of an entry; empty if it has none, or cannot be read.

    Args:
        entry: The entry.
        disclosure: How much lies open to who reads.
        game: The game's key.
        names: How the seats are called.
        language: The reader's language.
    """
    try:
        envelope = decode_envelope(entry.e)
        data: dict[str, Any] = msgspec.json.decode(envelope.data, type=dict[str, Any])
        unseal(data, disclosure.openings(entry, envelope.type))
        return history_line(game, envelope.type, data, names, language, note=envelope.note) or ""
    except _CANNOT_BE_SAID:
        # Somebody has altered it: the table shows what can be shown.
        return ""

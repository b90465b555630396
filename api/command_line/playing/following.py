"""A match's events as history lines, told to one reader as they come."""

from collections.abc import Mapping
from typing import Any

import msgspec

from api.command_line.playing.client import Client, EventLine
from domain.entries import decode_envelope
from domain.match.events import MATCH_ENDS
from domain.sealing import unseal
from services.words.history import history_line
from services.words.phrases import phrase, words_in

_BOT = phrase("Bot {seat}")
_PLAYER = phrase("Player {seat}")


def seat_names(view: Mapping[str, Any], language: str) -> tuple[str, ...]:
    """Return how the seats of a match are called, as long as nobody has a name."""
    words = words_in(language)
    return tuple(
        words.say(_BOT if seat["kind"] == "bot" else _PLAYER, seat=seat["seat"] + 1) for seat in view["seats"]
    )


def line_of(
    event: EventLine, game: str, names: tuple[str, ...], language: str, you: int | None
) -> str | None:
    """Return the history line of an event, with what its reader may know."""
    envelope = decode_envelope(event.e.encode())
    data = unseal(msgspec.json.decode(envelope.data), event.openings)
    return history_line(game, envelope.type, data, names, language, you=you, note=envelope.note)


class Follower:
    """Reads on where it last stopped.

    Attributes:
        version: The last version told.
        over: Whether the end of the match was among what was told.
    """

    def __init__(
        self, client: Client, match: str, game: str, names: tuple[str, ...], language: str, seen: int = 0
    ) -> None:
        """Take the match, how its seats are called, and the last version that was told already."""
        self.version = seen
        self.over = False
        self._client = client
        self._match = match
        self._game = game
        self._names = names
        self._language = language

    def news(self, token: str = "", you: int | None = None) -> list[str]:
        """Return the lines of all events since the last time."""
        events = self._client.events(self._match, token, self.version)
        if events:
            self.version = events[-1].version
            self.over = decode_envelope(events[-1].e.encode()).type in MATCH_ENDS
        lines = (line_of(event, self._game, self._names, self._language, you) for event in events)
        return [line for line in lines if line]

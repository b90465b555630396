"""A match's events as history lines, told to one reader as they come."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from api.command_line.playing.client import Client, EventLine
from domain.entries import Envelope, decode_envelope
from domain.match.events import MATCH_ENDS
from domain.sealing import unseal
from services.words.history import history_line, is_joined, joined_line
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
    envelope, data = _read(event)
    return history_line(game, envelope.type, data, names, language, you=you, note=envelope.note)


def _read(event: EventLine) -> tuple[Envelope, dict[str, Any]]:
    envelope = decode_envelope(event.e.encode())
    return envelope, unseal(msgspec.json.decode(envelope.data), event.openings)


class Follower:
    """Reads on where it last stopped.

    Attributes:
        version: The last version told.
        over: Whether the end of the match was among what was told.
    """

    def __init__(
        self, client: Client, match: str, game: str, names: tuple[str, ...], language: str, seen: int = 0
    ) -> None:
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
        return list(self._lines(events, you))

    def _lines(self, events: Sequence[EventLine], you: int | None) -> Iterator[str]:
        """Yield what events say, those of choices made at the same time as one."""
        read = ((*_read(event), event) for event in events)
        for (kind, note), group in groupby(read, key=lambda each: (each[0].type, each[0].note)):
            run = list(group)
            if len(run) > 1 and not note and is_joined(self._game, kind):
                data = [data for _, data, _ in run]
                yield joined_line(self._game, kind, data, self._names, self._language, you=you)
                continue
            for _, _, event in run:
                line = line_of(event, self._game, self._names, self._language, you)
                if line:
                    yield line

"""From stored entries to events: the names on the wire, and the openings put back in their places."""

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from domain.entries import Envelope
from domain.games.registry import GAMES
from domain.match.events import MATCH_EVENTS
from domain.sealing import Event, Opening, unseal


class UnknownEventType(ValueError):
    """An envelope names an event type that neither the match nor its game has."""


class Codec:
    """Reads the events of matches of one game under one rules number."""

    def __init__(self, event_types: Iterable[type[Event]]) -> None:
        """Take the event types that such a log may hold."""
        self._types: Mapping[str, type[Event]] = {kind.__name__: kind for kind in event_types}
        self._decoders: Mapping[str, msgspec.json.Decoder[Event]] = {
            name: msgspec.json.Decoder(kind) for name, kind in self._types.items()
        }

    def kind(self, envelope: Envelope) -> type[Event]:
        """Return the class of the event in an envelope, sealed or not.

        Raises:
            UnknownEventType: The type is not one of this game's.
        """
        kind = self._types.get(envelope.type)
        if kind is None:
            raise UnknownEventType(envelope.type)
        return kind

    def event(self, envelope: Envelope, openings: tuple[Opening, ...]) -> Event:
        """Return the event with all its values; all its openings are needed.

        Raises:
            UnknownEventType: The type is not one of this game's.
            msgspec.ValidationError: The data is not what the type demands, or a field is still sealed.
        """
        decoder = self._decoders.get(envelope.type)
        if decoder is None:
            raise UnknownEventType(envelope.type)
        if not openings:
            return decoder.decode(envelope.data)
        data = unseal(msgspec.json.decode(envelope.data), openings)
        return msgspec.convert(data, self._types[envelope.type], str_keys=True)


@cache
def codec_of(game: str, rules: int) -> Codec:
    """Return the codec for a game's logs."""
    return Codec((*MATCH_EVENTS, *GAMES[game, rules].event_types))


CREATION_CODEC = Codec(MATCH_EVENTS)
"""Reads a log's first event, which says whose codec reads the rest."""

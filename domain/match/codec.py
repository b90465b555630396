"""From stored entries to events: types by their names on the wire, with opened values put back."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from domain.entries import FORMAT, Envelope
from domain.games.registry import GAMES
from domain.match.events import MATCH_EVENTS
from domain.match.upcasting import NewerRelease, upcast
from domain.sealing import Event, Opening, unseal


class UnknownEventType(ValueError):
    """An envelope names an event type that neither the match nor its game has."""


_EVERY_TYPE = frozenset(
    kind.__name__
    for kinds in (MATCH_EVENTS, *(game.event_types for game in GAMES.values()))
    for kind in kinds
)


def _unknown(name: str) -> ValueError:
    """Return the error for a type that is not this game's: a mistake if another game has it."""
    return UnknownEventType(name) if name in _EVERY_TYPE else NewerRelease(f"the event {name}")


class Codec:
    """Reads the events of matches of one game under one rules number, written in one format."""

    def __init__(self, event_types: Iterable[type[Event]], written: int = FORMAT) -> None:
        self._written = written
        self._types: Mapping[str, type[Event]] = {kind.__name__: kind for kind in event_types}
        self._decoders: Mapping[str, msgspec.json.Decoder[Event]] = {
            name: msgspec.json.Decoder(kind) for name, kind in self._types.items()
        }

    def kind(self, envelope: Envelope) -> type[Event]:
        """Return the class of the event in an envelope, sealed or not.

        Raises:
            UnknownEventType: This game has no such type.
            NewerRelease: No game has it.
        """
        kind = self._types.get(envelope.type)
        if kind is None:
            raise _unknown(envelope.type)
        return kind

    def event(self, envelope: Envelope, openings: tuple[Opening, ...]) -> Event:
        """Return the event with all its values; needs all its openings.

        Raises:
            UnknownEventType: This game has no such type.
            NewerRelease: A newer release wrote it.
            msgspec.ValidationError: The data does not fit the type, or a field is still sealed.
        """
        if self._written != FORMAT:
            data = unseal(msgspec.json.decode(envelope.data), openings)
            return self._converted(*upcast(self._written, envelope.type, data))
        decoder = self._decoders.get(envelope.type)
        if decoder is None:
            raise _unknown(envelope.type)
        if not openings:
            return decoder.decode(envelope.data)
        return self._converted(envelope.type, unseal(msgspec.json.decode(envelope.data), openings))

    def _converted(self, name: str, data: dict[str, Any]) -> Event:
        if name not in self._types:
            raise _unknown(name)
        return msgspec.convert(data, self._types[name], str_keys=True)


@cache
def codec_of(game: str, rules: int, written: int = FORMAT) -> Codec:
    """Return the codec for a game's logs of a format.

    Raises:
        NewerRelease: This release has no such game, or not under that rules number.
    """
    if (game, rules) not in GAMES:
        raise NewerRelease(f"{game} under rules number {rules}")
    return Codec((*MATCH_EVENTS, *GAMES[game, rules].event_types), written)


class _OnlyFormat(msgspec.Struct, frozen=True):
    format: int = 1


class _Creation(msgspec.Struct, frozen=True):
    terms: _OnlyFormat


def creation_codec(envelope: Envelope) -> Codec:
    """Return the codec that reads a log's first event, which says which codec reads the rest.

    Raises:
        msgspec.DecodeError: It is not a first event.
    """
    return _creation_codec(msgspec.json.decode(envelope.data, type=_Creation).terms.format)


@cache
def _creation_codec(written: int) -> Codec:
    return Codec(MATCH_EVENTS, written)


CREATION_CODEC = Codec(MATCH_EVENTS)
"""Reads the events of a gathering match, in the present format."""

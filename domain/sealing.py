"""Sealed parts: what an event tells everybody, and what it tells only some.

An event class names its sealed fields in ``SEALED``. When the event is stored, each sealed field of the public
envelope is replaced by a commitment, ``{"sealed": "<64 hex digits>"}``, and the value goes into an opening that
lists who may see it. Redacting an event for a viewer means dropping the openings that are not theirs, with one
function for all games.

``salt = HMAC-SHA256(seed, "<version>/<field>")`` (the seed's 32 bytes; ``field`` is the name, or ``name/<index>``
for an element), ``commitment = SHA-256(salt || canonical JSON of the value)``.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, ClassVar

import msgspec

from domain.canonical import canonical_json
from domain.viewers import Viewer


class Audience(Enum):
    """Who may open a sealed field before the match is over."""

    NOBODY = "nobody"
    SEAT = "seat"
    """The seat that the event's field ``seat`` names."""
    EACH_SEAT = "each seat"
    """The field is a tuple by seat; each element is sealed separately, for its seat."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base of all events: facts in the past tense. The class name is the event's type on the wire.

    New fields come last and have defaults. Types never change: stored matches are read for ever.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {}


class Opening(msgspec.Struct, frozen=True, omit_defaults=True):
    """The key to one commitment.

    Attributes:
        field: Path of the sealed field in the event's data: ``pile`` or ``hands/2``.
        salt: 64 hexadecimal digits.
        value: The JSON value that was sealed.
        seats: The seats that may see it while the match runs; empty if none may.
    """

    field: str
    salt: str
    value: msgspec.Raw
    seats: tuple[int, ...] = ()


def salt_of(seed: str, version: int, field: str) -> bytes:
    """Return the 32 bytes that salt one field of one event."""
    return hmac.digest(bytes.fromhex(seed), f"{version}/{field}".encode(), "sha256")


def commitment_of(salt: bytes, canonical_value: bytes) -> str:
    """Return the commitment, as hexadecimal, to a value given as canonical JSON."""
    return hashlib.sha256(salt + canonical_value).hexdigest()


def seal(event: Event, version: int, seed: str) -> tuple[dict[str, Any], tuple[Opening, ...]]:
    """Split an event into its public data and its openings."""
    data: dict[str, Any] = msgspec.to_builtins(event)
    openings: list[Opening] = []
    for name, audience in event.SEALED.items():
        if audience is Audience.EACH_SEAT:
            values = data.get(name, ())
            data[name] = [
                _seal_value(seed, version, f"{name}/{seat}", value, (seat,), openings)
                for seat, value in enumerate(values)
            ]
        else:
            seats = (event.seat,) if audience is Audience.SEAT else ()  # type: ignore[attr-defined]
            data[name] = _seal_value(seed, version, name, data.get(name), seats, openings)
    return data, tuple(openings)


def _seal_value(
    seed: str, version: int, field: str, value: object, seats: tuple[int, ...], openings: list[Opening]
) -> dict[str, str]:
    salt = salt_of(seed, version, field)
    text = canonical_json(value)
    openings.append(Opening(field, salt.hex(), msgspec.Raw(text), seats))
    return {"sealed": commitment_of(salt, text)}


def unseal(data: dict[str, Any], openings: Iterable[Opening]) -> dict[str, Any]:
    """Put opened values back into an event's public data. Fields without an opening stay sealed."""
    for opening in openings:
        name, _, index = opening.field.partition("/")
        value = msgspec.json.decode(opening.value)
        if index:
            data[name][int(index)] = value
        else:
            data[name] = value
    return data


def sealed_fields(data: Mapping[str, object]) -> dict[str, str]:
    """Return the commitments in an event's public data, by path."""
    found: dict[str, str] = {}
    for name, value in data.items():
        if _is_commitment(value):
            found[name] = value["sealed"]  # type: ignore[index]
        elif isinstance(value, list):
            for index, element in enumerate(value):
                if _is_commitment(element):
                    found[f"{name}/{index}"] = element["sealed"]
    return found


def audiences(kind: type[Event], data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return which seats may open each sealed field of an event's data, by path, as its class declares."""
    found: dict[str, tuple[int, ...]] = {}
    for name, audience in kind.SEALED.items():
        if audience is Audience.EACH_SEAT:
            found |= {f"{name}/{seat}": (seat,) for seat in range(len(data[name]))}
        else:
            found[name] = (data["seat"],) if audience is Audience.SEAT else ()
    return found


def _is_commitment(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"sealed"}


def may_open(opening: Opening, viewer: Viewer) -> bool:
    """Tell whether a viewer may have an opening."""
    return viewer.everything or (viewer.seat is not None and viewer.seat in opening.seats)


def redact(openings: Iterable[Opening], viewer: Viewer) -> tuple[Opening, ...]:
    """Return the openings that a viewer may have."""
    return tuple(opening for opening in openings if may_open(opening, viewer))

"""Canonical JSON: one byte string per value, the same in every release and in every language.

Keys sorted by code point, no white space, UTF-8, no escapes beyond those that JSON requires, integers only.
"""

import hashlib

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: object) -> bytes:
    """Return the canonical JSON of a value built from Structs, mappings, sequences, strings and integers."""
    return _ENCODER.encode(value)


def digest(value: object) -> str:
    """Return the SHA-256 of the value's canonical JSON, in lower-case hexadecimal."""
    return hashlib.sha256(_ENCODER.encode(value)).hexdigest()

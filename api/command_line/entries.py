"""Printing entries of a log for operators: the public envelope and, where that was asked for, what is sealed in it."""

from collections.abc import Iterable

import msgspec

from api.command_line.output import say, say_stored
from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.sealing import unseal


def print_entries(entries: Iterable[StoredEntry], *, as_json: bool, opened: bool = False) -> None:
    """Print public envelopes, the stored bytes or columns; opened ones with the sealed values in their places."""
    for stored in entries:
        try:
            entry = _opened(stored) if opened else stored
            columns = "" if as_json else _columns(entry)
        except (msgspec.DecodeError, ValueError, TypeError, LookupError):
            # Somebody has written into the log what is no event; an operator is to see just that.
            entry, columns = stored, f"{stored.version:>5}  cannot be read: {stored.e!r}"
        if as_json:
            say_stored(entry.e)
        else:
            say(columns)


def _opened(entry: StoredEntry) -> StoredEntry:
    envelope = decode_envelope(entry.e)
    data = unseal(msgspec.json.decode(envelope.data), decode_openings(entry.s))
    open_envelope = msgspec.structs.replace(envelope, data=msgspec.Raw(msgspec.json.encode(data)))
    return msgspec.structs.replace(entry, e=msgspec.json.encode(open_envelope))


def _columns(entry: StoredEntry) -> str:
    envelope = decode_envelope(entry.e)
    by = f"{envelope.actor} by {envelope.door}"
    note = f" ({envelope.note})" if envelope.note else ""
    return f"{entry.version:>5}  {envelope.at}  {envelope.type:<16} {by:<28} {bytes(envelope.data).decode()}{note}"

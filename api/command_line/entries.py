"""Printing entries of a log for operators: the public envelope, nothing else."""

from collections.abc import Iterable

import click

from api.command_line.output import say
from domain.entries import StoredEntry, decode_envelope


def print_entries(entries: Iterable[StoredEntry], *, as_json: bool) -> None:
    """Print the public envelopes of entries.

    Args:
        entries: The entries.
        as_json: The stored bytes as they are, one event a line, instead of columns.
    """
    for entry in entries:
        if as_json:
            click.echo(entry.e)
        else:
            say(_columns(entry))


def _columns(entry: StoredEntry) -> str:
    envelope = decode_envelope(entry.e)
    by = f"{envelope.actor} by {envelope.door}"
    note = f" ({envelope.note})" if envelope.note else ""
    return f"{entry.version:>5}  {envelope.at}  {envelope.type:<16} {by:<28} {bytes(envelope.data).decode()}{note}"

"""Printing."""

import click
import msgspec

from services.process.foreign_text import visible


def say(text: str = "") -> None:
    """Print lines for people."""
    for line in text.split("\n"):
        click.echo(visible(line))


def tell(text: str) -> None:
    """Print a line on standard error: what is told about the work, not its result."""
    click.echo(visible(text), err=True)


def say_json(value: object) -> None:
    """Print a value as one line of JSON, for programs."""
    say_stored(msgspec.json.encode(value))


def say_stored(line: bytes) -> None:
    """Print a line of JSON as it was stored: the same bytes, unless they hold what no release of ours writes."""
    click.echo(visible(line.decode(errors="backslashreplace")))


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a number with what it counts: ``1 match``, ``2 matches``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def say_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print rows in columns."""
    head, *rows = (tuple(map(visible, row)) for row in (head, *rows))
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

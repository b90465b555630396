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


def say_table(
    head: tuple[str, ...], rows: list[tuple[str, ...]], begun: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Print rows in columns; return how wide these are.

    With the widths of the rows before, it goes on below them, without a head.
    """
    head, *rows = (tuple(map(visible, row)) for row in (head, *rows))
    least = begun or (0,) * len(head)
    widths = tuple(
        max(width, *(len(row[column]) for row in (head, *rows))) for column, width in enumerate(least)
    )
    for row in rows if begun else (head, *rows):
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return widths

"""Printing."""

import unicodedata

import click
import msgspec


def clean(text: str) -> str:
    """Return a text without characters that could command the terminal.

    Logs and answers hold text that somebody else has written.
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character) == "Cc" else character
        for character in text
    )


def say(text: str = "") -> None:
    """Print lines for people."""
    for line in text.split("\n"):
        click.echo(clean(line))


def tell(text: str) -> None:
    """Print a line on standard error: what is told about the work, not its result."""
    click.echo(clean(text), err=True)


def say_json(value: object) -> None:
    """Print a value as one line of JSON, for programs: nothing is cleaned away."""
    click.echo(msgspec.json.encode(value))


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a number with what it counts: ``1 match``, ``2 matches``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def say_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print rows in columns."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

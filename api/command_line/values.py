"""Values on the command line that have a form of their own, and are refused at once when they do not fit it."""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import click

from domain.match.decide_operator import LONGEST_REASON, is_reason
from services.log.event_store.checks import is_match_id


class Text(click.ParamType[str]):
    """A text that fits a form, less what it may have at its end; else refused in a sentence with its ``{value}``."""

    def __init__(self, name: str, fits: Callable[[str], object], wrong: str, *, ends: str = "") -> None:
        self.name = name
        self.wrong: Final = wrong
        self._fits: Final = fits
        self._ends: Final = ends

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        text = str(value)
        if not self._fits(text):
            self.fail(self.wrong.format(value=repr(text)), param, ctx)
        return text.rstrip(self._ends) if self._ends else text


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and parts.port != 0
            and not (parts.query or parts.fragment)
        )
    except ValueError:
        return False


MATCH_ID: Final = Text(
    "match", is_match_id, "{value} is not a valid match id: it has 1 to 64 letters, digits, - and _."
)
REASON: Final = Text("reason", is_reason, f"Give a reason: one line of 1 to {LONGEST_REASON} characters.")
EYES: Final = Text(
    "who",
    # Whether the table has such a seat is seen later.
    re.compile(r"spectator|everything|seat\d{1,3}").fullmatch,
    "{value} is nobody: say spectator, everything, or seat0, seat1, ...",
)
SERVER_ADDRESS: Final = Text(
    "url", _is_web_address, "{value} is not an address such as https://cards.example.org.", ends="/"
)

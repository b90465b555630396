"""Values on the command line that have a form of their own, and are refused at once when they do not fit it."""

import re
from typing import Final
from urllib.parse import urlsplit

import click

from domain.match.decide_operator import LONGEST_REASON, is_reason
from services.log.event_store.checks import is_match_id

_EYES: Final = re.compile(r"spectator|everything|seat\d{1,3}").fullmatch


class MatchId(click.ParamType[str]):
    """A match's id."""

    name = "match"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the id."""
        if not is_match_id(str(value)):
            self.fail(
                f"{value!r} is not a valid match id: it has 1 to 64 letters, digits, - and _.", param, ctx
            )
        return str(value)


class Reason(click.ParamType[str]):
    """Why an operator does something."""

    name = "reason"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the reason."""
        if not is_reason(str(value)):
            self.fail(f"Give a reason: one line of 1 to {LONGEST_REASON} characters.", param, ctx)
        return str(value)


class Eyes(click.ParamType[str]):
    """Whose eyes look at a match. Whether the table has such a seat is seen later."""

    name = "who"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word as it was given."""
        if not _EYES(str(value)):
            self.fail(f"{value!r} is nobody: say spectator, everything, or seat0, seat1, ...", param, ctx)
        return str(value)


class ServerAddress(click.ParamType[str]):
    """Where a service answers over HTTP."""

    name = "url"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the address without a slash at its end."""
        address = str(value)
        if not _is_web_address(address):
            self.fail(f"{value!r} is not an address such as https://cards.example.org.", param, ctx)
        return address.rstrip("/")


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

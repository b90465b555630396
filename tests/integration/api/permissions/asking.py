"""How everybody asks: every row with an address, a browser for each, and the sentences of refusals."""

import re
from collections.abc import Iterator
from typing import Any, Final

from markupsafe import escape

from api.permissions.rules import Rule
from api.permissions.table import RULES
from services.words.refusals import refusal_text
from tests.integration.api.pages.reader import Reader
from tests.integration.api.permissions.house import CLUB, Asker, House, Place

IN_PATHS: Final = {
    "key": "lama",
    "game": "lama",
    "number": "1",
    "request_id": "undo-1",
    "version": "1",
    "given": "0",
    "name": "nothing.css",
    "channel": "mail",
    "seat": "1",
    "member": "m" + "a" * 20,
    "club": CLUB,
    "invitation": "v" + "a" * 20,
    "action": "ready",
}
"""What stands in addresses for everything but the match and secrets."""

NO_SECRET: Final = "0" * 43
"""What opens nothing anywhere."""

ENDING: Final = {"POST /ops/leave"}
"""Routes that end the session that asks: left to their own tests."""

FORMS: Final = {"key": "0" * 32, "version": "1", "move": "draw", "nonce_hash": "3f" * 32, "agree": "yes"}
"""The fields with which any form of a table would be carried out for somebody else."""


def rows(*rules: Rule, but: tuple[Rule, ...] = ()) -> Iterator[tuple[str, str, Rule]]:
    for row, rule in RULES.items():
        if (not rules or rule in rules) and rule not in but and row not in ENDING:
            method, _, address = row.partition(" ")
            yield method, address, rule


def addressed(path: str, match: str) -> str:
    return re.sub(
        r"{(\w+)}", lambda part: match if part[1] == "match" else IN_PATHS.get(part[1], NO_SECRET), path
    )


def browsers(house: House, place: Place) -> Iterator[Asker]:
    """Yield whoever may come with a browser: a false session is none, and a token of one match is no session."""
    yield from (asker for asker in house.askers(place) if asker.proves in {"nothing", "person", "false"})


class Browser:
    """Somebody's browser, and the words that it is refused with."""

    def __init__(self, house: House, asker: Asker) -> None:
        self.reader: Reader = house.reader(asker)
        self.form_token = house.people.form_tokens.of(asker.token or "")

    async def ask(self, method: str, address: str, **fields: str) -> Any:
        if method == "GET":
            return await self.reader.client.get(address)
        return await self.reader.client.post(address, data={"form": self.form_token, **fields})


def code_on(page: str, codes: set[str]) -> str:
    """Return the code whose sentence stands on a page."""
    return next((code for code in sorted(codes) if words_of(code) in page), "")


def words_of(code: str) -> str:
    return str(escape(refusal_text(code, "", {}, "en", game="lama").wrong))

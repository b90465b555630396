"""``tablee refusals``."""

import asyncio
from typing import Any

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.opening import meta_of, opened_log
from api.command_line.options import match_argument
from api.command_line.output import say, say_stored, say_table
from services.log.event_store.contract import Status
from services.words.refusals import refusal_text

_COLUMNS = ("at", "actor", "door", "kind", "code", "command", "trace")


@click.command()
@match_argument
@call_options()
def refusals(*, match: str, call: Call) -> None:
    """Show the last refused commands to a match, each with the reason.

    This answers "the site ate my move". What the table or the rules refused is listed here; what was accepted is in
    `tablee log`. What was refused before anybody looked at the table is in the service log, with match, command and
    code: a request that could not be read, had no token or the wrong one, named no version, or came after the end. What
    is in none of these never arrived. The contents of commands are left out, because they may name cards. The last 50
    refusals are kept until the match goes to the archive.
    """
    with call.log() as log:
        kept, archived = asyncio.run(_read(log.url, match))
    if call.as_json:
        for refusal in kept:
            say_stored(refusal)
    elif kept:
        rows = [_row(msgspec.json.decode(refusal)) for refusal in kept]
        say_table((*(name.upper() for name in _COLUMNS), "WHY"), rows)
    elif archived:
        say("The match is in the archive; what was refused is not kept there.")
    else:
        say("Nothing was refused.")


async def _read(url: str, match: str) -> tuple[list[bytes], bool]:
    async with opened_log(url) as store:
        archived = (await meta_of(store, match)).status is Status.ARCHIVED
        return list(await store.refusals(match)), archived


def _row(refusal: dict[str, Any]) -> tuple[str, ...]:
    code = str(refusal.get("code", ""))
    said = refusal_text(code, "", {}, "en")
    why = "" if code in said.wrong or "{" in said.wrong else said.wrong
    return (*(str(refusal.get(name, "")) for name in _COLUMNS), why)

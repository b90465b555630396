"""``GET /me/turns``: a person's inbox."""

import hashlib
from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.turns import ListedTable, listed
from api.document.operations import IF_NONE_MATCH, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import holds_none_match, wanted_language
from api.requests.inboxes import FinishedWanted, finished_of, inbox_of
from api.requests.queries import number, query
from api.routes.view import not_modified
from domain.games.registry import EXAMPLE
from services.projections.list_positions import mark_of, position_of_mark

USUAL: Final = 20
MOST: Final = 100

MOST_SHOWN: Final = 200
"""How many tables each of the other lists shows."""


class Turns(msgspec.Struct, frozen=True):
    """Your inbox.

    Attributes:
        waiting_for_you: How many tables wait for you, shown or not.
        turns: Tables that wait for you, the first due first; those without a limit by how long they have waited.
        moved: Tables in which something happened since you looked, the newest change first.
        waiting: Tables that wait for others.
        finished: A page of tables that are over, the newest first.
        next: The value of `after` for the next page of finished tables; null if there is none.
    """

    waiting_for_you: int
    turns: tuple[ListedTable, ...]
    moved: tuple[ListedTable, ...]
    waiting: tuple[ListedTable, ...]
    finished: tuple[ListedTable, ...]
    next: str | None


_OPERATION: Final = Operation(
    id="listTurns",
    tag="people",
    description=(
        "All your tables, those that wait for you first. It always equals the log: a table that you have just moved "
        f"at waits for you no longer. Each list but the last shows {MOST_SHOWN} tables at most. A table counts as "
        "looked at when you ask for its view. With a bot's key, the tables are those at which the bot sits."
    ),
    parameters=(
        query_parameter(
            "find",
            "Only finished tables with all these words in the game's name, in the players' names or in the match's id, "
            "whatever their accents and case.",
            {"type": "string"},
            f"{EXAMPLE} zoe",
        ),
        query_parameter(
            "after",
            "The `next` of the previous page of finished tables.",
            {"type": "string"},
            "1764445583123.vb56ltup7amwxyc4ab3n",
        ),
        query_parameter(
            "limit",
            f"The most finished tables to return, up to {MOST}.",
            {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": USUAL},
            "0",
        ),
        IF_NONE_MATCH,
    ),
    answers={
        200: Answer("Your tables.", Turns, ("ETag", "Cache-Control", "Vary")),
        304: Answer("What you have is still right.", headers=("ETag",)),
    },
    problems={400: ("list.after_malformed",), 503: ("store.unavailable",)},
)


@get("/me/turns", operation=_OPERATION)
async def list_turns(request: Http) -> ASGIResponse:
    """List your tables, those that wait for you first."""
    access, language = access_of(request), wanted_language(request)
    # A bot's tables are its own, not its person's.
    person = access.key.id if access.key is not None and access.key.scope == "bot" else access.person
    application, after = parts_of(request).application, query(request, "after")
    limit = min(number(request, "limit", USUAL), MOST)
    position = None if after is None else position_of_mark(after)
    mine = await inbox_of(application, person)
    asked = FinishedWanted(position, limit, query(request, "find") or "")
    finished, inbox = await finished_of(application, mine, asked, language), mine[1]
    turns, moved, waiting, over = [
        tuple(await listed(application, tables[:MOST_SHOWN], language))
        for tables in (inbox.turns, inbox.moved, inbox.waiting, finished.tables)
    ]
    following = mark_of(finished.next) if finished.next else None
    body = Turns(len(inbox.turns), turns, moved, waiting, over, following)
    tag = f'"{hashlib.sha256(msgspec.json.encode(body)).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}
    if holds_none_match(request, tag):
        return not_modified(headers)
    return answer(body, headers=headers)

"""``/me/imports``: matches that a person brings from elsewhere, by their files."""

import asyncio
from typing import Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import MatchCreated, answer, view_for
from api.document.operations import SECRET_KEY, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import fork_body
from api.requests.commands import carry_out
from api.requests.files import proven_file, read_large, room_for_file, take_file
from api.requests.headers import secret_key
from api.requests.queries import number, query
from api.requests.submissions import check, creation, issued_caller
from domain.errors import Malformed
from domain.instants import Instant
from services.bootstrap import present_instant
from services.log.archive.importing import Taken
from services.matches.imports import fork_of_file
from services.people.identity import Holder

_HEADERS: Final = {"Cache-Control": "no-store"}

_CARDS: Final = ("same", "anew")

_REFUSED: Final = (
    "import.no_file",
    "export.malformed",
    "export.truncated",
    "export.too_large",
    "export.format_unknown",
    "import.rules_unknown",
    "import.format_unknown",
    "import.newer_release",
    "import.id_malformed",
    "import.several",
    "import.redacted",
    "import.not_over",
    "import.broken_log",
    "import.altered",
    "import.impossible_position",
)
"""Codes of files that hold no match that could be taken in."""

_FILE: Final = (
    "A match's file (`GET /m/{match}/file`), compressed or not, or the page that somebody took along "
    "(`GET /m/{match}/keepsake`)."
)


class ImportedMatch(msgspec.Struct, frozen=True):
    """A match that came from elsewhere.

    Attributes:
        match: The match's id, the same as where it was played.
        since: When it was first brought here; null for one that was played here.
    """

    match: str
    since: Instant | None


class ImportList(msgspec.Struct, frozen=True):
    """The matches that you have brought.

    Attributes:
        imports: The latest first.
    """

    imports: tuple[ImportedMatch, ...]


class Brought(msgspec.Struct, frozen=True):
    """What became of a file.

    Attributes:
        match: The match's id, under which it can be looked at and replayed.
        known: Whether the same match was here already; then nothing was changed.
    """

    match: str
    known: bool


_LIST: Final = Operation(
    id="listImports",
    tag="replay",
    description="A match is somebody's claim if it has a `since`: nobody here can tell who played it, or when.",
    answers={200: Answer("What you have brought.", ImportList)},
    problems={503: ("store.unavailable",)},
)
_TAKE: Final = Operation(
    id="importMatch",
    tag="replay",
    description=(
        "The body is the file itself. All of it is verified first, every command decided again by the rules. A match "
        "that is not over, that is known here with another history, or that names players of this installation, is "
        "refused, and then nothing has changed. A private match is shown to whoever brought it, and to nobody else. "
        "Sending the same file again is harmless."
    ),
    file=_FILE,
    answers={200: Answer("It is here.", Brought)},
    problems={
        409: ("import.differs_here",),
        422: (*_REFUSED, "import.in_future", "import.known_players", "import.too_many", "import.off"),
        503: ("store.unavailable", "outcome.unknown"),
    },
)
_FORK: Final = Operation(
    id="forkFile",
    tag="tables",
    description=(
        "The body is the file itself; the match in it does not come into the log. The answer is that of making a "
        "table: one seat for a person, bots on the others."
    ),
    file=_FILE,
    parameters=(
        SECRET_KEY,
        query_parameter(
            "at",
            "The version of the position; left out, the last one at which somebody is to move.",
            {"type": "integer", "minimum": 1, "maximum": 999_999_999},
            "40",
        ),
        query_parameter(
            "seat", "The person's seat, from 0 on.", {"type": "integer", "minimum": 0, "maximum": 999}, "0"
        ),
        query_parameter(
            "cards",
            "Whether the cards to come are the match's (`same`), or those that the seat did not know are dealt anew.",
            {"type": "string", "enum": list(_CARDS)},
            "same",
        ),
    ),
    answers={201: Answer("The table is made.", MatchCreated, ("Location",))},
    problems={
        409: ("match.exists",),
        422: (
            *_REFUSED,
            "fork.no_such_position",
            "fork.nothing_to_play",
            "seat.unknown",
            "rules.unknown",
            "game.unknown",
            "seats.number",
            "command.id_reused",
        ),
        503: ("store.unavailable", "outcome.unknown"),
    },
)


@get("/me/imports", operation=_LIST)
async def list_imports(request: Http) -> ASGIResponse:
    """List the matches that you have brought from elsewhere."""
    imported, person = parts_of(request).application.imported, access_of(request).person
    matches = await imported.of(person)
    since = await imported.since(matches)
    found = (ImportedMatch(match, instant or None) for match, instant in zip(matches, since, strict=True))
    return answer(ImportList(tuple(found)), headers=_HEADERS)


@post("/me/imports", operation=_TAKE, status_code=200)
async def import_match(request: Http) -> ASGIResponse:
    """Bring a match from elsewhere by its file."""
    async with room_for_file():
        one = await proven_file(request, await read_large(request))
        taken = await take_file(request, access_of(request).person, one)
    return answer(Brought(one.position.match, taken is Taken.KNOWN), headers=_HEADERS)


@post("/me/imports/fork", operation=_FORK)
async def fork_file(request: Http) -> ASGIResponse:
    """Make a table that begins with a position of a match in a file."""
    parts, person, key = parts_of(request), access_of(request).person, secret_key(request)
    at, seat = number(request, "at", 0, least=1) if query(request, "at") else 0, number(request, "seat", 0)
    cards = query(request, "cards") or _CARDS[0]
    if cards not in _CARDS:
        raise Malformed("query.malformed", f"`cards` is one of: {', '.join(_CARDS)}.")
    async with room_for_file():
        one = await proven_file(request, await read_large(request))
        fork = await asyncio.to_thread(fork_of_file, one, at, same_cards=cards == _CARDS[0], seat=seat)
    body = fork_body(fork, len(one.position.state.seats))
    issued = parts.application.identity.for_new_match(key)
    submission = creation(issued_caller("api", issued), issued.match, body, fork)
    # What will be refused leaves no trace.
    check(submission)
    holder = Holder(issued.match, issued.player, "host")
    await parts.application.memberships.collect(person, holder, present_instant())
    outcome = await carry_out(parts, submission, person)
    view = view_for(outcome.position, None)
    location = {"Location": f"/api/v1/matches/{issued.match}"}
    return answer(MatchCreated(issued.match, outcome.last, "", view), 201, location)


ROUTES: Final = (list_imports, import_match, fork_file)

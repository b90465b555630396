"""``/clubs/{club}/records``: the club's hall of records, by game."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.records import RecordShown
from api.answering.spreadsheets import CSV, csv_answer
from api.document.operations import Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.clubs import club_of
from api.requests.headers import wanted_language
from api.requests.queries import query
from api.requests.records import records_asked
from api.routes.clubs.club import HEADERS
from domain.errors import Malformed
from domain.games.registry import CURRENT, EXAMPLE


class ClubRecords(msgspec.Struct, frozen=True):
    """The records of a club in one game.

    Attributes:
        game: The game.
        games: The games of which the club has results.
        records: The best three of each; among those that are level, who was first comes first.
    """

    game: str
    games: tuple[str, ...]
    records: tuple[RecordShown, ...]


_OPERATION: Final = Operation(
    id="showClubRecords",
    tag="clubs",
    description=(
        "Made of the club's finished matches in which at least two people sat, but for those whose table chose that "
        "their result does not count. What a bot did for somebody is nobody's record."
    ),
    parameters=(
        query_parameter("game", "Which game.", {"type": "string", "enum": sorted(CURRENT)}, EXAMPLE),
        query_parameter(
            "format", "In which form.", {"type": "string", "enum": ["json", "csv"], "default": "json"}, "csv"
        ),
    ),
    answers={
        200: Answer(
            "The records.",
            ClubRecords,
            media={
                "application/json": {"$ref": "#/components/schemas/ClubRecords"},
                CSV: {"type": "string", "description": "The records, a line each (RFC 4180)."},
            },
        )
    },
    problems={400: ("query.malformed", "query.repeated"), 503: ("store.unavailable",)},
)


@get("/clubs/{club:str}/records", operation=_OPERATION)
async def show_records(request: Http) -> ASGIResponse:
    """Show the records of a club."""
    parts = parts_of(request)
    club = await club_of(request, access_of(request).person)
    form = query(request, "format") or "json"
    if form not in {"json", "csv"}:
        raise Malformed("query.malformed", "`format` is one of: json, csv.")
    asked = await records_asked(request, parts, club, wanted_language(request))
    if form == "csv":
        return csv_answer(RecordShown, asked.records, f"records-{asked.game}", HEADERS)
    return answer(ClubRecords(asked.game, asked.games, asked.records), headers=HEADERS)

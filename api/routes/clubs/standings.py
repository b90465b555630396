"""``/clubs/{club}/standings``: who has done how well, by game and season."""

from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.spreadsheets import CSV, csv_answer
from api.answering.standings import ClubStandings, StandingShown, shown_meetings, shown_standings
from api.document.operations import Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.clubs import club_of
from api.requests.headers import wanted_language
from api.requests.queries import query
from api.requests.standings import called_in, standings_asked, standings_of
from api.routes.clubs.club import HEADERS
from domain.errors import Malformed
from domain.games.registry import CURRENT, EXAMPLE
from services.standings.seasons import LENGTHS
from services.standings.table import head_to_head

_OPERATION: Final = Operation(
    id="showClubStandings",
    tag="clubs",
    description=(
        "Made of the club's finished matches, but for those whose table chose that their result does not count. "
        "Matches in which a bot moved for somebody, or in which one person played with bots, are counted apart. "
        "Ratings are by the Plackett-Luce model; the list is sorted by `rating` less three times `doubt`."
    ),
    parameters=(
        query_parameter("game", "Which game.", {"type": "string", "enum": sorted(CURRENT)}, EXAMPLE),
        query_parameter(
            "length",
            "How long seasons are.",
            {"type": "string", "enum": list(LENGTHS), "default": "year"},
            "quarter",
        ),
        query_parameter("season", "Which season; left out, the newest.", {"type": "string"}, "2026"),
        query_parameter(
            "against",
            "A member, by their id, for how they did against each other.",
            {"type": "string"},
            "ms4e2",
        ),
        query_parameter(
            "format", "In which form.", {"type": "string", "enum": ["json", "csv"], "default": "json"}, "csv"
        ),
    ),
    answers={
        200: Answer(
            "The standings.",
            ClubStandings,
            media={
                "application/json": {"$ref": "#/components/schemas/ClubStandings"},
                CSV: {"type": "string", "description": "The standings, a line each (RFC 4180)."},
            },
        )
    },
    problems={400: ("query.malformed", "query.repeated"), 503: ("store.unavailable",)},
)


@get("/clubs/{club:str}/standings", operation=_OPERATION)
async def show_standings(request: Http) -> ASGIResponse:
    """Show who has done how well in a club."""
    parts, language = parts_of(request), wanted_language(request)
    club = await club_of(request, access_of(request).person)
    form = query(request, "format") or "json"
    if form not in {"json", "csv"}:
        raise Malformed("query.malformed", "`format` is one of: json, csv.")
    asked = await standings_asked(request, parts, club)
    found = await standings_of(asked)
    called = await called_in(parts, club, (one.person for one in found), language)
    shown = shown_standings(found, called)
    if form == "csv":
        return csv_answer(StandingShown, shown, f"standings-{asked.file_name}", HEADERS)
    against = query(request, "against")
    person = next((one.person for one in club.members if one.id == against), "")
    meetings = shown_meetings(head_to_head(asked.results, person), called) if person else ()
    body = ClubStandings(asked.game, asked.season, asked.seasons, len(asked.results), shown, meetings)
    return answer(body, headers=HEADERS)

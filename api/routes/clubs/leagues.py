"""``/clubs/{club}/leagues``: leagues of several tables, their schedules and tables of results."""

from typing import Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.leagues import (
    LeagueList,
    LeagueRowShown,
    LeagueShown,
    called,
    league_rows,
    row_of_league,
    shown_league,
)
from api.answering.spreadsheets import CSV, csv_answer
from api.document.operations import COMMAND_ID, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.clubs import club_of
from api.requests.headers import command_id, wanted_language
from api.requests.leagues import LeagueBody, league_of
from api.requests.queries import query
from api.routes.clubs.club import HEADERS
from domain.errors import Malformed
from domain.games.registry import EXAMPLE
from services.bootstrap import present_instant
from services.people.clubs.changes import member_of, require
from services.standings.leagues.changes import asked, made

_BODY: Final = msgspec.json.Decoder(LeagueBody)

REFUSED: Final = (
    "league.name_missing",
    "league.rounds_out_of_range",
    "league.days_out_of_range",
    "league.unknown_points",
    "league.places_unasked",
    "league.places_invalid",
    "league.starts_too_early",
    "game.unknown",
    "options.invalid",
    "seats.number",
    "bot.unknown_level",
    "clock.absent_unknown",
    "clock.out_of_range",
    "undo.unknown_policy",
    "visibility.unknown",
)

_LIST: Final = Operation(
    id="listLeagues",
    tag="clubs",
    description="Those that are open for signing up, running and over.",
    answers={200: Answer("The leagues.", LeagueList)},
    problems={503: ("store.unavailable",)},
)
_MAKE: Final = Operation(
    id="makeLeague",
    tag="clubs",
    description=(
        "For members and hosts. You may run it, as the club's hosts may. Its terms do not change. Nobody takes part "
        "who has not signed up, you neither."
    ),
    parameters=(COMMAND_ID,),
    body=LeagueBody,
    examples={
        "everybody meets everybody, at tables of four": {"name": "Winter", "game": EXAMPLE, "seats": 4},
        "an evening of four rounds, with points for places": {
            "name": "Friday night",
            "game": EXAMPLE,
            "seats": 4,
            "rounds": 4,
            "days": 1,
            "waits": False,
            "points": "places",
            "places": [5, 3, 1],
            "bots": "normal",
        },
    },
    answers={201: Answer("The league is made.", LeagueShown, ("Location",))},
    problems={
        404: ("member.unknown",),
        409: ("league.too_many", "league.full"),
        422: REFUSED,
        503: ("store.unavailable", "match.contended"),
    },
)
_SHOW: Final = Operation(
    id="showLeague",
    tag="clubs",
    description=(
        "With its schedule and its table of results, which is counted from how its matches ended. Points are exact; "
        "they are rounded here."
    ),
    parameters=(
        query_parameter(
            "format",
            "In which form: all of it, or the table of results as a spreadsheet.",
            {"type": "string", "enum": ["json", "csv"], "default": "json"},
            "csv",
        ),
    ),
    answers={
        200: Answer(
            "The league.",
            LeagueShown,
            media={
                "application/json": {"$ref": "#/components/schemas/LeagueShown"},
                CSV: {"type": "string", "description": "The table of results, a line each (RFC 4180)."},
            },
        )
    },
    problems={400: ("query.malformed",), 404: ("league.unknown",), 503: ("store.unavailable",)},
)


@get("/clubs/{club:str}/leagues", operation=_LIST)
async def list_leagues(request: Http) -> ASGIResponse:
    """List the leagues of a club."""
    person = access_of(request).person
    club = await club_of(request, person)
    found = await parts_of(request).application.clubs.leagues.of_club(club.id)
    return answer(LeagueList(tuple(row_of_league(one, person) for one in found)), headers=HEADERS)


@post("/clubs/{club:str}/leagues", operation=_MAKE)
async def make_league(request: Http) -> ASGIResponse:
    """Make a league."""
    person, parts, now = access_of(request).person, parts_of(request), present_instant()
    key, body = command_id(request, required=False), await read(request, _BODY)
    club = await club_of(request, person)
    require(club, person, "make_leagues")
    league_id = parts.application.identity.for_new_league(club.id, person, key)
    league = made(league_id, club, person, body.name, body.terms(club), now)
    league = asked(league, [member_of(club, one).person for one in body.ask])
    kept = await parts.application.clubs.leagues.create(league)
    shown = await shown_league(parts, club, kept, person, wanted_language(request))
    return answer(shown, 201, {**HEADERS, "Location": f"/api/v1/clubs/{club.id}/leagues/{kept.id}"})


@get("/clubs/{club:str}/leagues/{league:str}", operation=_SHOW)
async def show_league(request: Http) -> ASGIResponse:
    """Show a league: who takes part, the schedule, and the table of results."""
    person, parts, language = access_of(request).person, parts_of(request), wanted_language(request)
    form = query(request, "format") or "json"
    if form not in {"json", "csv"}:
        raise Malformed("query.malformed", "`format` is one of: json, csv.")
    club = await club_of(request, person)
    league = await league_of(request, club)
    if form == "csv":
        standing = await parts.application.league_reader.standing(league)
        entrants, _ = await called(parts.application.persons, club, league, language)
        return csv_answer(LeagueRowShown, league_rows(standing, entrants), f"league-{league.id}", HEADERS)
    return answer(await shown_league(parts, club, league, person, language), headers=HEADERS)


ROUTES: Final = (list_leagues, make_league, show_league)

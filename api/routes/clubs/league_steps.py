"""``/clubs/{club}/leagues/{league}/…``: taking part, asking people, beginning, calling off, settling tables."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import msgspec
from litestar import delete, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.leagues import LeagueShown, shown_league
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.clubs import club_of, member_id
from api.requests.headers import wanted_language
from api.requests.leagues import LeagueAskBody, LeagueStepBody, league_of
from api.routes.clubs.club import HEADERS
from services.bootstrap import present_instant
from services.people.clubs.changes import member_of, require
from services.people.clubs.club import Club
from services.people.clubs.league import League
from services.people.clubs.leagues import Leagues
from services.standings.leagues.changes import asked, require_run, signed_up
from services.standings.leagues.running import LeagueRunner

_ASK_BODY: Final = msgspec.json.Decoder(LeagueAskBody)
_BODY: Final = msgspec.json.Decoder(LeagueStepBody)

_ANSWERS: Final = {200: Answer("The league, as it is now.", LeagueShown)}
_STORE: Final = {503: ("outcome.unknown", "store.unavailable", "match.contended")}
_EMPTY: Final[Mapping[str, object]] = {"nothing to say": {}}

_SIGN_UP: Final = Operation(
    id="signUpForLeague",
    tag="clubs",
    description="Until the league begins. A seat is then kept for you in each round, or you have a round off.",
    body=LeagueStepBody,
    examples=_EMPTY,
    answers=_ANSWERS,
    problems={
        404: ("league.unknown",),
        409: ("league.begun", "league.over", "league.full", "league.by_invitation"),
        **_STORE,
    },
)
_WITHDRAW: Final = Operation(
    id="withdrawFromLeague",
    tag="clubs",
    description=(
        "Yourself; others if you run the league. Who was only asked declines by it. Once the league has begun, results "
        "stand, tables that have not begun are made anew without you, and the rounds to come are planned anew. Matches "
        "that have begun are played on."
    ),
    answers=_ANSWERS,
    problems={404: ("league.unknown", "member.unknown"), 409: ("league.over",), **_STORE},
)
_ASK: Final = Operation(
    id="askToTakePart",
    tag="clubs",
    description="For those who run the league, until it begins. They answer by signing up, or by withdrawing.",
    body=LeagueAskBody,
    examples={"somebody": {"members": ["na2c4e6g2i4k6m2o4q6s2"]}},
    answers=_ANSWERS,
    problems={
        404: ("league.unknown", "member.unknown"),
        409: ("league.begun", "league.over", "league.full"),
        **_STORE,
    },
)
_BEGIN: Final = Operation(
    id="beginLeague",
    tag="clubs",
    description="For those who run the league. The schedule is made, and the first round opens at once.",
    body=LeagueStepBody,
    examples=_EMPTY,
    answers=_ANSWERS,
    problems={
        404: ("league.unknown",),
        409: ("league.begun", "league.over", "league.too_few"),
        **_STORE,
    },
)
_CALL_OFF: Final = Operation(
    id="callLeagueOff",
    tag="clubs",
    description=(
        "For those who run the league. What was played stands, matches in play are played on, tables that have not "
        "begun close."
    ),
    body=LeagueStepBody,
    examples=_EMPTY,
    answers=_ANSWERS,
    problems={404: ("league.unknown",), 409: ("league.over",), **_STORE},
)
_END_TABLE: Final = Operation(
    id="endLeagueTable",
    tag="clubs",
    description="For those who run the league. The table ends without a result, and counts for nobody.",
    body=LeagueStepBody,
    examples=_EMPTY,
    answers=_ANSWERS,
    problems={404: ("league.unknown",), 409: ("league.table_unknown", "league.table_over"), **_STORE},
)
_PLAY_AGAIN: Final = Operation(
    id="playLeagueTableAgain",
    tag="clubs",
    description=(
        "For those who run the league. A table that ended without a result is made anew for those who still take part, "
        "and has as many days as a round."
    ),
    body=LeagueStepBody,
    examples=_EMPTY,
    answers=_ANSWERS,
    problems={
        404: ("league.unknown",),
        409: (
            "league.over",
            "league.table_unknown",
            "league.table_not_over",
            "league.table_has_result",
        ),
        **_STORE,
    },
)

Step = Callable[[Club, League, str], Awaitable[League]]
"""What somebody does in a league of a club."""


@post("/clubs/{club:str}/leagues/{league:str}/entrants", operation=_SIGN_UP, status_code=200)
async def sign_up(request: Http) -> ASGIResponse:
    """Take part in a league."""
    await read(request, _BODY)

    async def step(club: Club, league: League, person: str) -> League:
        require(club, person, "sit")
        return await _leagues(request).change(
            league.id, lambda present: signed_up(present, person, present_instant())
        )

    return await _stepped(request, step)


@delete("/clubs/{club:str}/leagues/{league:str}/entrants/{member:str}", operation=_WITHDRAW, status_code=200)
async def withdraw(request: Http) -> ASGIResponse:
    """Take no more part in a league, or take somebody out of it."""

    async def step(club: Club, league: League, person: str) -> League:
        whom = member_of(club, member_id(request)).person
        if whom != person:
            require_run(league, club, person)
        return await _runner(request).withdraw(league, whom)

    return await _stepped(request, step)


@post("/clubs/{club:str}/leagues/{league:str}/asked", operation=_ASK, status_code=200)
async def ask(request: Http) -> ASGIResponse:
    """Ask members to take part."""
    body = await read(request, _ASK_BODY)

    async def step(club: Club, league: League, person: str) -> League:
        require_run(league, club, person)
        persons = [member_of(club, one).person for one in body.members]
        return await _leagues(request).change(league.id, lambda present: asked(present, persons))

    return await _stepped(request, step)


@post("/clubs/{club:str}/leagues/{league:str}/begin", operation=_BEGIN, status_code=200)
async def begin(request: Http) -> ASGIResponse:
    """Begin a league."""
    await read(request, _BODY)
    return await _run(request, lambda league: _runner(request).begin(league))


@post("/clubs/{club:str}/leagues/{league:str}/call-off", operation=_CALL_OFF, status_code=200)
async def call_off(request: Http) -> ASGIResponse:
    """Call a league off."""
    await read(request, _BODY)
    return await _run(request, lambda league: _runner(request).call_off(league))


@post("/clubs/{club:str}/leagues/{league:str}/tables/{table:str}/end", operation=_END_TABLE, status_code=200)
async def end_table(request: Http) -> ASGIResponse:
    """End a table without a result."""
    await read(request, _BODY)
    table: str = request.path_params["table"]
    return await _run(request, lambda league: _runner(request).end_table(league, table))


@post(
    "/clubs/{club:str}/leagues/{league:str}/tables/{table:str}/again", operation=_PLAY_AGAIN, status_code=200
)
async def play_again(request: Http) -> ASGIResponse:
    """Have a table played again."""
    await read(request, _BODY)
    table: str = request.path_params["table"]
    return await _run(request, lambda league: _runner(request).again(league, table))


ROUTES: Final = (sign_up, withdraw, ask, begin, call_off, end_table, play_again)


async def _run(request: Http, act: Callable[[League], Awaitable[League]]) -> ASGIResponse:
    """Do what those do who run a league."""

    async def step(club: Club, league: League, person: str) -> League:
        require_run(league, club, person)
        return await act(league)

    return await _stepped(request, step)


async def _stepped(request: Http, step: Step) -> ASGIResponse:
    person = access_of(request).person
    club = await club_of(request, person)
    after = await step(club, await league_of(request, club), person)
    shown = await shown_league(parts_of(request), club, after, person, wanted_language(request))
    return answer(shown, headers=HEADERS)


def _leagues(request: Http) -> Leagues:
    return parts_of(request).application.clubs.leagues


def _runner(request: Http) -> LeagueRunner:
    return parts_of(request).application.league_runner

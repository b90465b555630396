"""``/c/{club}/leagues/{league}``: who takes part, the schedule, the table of results, and what one may do."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.leagues import LeagueRowShown, shown_league
from api.answering.spreadsheets import csv_answer
from api.pages.clubs.club import club_seen
from api.pages.clubs.league_rows import (
    Reader,
    my_tables,
    points_curves,
    result_rows,
    round_rows,
    starts_said,
    terms_said,
)
from api.pages.clubs.rows import member_rows
from api.pages.forms import Form, read_form
from api.pages.plots import HEIGHT, WIDTH
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http
from api.requests.leagues import league_of
from domain.errors import Malformed, Refused
from services.bootstrap import present_instant
from services.people.clubs.changes import member_of, require
from services.people.clubs.club import Club
from services.people.clubs.league import League
from services.standings.leagues.changes import asked, require_run, signed_up
from services.standings.leagues.terms import smallest_table
from services.words.leagues import LEAGUE_STATES
from services.words.phrases import words_in

_PRIVATE: Final = {"Cache-Control": "private, no-store"}

_Act = Callable[[Visit, Club, League, Form], Awaitable[League]]


@get("/c/{club:str}/leagues/{league:str}")
async def show_league(request: Http) -> ASGIResponse:
    """Show a league to somebody of its club."""
    visit = Visit(request)
    club = await club_seen(visit)
    return await _page(visit, club, await league_of(request, club))


@post("/c/{club:str}/leagues/{league:str}")
async def act(request: Http) -> ASGIResponse:
    """Do in a league what the form says."""
    visit = Visit(request)
    form, club = await read_form(visit), await club_seen(visit)
    league, does = await league_of(request, club), _ACTS.get(form.text("does"))
    if does is None:
        raise Malformed("form.malformed", "There is nothing of this name to do.")
    try:
        await does(visit, club, league, form)
    except Refused as refusal:
        league = await league_of(request, club)
        return await _page(visit, club, league, *notice_of(refusal, visit.language, ""))
    return see_other(f"/c/{club.id}/leagues/{league.id}")


@get("/c/{club:str}/leagues/{league:str}/table.csv")
async def download_table(request: Http) -> ASGIResponse:
    """Download a league's table of results as a spreadsheet."""
    visit = Visit(request)
    club = await club_seen(visit)
    league = await league_of(request, club)
    shown = await shown_league(visit.parts, club, league, await visit.person(), visit.language)
    return csv_answer(LeagueRowShown, shown.table, f"league-{league.id}", _PRIVATE)


@get("/c/{club:str}/leagues/{league:str}/league.json")
async def download_league(request: Http) -> ASGIResponse:
    """Download a league with its schedule and its table of results."""
    visit = Visit(request)
    club = await club_seen(visit)
    league = await league_of(request, club)
    shown = await shown_league(visit.parts, club, league, await visit.person(), visit.language)
    file = f'attachment; filename="league-{league.id}.json"'
    return answer(shown, headers={**_PRIVATE, "Content-Disposition": file})


async def _sign_up(visit: Visit, club: Club, league: League, _: Form) -> League:
    person = await visit.person()
    require(club, person, "sit")
    leagues = visit.parts.application.clubs.leagues
    return await leagues.change(league.id, lambda present: signed_up(present, person, present_instant()))


async def _withdraw(visit: Visit, club: Club, league: League, form: Form) -> League:
    person = await visit.person()
    whom = member_of(club, form.text("member")).person if form.text("member") else person
    if whom != person:
        require_run(league, club, person)
    return await visit.parts.application.league_runner.withdraw(league, whom)


async def _ask(visit: Visit, club: Club, league: League, form: Form) -> League:
    require_run(league, club, await visit.person())
    persons = [member_of(club, one).person for one in form.texts("member")]
    leagues = visit.parts.application.clubs.leagues
    return await leagues.change(league.id, lambda present: asked(present, persons))


async def _begin(visit: Visit, club: Club, league: League, _: Form) -> League:
    require_run(league, club, await visit.person())
    return await visit.parts.application.league_runner.begin(league)


async def _call_off(visit: Visit, club: Club, league: League, form: Form) -> League:
    require_run(league, club, await visit.person())
    if not form.text("sure"):
        raise Refused("league.not_sure", "calling off")
    return await visit.parts.application.league_runner.call_off(league)


async def _end(visit: Visit, club: Club, league: League, form: Form) -> League:
    require_run(league, club, await visit.person())
    return await visit.parts.application.league_runner.end_table(league, form.text("table"))


async def _again(visit: Visit, club: Club, league: League, form: Form) -> League:
    require_run(league, club, await visit.person())
    return await visit.parts.application.league_runner.again(league, form.text("table"))


_ACTS: Final[Mapping[str, _Act]] = {
    "sign_up": _sign_up,
    "withdraw": _withdraw,
    "ask": _ask,
    "begin": _begin,
    "call_off": _call_off,
    "end": _end,
    "again": _again,
}


async def _page(
    visit: Visit, club: Club, league: League, notice: Notice | None = None, status: int = 200
) -> ASGIResponse:
    person, language = await visit.person(), visit.language
    shown = await shown_league(visit.parts, club, league, person, language)
    standing = await visit.parts.application.league_reader.standing(league)
    reader = Reader(language, await visit.zone())
    rounds = round_rows(shown, reader)
    taking = {one.member for one in (*shown.entrants, *shown.asked)}
    return page(
        visit,
        "clubs/league.html",
        status=status,
        club=club,
        league=shown,
        state=words_in(language).say(LEAGUE_STATES[shown.state]),
        takes_part=league.takes_part(person),
        is_asked=person in league.invited,
        is_for_me=not league.terms.by_invitation or person in (*league.invited, league.maker),
        fewest=smallest_table(league.terms),
        playing=len(league.playing),
        starts=starts_said(league.terms, reader),
        rounds=rounds,
        mine=my_tables(rounds),
        results=result_rows(shown.table, reader),
        curves=points_curves(standing, shown.entrants),
        width=WIDTH,
        height=HEIGHT,
        terms=terms_said(league.terms, reader),
        others=[(one.id, one.name) for one in await member_rows(visit, club) if one.id not in taking],
        notice=notice,
        here=f"/c/{club.id}/leagues/{league.id}",
    )

"""``/c/{club}/leagues/new``: making a league."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.clubs.club import club_seen
from api.pages.clubs.rows import member_rows
from api.pages.forms import Form, read_form
from api.pages.new_table import CLOCKS, times_to_choose
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.sitting import new_secret_key, secret_key_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import ClockBody
from api.requests.clubs import club_id
from api.requests.leagues import LeagueBody
from domain.errors import Malformed, Refused
from domain.games.registry import CURRENT
from domain.match.clock_terms import LIVE_BELOW
from domain.match.levels import LEVELS
from services.bootstrap import present_instant
from services.people.clubs.changes import member_of, require
from services.people.clubs.club import Club
from services.people.clubs.league import (
    LONGEST_LEAGUE_NAME,
    LONGEST_ROUND,
    MOST_PLACE_POINTS,
    POINTS_RULES,
)
from services.standings.leagues.changes import asked, made, signed_up
from services.standings.leagues.schedule import MOST_ROUNDS
from services.words.leagues import POINTS_NAMES
from services.words.names import game_name, level_name
from services.words.phrases import phrase, words_in

_FIELDS: Final = (
    *("name", "game", "seats", "rounds", "days", "waits", "starts", "by_invitation", "takes_part"),
    *("points", "places", "bots", "clock", "rests", "visibility", "friendly"),
)


@get("/c/{club:str}/leagues/new")
async def show_league_form(request: Http) -> ASGIResponse:
    """Show the form for a new league to somebody who may make one."""
    return await _page(Visit(request), {})


@get("/c/{club:str}/leagues")
async def list_leagues(request: Http) -> ASGIResponse:
    """Show the club to who comes to the address of its leagues."""
    return see_other(f"/c/{club_id(request)}#leagues")


@post("/c/{club:str}/leagues")
async def make_league(request: Http) -> ASGIResponse:
    """Make a league."""
    visit, now = Visit(request), present_instant()
    form, club, person = await read_form(visit), await club_seen(visit), await visit.person()
    require(club, person, "make_leagues")
    application = visit.parts.application
    league_id = application.identity.for_new_league(club.id, person, secret_key_of(form))
    try:
        body = _body(form, club)
        league = made(league_id, club, person, body.name, body.terms(club), now)
        league = asked(league, [member_of(club, one).person for one in body.ask])
        if form.text("takes_part"):
            league = signed_up(league, person, now)
        await application.clubs.leagues.create(league)
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        return await _page(visit, {name: form.text(name) for name in _FIELDS}, form, notice, status)
    return see_other(f"/c/{club.id}/leagues/{league_id}")


def _body(form: Form, club: Club) -> LeagueBody:
    per_turn = form.number("clock", 0)
    fields = {
        "name": form.text("name"),
        "game": form.text("game"),
        "seats": form.number("seats"),
        "rounds": form.number("rounds", 0),
        "days": form.number("days"),
        "waits": form.text("waits") != "no",
        "starts": form.text("starts"),
        "by_invitation": bool(form.text("by_invitation")),
        "ask": form.texts("member"),
        "points": form.text("points"),
        "places": _places(form.text("places")) if form.text("points") == "places" else (),
        "bots": form.text("bots"),
        "clock": msgspec.to_builtins(
            ClockBody(per_turn, rests=bool(form.text("rests")) and per_turn >= LIVE_BELOW)
        ),
        "visibility": form.text("visibility") or club.defaults.visibility,
        "friendly": bool(form.text("friendly")),
    }
    try:
        return msgspec.convert(fields, LeagueBody)
    except msgspec.ValidationError as error:
        raise Malformed("form.malformed", str(error)) from None


def _places(text: str) -> tuple[int, ...]:
    """Return points for places as people write them: ``5 3 1``, with whatever they put between."""
    words = text.replace(",", " ").replace(";", " ").split()
    if any(not word.isdecimal() or not word.isascii() for word in words):
        raise Refused("league.places_invalid", "points", most=len(words), highest=MOST_PLACE_POINTS)
    return tuple(map(int, words))


async def _page(
    visit: Visit,
    chosen: Mapping[str, str],
    form: Form | None = None,
    notice: Notice | None = None,
    status: int = 200,
) -> ASGIResponse:
    club, language = await club_seen(visit), visit.language
    require(club, await visit.person(), "make_leagues")
    words = words_in(language)
    filled: dict[str, Any] = {
        **dict.fromkeys(_FIELDS, ""),
        "days": "7",
        "points": "share",
        "takes_part": "yes",
        "clock": str(club.defaults.clock),
        "visibility": club.defaults.visibility,
        "seats": "4",
        **chosen,
    }
    return page(
        visit,
        "clubs/new_league.html",
        status=status,
        club=club,
        chosen=filled,
        picked=form.texts("member") if form is not None else [],
        others=[(one.id, one.name) for one in await member_rows(visit, club) if not one.is_reader],
        games=[
            (key, game_name(key, language), CURRENT[key].seats[0], CURRENT[key].seats[1])
            for key in sorted(CURRENT)
        ],
        most_seats=max(game.seats[1] for game in CURRENT.values()),
        levels=[(level, level_name(level, language)) for level in LEVELS],
        rules=[(rule, words.say(POINTS_NAMES[rule])) for rule in POINTS_RULES],
        clocks=times_to_choose(CLOCKS, filled["clock"], phrase("no limit"), language),
        most_rounds=MOST_ROUNDS,
        most_days=LONGEST_ROUND,
        longest_name=LONGEST_LEAGUE_NAME,
        key=new_secret_key(),
        notice=notice,
        here=f"/c/{club.id}/leagues/new",
    )

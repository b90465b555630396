"""``/``: my tables, those that wait for me first; or how to start."""

import asyncio
from typing import Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import asks_for_fragment, read_form
from api.pages.offers import offers_of, open_requests
from api.pages.rendering import html_answer, page, rendered, see_other
from api.pages.scene import Scene
from api.pages.tables import names_at
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import BrokenLog
from domain.games.registry import CURRENT
from domain.match.view import match_view, viewer_of
from services.bootstrap import present_instant
from services.errors import MatchClosed, NoSuchMatch
from services.matches.service import seat_of
from services.words.languages import LANGUAGES
from services.words.names import game_name, rules_summary
from services.words.phrases import phrase, words_in

MOST_TABLES: Final = 100
"""How many of the newest tables are listed."""


class Row(msgspec.Struct, frozen=True):
    """A table in the list.

    Attributes:
        waits_for_me: Whether I am to do something.
        deadline: Until when; empty for no limit.
        at: When something happened last.
    """

    match: str
    game: str
    others: str
    state: str
    waits_for_me: bool
    is_over: bool
    deadline: str
    at: str


@get("/")
async def show_tables(request: Http) -> ASGIResponse:
    """List my tables."""
    visit = Visit(request)
    rows = await _rows(visit)
    waiting = sum(row.waits_for_me for row in rows)
    words = words_in(visit.language)
    title = words.say(phrase("● Your turn ({waiting})"), waiting=waiting) if waiting else "Tablée"
    if asks_for_fragment(request):
        tables = rendered("tables.html", visit.language, rows=rows)
        return html_answer(
            rendered("home_fragment.html", visit.language, title=title, turn=bool(waiting), tables=tables)
        )
    games = [(key, game_name(key, visit.language), rules_summary(key, visit.language)[0]) for key in CURRENT]
    return page(visit, "home.html", rows=rows, title=title, turn=bool(waiting), games=sorted(games))


@post("/language")
async def choose_language(request: Http) -> ASGIResponse:
    """Keep a language for this browser; the page that asked comes again in it."""
    visit = Visit(request)
    form = await read_form(visit)
    language, back = form.text("language"), form.text("back", "/")
    # Only a place of our own: nobody is sent elsewhere from here.
    is_ours = back.startswith("/") and not back.startswith(("//", "/\\"))
    cookies = [visit.language_cookie(language)] if language in LANGUAGES else []
    return see_other(back if is_ours else "/", cookies)


async def _rows(visit: Visit) -> list[Row]:
    memberships = await visit.memberships()
    matches = list(dict.fromkeys(membership.holder.match for membership in memberships))[:MOST_TABLES]
    found = await asyncio.gather(*(_row(visit, match) for match in matches))
    rows = sorted((row for row in found if row is not None), key=lambda row: row.at, reverse=True)
    return sorted(rows, key=lambda row: (not row.waits_for_me, row.is_over, row.deadline or "~"))


async def _row(visit: Visit, match: str) -> Row | None:
    held = await visit.held(match)
    try:
        position = await visit.parts.application.reader.head(match)
    except (BrokenLog, NoSuchMatch, MatchClosed):
        # One log that was altered must not take the others from the page.
        return None
    state = position.state
    seat = seat_of(state, held.seat) if held.seat else None
    if seat is None and not held.host:
        return None
    names = await names_at(visit, state)
    scene = Scene(
        view=match_view(position, viewer_of(state, seat)),
        names=names,
        language=visit.language,
        is_host=bool(held.host),
        offers=offers_of(state, seat, present_instant()),
        requests=open_requests(state, seat),
    )
    others = [name for number, name in enumerate(names) if number != seat]
    return Row(
        match=match,
        game=game_name(scene.game_key, visit.language),
        others=", ".join(others),
        state=_state(scene),
        waits_for_me=scene.waits_for_me,
        is_over=scene.is_over,
        deadline=scene.view.deadlines.get(str(seat), ""),
        at=position.at,
    )


def _state(scene: Scene) -> str:
    words = words_in(scene.language)
    match scene.phase, scene.waits_for_me:
        case "gathering", mine:
            said = phrase("waits for you to get ready or to start") if mine else phrase("waits for players")
        case "playing", True:
            said = phrase("your turn") if scene.is_my_turn else phrase("a question for you")
        case "playing", _:
            said = phrase("waits for {names}")
        case "finished", _:
            has_won = scene.seat is not None and scene.seat in scene.view.lifecycle.ranking[0]
            said = phrase("you won") if has_won else phrase("over")
        case _:
            said = phrase("ended without a result")
    return words.say(said, names=scene.awaited)

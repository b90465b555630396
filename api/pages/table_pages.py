"""``/m/{match}``: the table; its fragment, for what has changed; its history."""

from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.moments import AnsweredQuestion, answered, moments_at
from api.pages.games import page_of
from api.pages.guiding import guide_of
from api.pages.imported import imported_since
from api.pages.me import lacks_way_back
from api.pages.preview import preview_of_table
from api.pages.rendering import html_answer, page, see_other
from api.pages.scene import Scene
from api.pages.table import render_fragment, render_table, title_of
from api.pages.tables import Table, scene_of, table_of
from api.pages.talk import talk_html
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from api.requests.queries import number, query
from services.errors import MatchesBusy
from services.people.memberships import Held
from services.words.names import game_name

EVENTS_ON_A_PAGE: Final = 500
"""How many events one page of a history tells of: an ordinary match fits on one or two."""

_CHOICES: Final = frozenset({"take", "flip"})


@get("/m/{match:str}")
async def show_table(request: Http) -> ASGIResponse:
    """Show a table as it stands now."""
    visit = Visit(request)
    table = await table_of(visit, match_of(request))
    scene = await scene_of(visit, table, choice=choice_of(request))
    offers_way_back = scene.seat is not None and await lacks_way_back(visit)
    moments = await _moments(visit, table, scene) if scene.is_over else ()
    imported = await imported_since(visit, table.position)
    return await table_page(visit, scene, offers_way_back=offers_way_back, moments=moments, imported=imported)


@get("/m/{match:str}/fragment")
async def show_fragment(request: Http) -> ASGIResponse:
    """Show the parts of a table, if it has moved on since the version that the reader has."""
    visit, after = Visit(request), number(request, "after", 0)
    table = await table_of(visit, match_of(request))
    if table.position.version <= after:
        return ASGIResponse(status_code=204)
    return fragment(await scene_of(visit, table, choice=choice_of(request)))


@get("/m/{match:str}/history")
async def show_history(request: Http) -> ASGIResponse:
    """Show the history of a match, a page of events at a time; the first page has the oldest."""
    visit = Visit(request)
    table = await table_of(visit, match_of(request))
    version = table.position.version
    pages = max(1, -(-version // EVENTS_ON_A_PAGE))
    chosen = min(number(request, "page", 1, least=1), pages)
    until = min(version, chosen * EVENTS_ON_A_PAGE)
    scene = await scene_of(visit, table, lines=until - (chosen - 1) * EVENTS_ON_A_PAGE, until=until)
    return page(
        visit,
        "history.html",
        scene=scene,
        view=scene.view,
        game_name=_name(scene),
        chosen=chosen,
        pages=pages,
        here=f"/m/{scene.view.match}/history?page={chosen}",
    )


@get(["/m/{match:str}/{action:str}", "/m/{match:str}/move"])
async def come_back(request: Http) -> ASGIResponse:
    """Show the table to who comes back to the address of a form."""
    return see_other(f"/m/{match_of(request)}")


async def table_page(
    visit: Visit,
    scene: Scene,
    status: int = 200,
    *,
    offers_way_back: bool = False,
    moments: tuple[AnsweredQuestion, ...] = (),
    imported: str = "",
) -> ASGIResponse:
    """Answer with a table's whole page."""
    held = await visit.held(scene.view.match)
    partaker = Held(held.seat if scene.seat is not None else "", held.host, held.person)
    talk = await talk_html(visit, scene.view.match, partaker)
    guide = guide_of(visit, scene)
    return page(
        visit,
        "table.html",
        status=status,
        scene=scene,
        parts=render_table(scene),
        title=title_of(scene),
        turn=scene.waits_for_me,
        game_name=_name(scene),
        modules=modules_of(scene, guided=bool(guide)),
        styles=(*styles_of(scene.game_key), *(("guide.css",) if guide else ())),
        talk=talk,
        offers_way_back=offers_way_back,
        view=scene.view,
        moments=moments,
        moments_open=True,
        imported=imported,
        preview=preview_of_table(visit, scene),
        guide=guide,
        here=f"/m/{scene.view.match}",
    )


def fragment(scene: Scene, status: int = 200) -> ASGIResponse:
    """Answer with a table's parts."""
    return html_answer(render_fragment(scene), status=status)


def choice_of(request: Http) -> str:
    """Return which half of a move the reader is at."""
    given = query(request, "choice") or ""
    return given if given in _CHOICES else ""


async def _moments(visit: Visit, table: Table, scene: Scene) -> tuple[AnsweredQuestion, ...]:
    try:
        found = await moments_at(visit.request, table.position, table.seat)
    except MatchesBusy:
        # The table and its result do not wait for what they can do without.
        return ()
    return answered(found, scene.game_key, scene.names, scene.language, table.seat)


def _name(scene: Scene) -> str:
    return game_name(scene.game_key, scene.language)


def modules_of(scene: Scene, *, guided: bool = False) -> tuple[str, ...]:
    """Return the modules of a page that shows a table."""
    # The table goes on without being loaded again when the match begins.
    before = ("nonce.js", "share.js") if scene.phase == "gathering" else ()
    guide = ("guide.js",) if guided else ()
    talk = ("talk.js",) if scene.seat is not None or scene.is_host else ()
    clock = ("countdown.js",) if scene.view.terms.clock.per_turn else ()
    wishes = scene.preferences
    wished = [
        name
        for name, holds in (
            ("motion.js", wishes.motion != "off"),
            ("confirm.js", wishes.confirm),
            ("sound.js", wishes.sound),
        )
        if holds
    ]
    return ("live.js", "sheet.js", *wished, *clock, *before, *guide, *talk, *page_of(scene.game_key).modules)


def styles_of(game: str) -> tuple[str, ...]:
    """Return the style sheets of a page that shows a table of a game."""
    return ("tokens.css", "page.css", *board_styles(game))


def board_styles(game: str) -> tuple[str, ...]:
    """Return those that a page needs besides, to show a table of a game."""
    return ("table.css", "cards.css", *page_of(game).styles)

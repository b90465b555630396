"""Tables that are shown to a browser without a service: any position, drawn by the same renderer, at once."""

from urllib.parse import urlsplit

from msgspec.structs import replace
from playwright.async_api import Page, Route

from api.pages import static_files
from api.pages.rendering import rendered
from api.pages.scene import Scene, last_move_of
from api.pages.table import render_table, title_of
from api.pages.table_pages import modules_of, styles_of
from domain.match.fold import beginning, fold
from domain.match.view import match_view, viewer_of
from services.words.names import game_name
from tests.integration.api.pages.scenes import Played

ADDRESS = "http://tablee.test"


def staged(played: Played, seat: int | None, language: str = "en", **more: object) -> Scene:
    """Return what a seat is shown, compared with what lay there after its own last move and at the round's end."""
    scene = played.scene(seat, language, **more)
    compared = {"before": last_move_of(scene.lines, seat) if scene.is_live and seat is not None else 0}
    ended = scene.scored
    compared["ended"] = 0 if ended is None else ended.version
    found = {
        name: match_view(
            fold(beginning("golden"), played.entries[:version]), viewer_of(played.position.state, seat)
        )
        for name, version in compared.items()
        if 0 < version < scene.view.version
    }
    return replace(scene, **found)


def page_of_table(scene: Scene) -> str:
    """Return the whole page of a table."""
    return rendered(
        "table.html",
        scene.language,
        form_token="token",
        here="/m/golden",
        turn=scene.waits_for_me,
        preferences=scene.preferences,
        scene=scene,
        parts=render_table(scene),
        title=title_of(scene),
        game_name=game_name(scene.game_key, scene.language),
        modules=[name for name in modules_of(scene) if name != "talk.js"],
        guide=(),
        preview=None,
        imported="",
        styles=styles_of(scene.game_key),
        talk="",
        offers_way_back=False,
        view=scene.view,
        moments=(),
        moments_open=True,
    )


async def show(page: Page, scene: Scene) -> None:
    """Show a table in a browser: its page and its files come from here."""
    html = page_of_table(scene)

    async def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/m/golden":
            await route.fulfill(body=html, content_type="text/html; charset=utf-8")
            return
        file = static_files.file_of(path.rpartition("/")[2])
        if file is None:
            await route.abort()
        else:
            await route.fulfill(body=file.content, content_type=file.kind)

    await page.unroute_all()
    await page.route("**/*", answer)
    await page.goto(f"{ADDRESS}/m/golden")

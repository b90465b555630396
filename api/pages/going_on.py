"""``POST /m/{match}/go-on``: the sheet of a round's end was read; it is not shown again to this browser."""

from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.forms import asks_for_fragment, read_form
from api.pages.rendering import html_answer, see_other
from api.pages.table import render_fragment
from api.pages.tables import READ_COOKIE, scene_of, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of


@post("/m/{match:str}/go-on")
async def go_on(request: Http) -> ASGIResponse:
    """Take note that the reader has read the sheet that lies over the table."""
    visit, match = Visit(request), match_of(request)
    version = (await read_form(visit)).number("version", 0)
    # One cookie for each match, sent to its addresses only.
    cookies = [visit.cookie(READ_COOKIE, str(version), f"/m/{match}")]
    if not asks_for_fragment(request):
        return see_other(f"/m/{match}", cookies)
    scene = await scene_of(visit, await table_of(visit, match), read=version)
    return html_answer(render_fragment(scene), cookies=cookies)

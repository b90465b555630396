"""``/ops/enter/LINK``: a link becomes a session; ``/ops/keys``: what the keys do; and leaving.

Looking at the address uses nothing up: mail scanners and previews open links, people press the button.
"""

import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.ops.access import OPS, session_cookie, session_of
from api.ops.rendering import ops_page
from api.pages.forms import read_form
from api.pages.rendering import see_other
from api.pages.visits import Visit
from api.parts import Http
from services.bootstrap import present_instant

_log = structlog.get_logger(__name__)


@get("/enter/{link:str}")
async def show_entrance(request: Http) -> ASGIResponse:
    """Show the button that uses a link; of one that opens nothing any more, what to do instead."""
    link = request.path_params["link"]
    if not await Visit(request).parts.application.operators.is_good(link, present_instant()):
        return ops_page(request, "enter.html", status=410, is_spent=True, here=OPS)
    return ops_page(request, "enter.html", is_spent=False, link=link)


@post("/enter/{link:str}")
async def enter(request: Http) -> ASGIResponse:
    """Use a link up, and let this browser in."""
    visit = Visit(request)
    await read_form(visit)
    session = await visit.parts.application.operators.enter(request.path_params["link"], present_instant())
    if session is None:
        _log.warning("operator_turned_away")
        return ops_page(request, "enter.html", status=410, is_spent=True, here=OPS)
    _log.info("operator_entered")
    return see_other(OPS, [session_cookie(visit, session)])


@get("/keys")
async def show_keys(request: Http) -> ASGIResponse:
    """Show what the keys do."""
    return ops_page(request, "ops_keys.html")


@post("/leave")
async def leave(request: Http) -> ASGIResponse:
    """End this browser's operator session."""
    visit = Visit(request)
    await read_form(visit)
    await visit.parts.application.operators.leave(session_of(visit))
    _log.info("operator_left")
    return see_other("/", [session_cookie(visit, "")])

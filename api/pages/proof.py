"""What proves a match, checked in the reader's browser (``/m/{match}/proof``), and its file (``/m/{match}/file``)."""

import asyncio

from litestar import get
from litestar.response.base import ASGIResponse

from api.pages.imported import imported_since
from api.pages.rendering import page
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from api.routes.events import NDJSON
from domain.match.state import OVER
from domain.match.view import viewer_of
from services.log.archive.exporting import file_at
from services.words.names import game_name


@get("/m/{match:str}/proof")
async def show_proof(request: Http) -> ASGIResponse:
    """Show what proves a match. The browser checks; the service only sends the match as it stands in the log."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    terms = table.position.state.terms
    return page(
        visit,
        "proof.html",
        match=match,
        game_name=game_name("" if terms is None else terms.game, visit.language),
        names=table.names,
        imported=await imported_since(visit, table.position),
        is_over=table.position.state.lifecycle.phase in OVER,
        here=f"/m/{match}/proof",
    )


@get("/m/{match:str}/file")
async def send_file(request: Http) -> ASGIResponse:
    """Send a match as a file that can be verified, kept, and imported elsewhere once it is whole."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    position, viewer = table.position, viewer_of(table.position.state, table.seat)
    entries = await visit.parts.application.store.read(match, last=position.version)
    content = await asyncio.to_thread(file_at, position, entries, viewer)
    headers = {
        "Content-Disposition": f'attachment; filename="{match}.ndjson"',
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie",
    }
    return ASGIResponse(body=content, headers=headers, media_type=NDJSON)

"""``/m/{match}/keepsake``: a match as one page that replays without a service, with its record in it."""

import asyncio
import base64
import gzip
from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.pages.rendering import HTML, rendered
from api.pages.replay import whole_replay
from api.pages.static_files import address_of, static_files
from api.pages.table_pages import styles_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.addresses import public_address
from domain.match.state import OVER
from services.log.archive.exporting import file_at

_CARDS: Final = "cards.svg"


@get("/m/{match:str}/keepsake")
async def send_keepsake(request: Http) -> ASGIResponse:
    """Send a match as one page to take along: as far as the reader may see it, with everything that shows it."""
    visit = Visit(request)
    replay = await whole_replay(visit)
    position, game = replay.table.position, replay.scene.game_key
    match = position.match
    entries = await visit.parts.application.store.read(match, last=position.version)
    file = await asyncio.to_thread(file_at, position, entries, replay.viewer)
    styles = (*styles_of(game), "replay.css")
    html = rendered(
        "replay/keepsake.html",
        visit.language,
        **replay.shown,
        style=Markup().join(_own(name) for name in styles),
        script=_own("replay.js"),
        sprite=_own(_CARDS),
        told=_inert(gzip.decompress(replay.changes).decode()),
        record=base64.b64encode(gzip.compress(file, 9, mtime=0)).decode(),
        is_whole=position.state.lifecycle.phase in OVER,
        live="",
        here=public_address(request, f"/m/{match}"),
    )
    # The shapes stand in the page itself.
    page = html.replace(f"{address_of(_CARDS)}#", "#")
    headers = {
        "Content-Disposition": f'attachment; filename="{match}.html"',
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie, Accept-Language",
    }
    return ASGIResponse(body=page.encode(), headers=headers, media_type=HTML)


def _own(name: str) -> Markup:
    return Markup(static_files()[name].content.decode())  # noqa: S704 - a file of ours


def _inert(text: str) -> Markup:
    """Return JSON that no browser takes for the end of the element it stands in."""
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - nothing in it can be markup any more

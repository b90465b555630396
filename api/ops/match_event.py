"""``/ops/m/{match}/e/{version}``: one event; and its bytes as they are stored."""

import re
from typing import Final

import msgspec
from jinja2 import UndefinedError
from litestar import get
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.answering.answers import JSON
from api.ops.match_looking import Look, aside, look_of
from api.ops.rendering import ops_page
from api.pages.rendering import HEADERS
from api.pages.scene import Scene
from api.pages.table import render_board
from api.pages.table_pages import board_styles
from api.parts import Http
from api.requests.queries import query
from domain.errors import Malformed
from domain.match.fold import Position
from domain.match.view import match_view
from domain.viewers import SPECTATOR, Viewer, seat_viewer
from services.errors import NoSuchVersion
from services.watch.inspection.one_event import InspectedEvent, inspected
from services.watch.inspection.overview import refused_of

_VERSION: Final = re.compile(r"[0-9]{1,9}").fullmatch
_EYES: Final = re.compile(r"seat([0-9]{1,3})").fullmatch
_SPECTATOR: Final = "spectator"


@get("/m/{match:str}/e/{version:str}")
async def show_event(request: Http) -> ASGIResponse:
    """Show one event: what is stored, what it changed, who saw what behind it."""
    look = await look_of(request)
    version = version_of(request, look)
    refused = await refused_of(look.visit.parts.application.store, look.match)
    event = await aside(lambda: inspected(look.match, look.entries, version, look.disclosure, refused))
    eyes = query(request, "eyes") or _SPECTATOR
    viewer = _viewer(look, eyes)
    is_open = look.disclosure.is_open(version)
    # A spectator sees what lies on the table, and that is all the others are shown while nothing was unsealed.
    board = _board(look, event.after, viewer) if is_open or viewer == SPECTATOR else None
    terms = None if board is None or event.after is None else event.after.state.terms
    game = "" if terms is None else terms.game
    return ops_page(
        request,
        "match_event.html",
        **look.shown,
        event=event,
        row=event.row,
        is_open=is_open,
        eyes=eyes,
        board=board,
        board_game=game,
        styles=board_styles(game) if game else (),
        seats=range(len(look.names)),
        states=await aside(lambda: _states(look, event)),
        line=look.line(version),
    )


@get("/m/{match:str}/e/{version:str}/raw")
async def show_stored_bytes(request: Http) -> ASGIResponse:
    """Send an event's envelope byte for byte as it is stored: these bytes are what the chain hashes."""
    look = await look_of(request)
    stored = look.entries[version_of(request, look) - 1].e
    return ASGIResponse(body=stored, headers=HEADERS, media_type=JSON)


def version_of(request: Http, look: Look) -> int:
    """Return the version that an address names.

    Raises:
        NoSuchVersion: The match has no such event, or none that can be read.
    """
    given: str = request.path_params["version"]
    if not _VERSION(given) or not 0 < int(given) <= len(look.entries):
        raise NoSuchVersion(f"{look.match} has no version {given}")
    return int(given)


def _viewer(look: Look, eyes: str) -> Viewer:
    """Return with whose eyes the table is wanted."""
    if eyes == _SPECTATOR:
        return SPECTATOR
    seat = _EYES(eyes)
    if seat is None or int(seat[1]) >= len(look.names):
        raise Malformed("eyes.unknown", "`eyes` is spectator, seat0, seat1, and so on.")
    return seat_viewer(int(seat[1]))


def _board(look: Look, position: Position | None, viewer: Viewer) -> Markup | None:
    if position is None or position.state.game is None:
        return None
    view = match_view(position, viewer)
    scene = Scene(view=view, names=look.names, language=look.visit.language, is_replay=True)
    try:
        return render_board(scene)
    except (LookupError, UndefinedError):
        # In the middle of a command, such as between the start and the first deal, there may be no table to draw yet.
        return None


def _states(look: Look, event: InspectedEvent) -> dict[str, str]:
    """Return the state in front of the event and behind it, as far as it lies open: indented JSON, empty for none."""
    version = event.row.version
    return {
        name: ""
        if position is None or not position.version
        else msgspec.json.format(
            msgspec.json.encode(look.disclosure.view(position, version)), indent=2
        ).decode()
        for name, position in (("before", event.before), ("after", event.after))
    }

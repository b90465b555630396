"""``GET /matches/{match}`` and ``GET /matches/{match}/at/{version}``: a match, now or at any version."""

import re
from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer, view_for
from api.document.operations import IF_NONE_MATCH, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import Access, access_of
from api.permissions.refusals import OtherSeat
from api.requests.headers import holds_none_match
from api.requests.queries import query
from domain.errors import Malformed
from domain.match.state import OVER, Match
from domain.match.view import MatchView, match_view
from domain.viewers import Viewer
from services.errors import NoSuchVersion

_LIVE: Final = "private, no-cache"
_FOR_EVER: Final = "max-age=31536000, immutable"
_SEAT: Final = re.compile(r"seat([0-9]{1,3})").fullmatch
_VERSION: Final = re.compile(r"[0-9]{1,15}").fullmatch


_LOOK: Final = Operation(
    id="viewMatch",
    tag="playing",
    description=(
        "With a seat's token you see what your seat sees, with your legal moves when it is your turn. "
        "Without a token, or with the host's, you see what lies open on the table. Once it plays, a private table "
        "shows that to its host only."
    ),
    parameters=(IF_NONE_MATCH,),
    answers={
        200: Answer("The match as you may see it.", MatchView, ("ETag", "Cache-Control", "Vary")),
        304: Answer("Nothing has changed since the version that you have.", headers=("ETag",)),
    },
    problems={410: ("match.closed",)},
)

AS: Final = query_parameter(
    "as",
    "Whose view: `spectator`, or `seat` and its number. Left out: your own seat's, or a spectator's. Until the "
    "match is over, only its holder gets a seat's view; then everybody sees everything.",
    {"type": "string", "pattern": "^(spectator|seat[0-9]{1,3})$"},
    "seat2",
)

_LOOK_BACK: Final = Operation(
    id="viewMatchAt",
    tag="replay",
    description=(
        "Any version, at any time. When the match is over, the answer never changes again, and may be kept for ever."
    ),
    parameters=(AS, IF_NONE_MATCH),
    answers={
        200: Answer("The match as it stood.", MatchView, ("ETag", "Cache-Control", "Vary")),
        304: Answer("You have this answer already.", headers=("ETag",)),
    },
    problems={
        400: ("version.malformed", "as.malformed"),
        403: ("seat.other",),
        404: ("version.unknown",),
        410: ("match.closed",),
    },
)


@get("/matches/{match:str}", operation=_LOOK)
async def look(request: Http) -> ASGIResponse:
    """Look at a match as it stands now."""
    asker = access_of(request)
    position = asker.at
    if asker.person and not (asker.held and asker.held.is_program) and (asker.seat is not None or asker.host):
        over = position.state.lifecycle.phase in OVER
        looks = parts_of(request).application.looks
        await looks.note(asker.person, position.match, position.version, over=over)
    tag = f'"{position.version}"'
    headers = {"ETag": tag, "Cache-Control": _LIVE, "Vary": "Authorization"}
    if holds_none_match(request, tag):
        return not_modified(headers)
    return answer(view_for(position, asker.seat), headers=headers)


@get("/matches/{match:str}/at/{version:str}", operation=_LOOK_BACK)
async def look_back(request: Http) -> ASGIResponse:
    """Look at a match as it stood at a version."""
    version, asker = version_of(request), access_of(request)
    head = asker.at
    if not 1 <= version <= head.version:
        raise NoSuchVersion
    over = head.state.lifecycle.phase in OVER
    seat = eyes(query(request, "as"), head.state, asker)
    # What a version shows changes once, when the match ends and everything is opened; so must the tag.
    tag = f'"{version}-open"' if over else f'"{version}"'
    headers = {"ETag": tag, **kept_for_ever(head.state, over=over)}
    if holds_none_match(request, tag):
        return not_modified(headers)
    position = await parts_of(request).application.reader.at(head.match, version)
    return answer(match_view(position, Viewer(seat, everything=over)), headers=headers)


def not_modified(headers: dict[str, str]) -> ASGIResponse:
    """Answer that what the asker has is still the newest."""
    return ASGIResponse(status_code=304, headers=headers)


def version_of(request: Http) -> int:
    """Return the version in the address.

    Raises:
        Malformed: It is no version.
    """
    given = request.path_params["version"]
    if not _VERSION(given):
        raise Malformed("version.malformed", "A version is a number from 1 on.")
    return int(given)


def kept_for_ever(state: Match, *, over: bool) -> dict[str, str]:
    """Return the caching headers of an answer that never changes once the match is over."""
    caching = _LIVE
    if over:
        private = state.terms is not None and state.terms.visibility == "private"
        caching = f"{'private' if private else 'public'}, {_FOR_EVER}"
    return {"Cache-Control": caching, "Vary": "Authorization"}


def eyes(given: str | None, state: Match, asker: Access) -> int | None:
    """Return the seat whose view is wanted; None for a spectator's.

    Raises:
        Malformed: There is no such viewer.
        OtherSeat: The match is not over, and the seat is somebody else's.
    """
    if given is None:
        return asker.seat
    if given == "spectator":
        return None
    named = _SEAT(given)
    if named is None or int(named[1]) >= len(state.seats):
        raise Malformed(
            "as.malformed", f"`as` is spectator, or seat0 to seat{len(state.seats) - 1} at this table."
        )
    seat = int(named[1])
    if state.lifecycle.phase not in OVER and seat != asker.seat:
        raise OtherSeat
    return seat

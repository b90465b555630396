"""Looking back: a whole match in one answer, and the difference between two versions."""

import asyncio
import gzip
from typing import Any, Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import JSON, answer
from api.document.operations import IF_NONE_MATCH, Answer, Operation, Parameter, query_parameter
from api.parts import Http, address_of, parts_of
from api.permissions.admission import access_of
from api.requests.headers import accepts_gzip, holds_none_match
from api.requests.queries import number, query
from api.routes.view import AS, eyes, kept_for_ever, not_modified
from domain.match.state import OVER
from domain.match.view import match_view
from domain.viewers import Viewer
from services.errors import NoSuchVersion
from services.matches.replay import Replay, difference, replay

_ENCODER: Final = msgspec.json.Encoder()
_LEVEL: Final = 6


class Difference(msgspec.Struct, frozen=True):
    """The changes between two versions of a match, for one viewer.

    Attributes:
        match: The match's id.
        before: The first version.
        after: The second version; it may be the earlier one.
        changes: ``[pointer, value]``, or ``[pointer]`` for what is gone; pointers are JSON Pointers into the view.
    """

    match: str
    before: int
    after: int
    changes: list[list[Any]]


_REPLAY: Final = Operation(
    id="replayMatch",
    tag="replay",
    description=(
        "The view at version 1, then for each event its type, its data as far as you may have them, and what it "
        "changes in the view. `Accept-Encoding: gzip` makes it twenty times smaller. When the match is over, "
        "everybody sees everything, and the answer may be kept for ever."
    ),
    parameters=(AS, IF_NONE_MATCH),
    answers={
        200: Answer("The whole match.", Replay, ("ETag", "Cache-Control", "Vary", "Content-Encoding")),
        304: Answer("You have this answer already.", headers=("ETag",)),
    },
    problems={
        400: ("as.malformed",),
        403: ("seat.other",),
        410: ("match.closed",),
    },
)


def _version(name: str, meaning: str) -> Parameter:
    schema = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
    return query_parameter(name, meaning, schema, "12")


_DIFFERENCE: Final = Operation(
    id="compareVersions",
    tag="replay",
    description="With `before` set to the version that you saw last, this is what has happened since.",
    parameters=(
        _version("before", "The first version; left out, 1."),
        _version("after", "The second version; left out, the present one."),
        AS,
    ),
    answers={200: Answer("What changes.", Difference, ("Cache-Control", "Vary"))},
    problems={
        400: ("query.malformed", "query.repeated", "as.malformed"),
        403: ("seat.other",),
        404: ("version.unknown",),
        410: ("match.closed",),
    },
)


@get("/matches/{match:str}/replay", operation=_REPLAY)
async def replay_match(request: Http) -> ASGIResponse:
    """Get a whole match, event by event."""
    parts, asker = parts_of(request), access_of(request)
    head = asker.at
    match, seat = head.match, eyes(query(request, "as"), head.state, asker)
    over = head.state.lifecycle.phase in OVER
    packed = accepts_gzip(request)
    eyes_of = "spectator" if seat is None else f"seat{seat}"
    tag = f'"{head.version}-{eyes_of}{"-gzip" if packed else ""}"'
    headers = {"ETag": tag, **kept_for_ever(head.state, over=over), "Vary": "Authorization, Accept-Encoding"}
    if holds_none_match(request, tag):
        return not_modified(headers)

    async def make() -> bytes:
        entries = await parts.application.store.read(match, last=head.version)

        def written() -> bytes:
            plain = _ENCODER.encode(replay(match, entries, seat, head.state))
            return gzip.compress(plain, _LEVEL, mtime=0) if packed else plain

        return await asyncio.to_thread(written)

    key = "replay", match, head.head, tag
    content = await parts.whole_matches.made(key, address_of(request), make, len)
    if packed:
        headers["Content-Encoding"] = "gzip"
    return ASGIResponse(body=content, headers=headers, media_type=JSON)


@get("/matches/{match:str}/difference", operation=_DIFFERENCE)
async def compare(request: Http) -> ASGIResponse:
    """Get what changes between two versions."""
    reader, asker = parts_of(request).application.reader, access_of(request)
    head = asker.at
    match = head.match
    over = head.state.lifecycle.phase in OVER
    viewer = Viewer(eyes(query(request, "as"), head.state, asker), everything=over)
    before, after = number(request, "before", 1), number(request, "after", head.version)
    if not (1 <= before <= head.version and 1 <= after <= head.version):
        raise NoSuchVersion
    views = [match_view(await reader.at(match, version), viewer) for version in (before, after)]
    body = Difference(match, before, after, difference(views[0], views[1]))
    return answer(body, headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

"""``/digests``: the heads that the installation has published, for members to keep and compare later."""

import hashlib
import re
from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.atom import ATOM, AtomEntry, atom_feed
from api.document.operations import IF_NONE_MATCH, Answer, Operation
from api.parts import Http, parts_of
from api.requests.headers import holds_none_match
from api.routes.events import NDJSON
from api.routes.view import not_modified
from domain.errors import Malformed
from domain.instants import Instant
from services.audit.digest_format import Digest, read_digest
from services.audit.digests import Digests
from services.audit.errors import NoSuchDigest

_LATEST: Final = 30
_MOST_DIGITS: Final = 9
_is_place: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_FOR_NOW: Final = "public, max-age=300"


class DigestSummary(msgspec.Struct, frozen=True):
    """A digest, without its heads.

    Attributes:
        digest: Its number.
        at: When it was made.
        heads: How many heads it names.
        sha256: The SHA-256 of its file. Keep this, or the file.
        previous: The SHA-256 of the digest before it; empty for the first.
    """

    digest: int
    at: Instant
    heads: int
    sha256: str
    previous: str


class DigestList(msgspec.Struct, frozen=True):
    """The newest digests.

    Attributes:
        latest: The number of the newest; 0 if there is none yet. All numbers from 1 on exist.
        digests: The newest ones, newest first.
    """

    latest: int
    digests: tuple[DigestSummary, ...]


_LIST: Final = Operation(
    id="listDigests",
    tag="replay",
    description=(
        "Once a day a digest publishes the heads of all matches that have moved, with the hash of the digest before "
        "it. Anybody who keeps one can find out later whether a history was rewritten, cut or lost."
    ),
    answers={200: Answer("The newest 30.", DigestList, ("Cache-Control",))},
)

_FEED: Final = Operation(
    id="followDigests",
    tag="replay",
    description="The same for feed readers: one entry for each digest, with its hash.",
    answers={
        200: Answer(
            "The newest 30.",
            headers=("Cache-Control",),
            media={ATOM: {"type": "string", "description": "An Atom feed (RFC 4287)."}},
        )
    },
)

_ONE: Final = Operation(
    id="readDigest",
    tag="replay",
    description="The file itself, byte for byte: its SHA-256 is the digest's hash. "
    "`docs/reference/format.md` describes it.",
    parameters=(IF_NONE_MATCH,),
    answers={
        200: Answer(
            "The digest.",
            headers=("ETag", "Cache-Control"),
            media={
                NDJSON: {
                    "type": "string",
                    "description": "One line on the digest, then one for each head; with very many heads, one for each "
                    "piece.",
                }
            },
        ),
        304: Answer("You have it already.", headers=("ETag",)),
    },
    problems={400: ("digest.malformed",), 404: ("digest.unknown",)},
)


_EXCERPT: Final = Operation(
    id="readExcerptOfDigest",
    tag="replay",
    description="A digest that names very many heads has them in pieces, by the first digits of each match's h(0). "
    "This is its file, and behind it the lines of the piece that has a match. Of any other digest it is the file.",
    parameters=(IF_NONE_MATCH,),
    answers={
        200: Answer(
            "The excerpt.",
            headers=("ETag", "Cache-Control"),
            media={NDJSON: {"type": "string", "description": "The digest, then one line for each head."}},
        ),
        304: Answer("You have it already.", headers=("ETag",)),
    },
    problems={400: ("digest.malformed",), 404: ("digest.unknown",)},
)


@get("/digests", operation=_LIST)
async def list_digests(request: Http) -> ASGIResponse:
    """List the newest digests of heads."""
    latest, found = await _newest(parts_of(request).application.digests)
    body = DigestList(latest, tuple(_summary(digest) for digest in found))
    return answer(body, headers={"Cache-Control": _FOR_NOW})


@get("/digests.atom", operation=_FEED)
async def follow_digests(request: Http) -> ASGIResponse:
    """Follow the digests of heads with a feed reader."""
    parts = parts_of(request)
    _, found = await _newest(parts.application.digests)
    content = _feed(parts.settings.public_url or parts.settings.api_url, found)
    return ASGIResponse(
        body=content, headers={"Cache-Control": _FOR_NOW}, media_type=f"{ATOM}; charset=utf-8"
    )


@get("/digests/{number:str}", operation=_ONE)
async def read_one(request: Http) -> ASGIResponse:
    """Read a digest of heads."""
    number = _number_of(request)
    return _sent(request, number, await parts_of(request).application.digests.content(number))


@get("/digests/{number:str}/{place:str}", operation=_EXCERPT)
async def read_excerpt(request: Http) -> ASGIResponse:
    """Read the part of a digest that has a match, by its h(0)."""
    number, place = _number_of(request), str(request.path_params["place"])
    if not _is_place(place):
        raise Malformed("digest.malformed", "A match is found by its h(0): 64 hexadecimal digits.")
    return _sent(request, number, await parts_of(request).application.digests.excerpt(number, place))


def _number_of(request: Http) -> int:
    given: str = request.path_params["number"]
    if not given.isascii() or not given.isdecimal() or len(given) > _MOST_DIGITS:
        raise Malformed("digest.malformed", "A digest has a number from 1 on.")
    return int(given)


def _sent(request: Http, number: int, content: bytes | None) -> ASGIResponse:
    if content is None:
        raise NoSuchDigest(str(number))
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": _FOR_EVER}
    if holds_none_match(request, tag):
        return not_modified(headers)
    return ASGIResponse(body=content, headers=headers, media_type=NDJSON)


async def _newest(digests: Digests) -> tuple[int, list[Digest]]:
    latest = await digests.latest()
    numbers = range(latest, max(0, latest - _LATEST), -1)
    # The heads themselves are of no interest here.
    found = [await digests.content(number) for number in numbers]
    return latest, [read_digest(content) for content in found if content is not None]


def _summary(digest: Digest) -> DigestSummary:
    line = digest.line
    return DigestSummary(line.digest, line.at, line.heads, digest.sha256, line.previous)


def _feed(address: str, digests: list[Digest]) -> bytes:
    base = f"{address.rstrip('/')}/api/v1/digests"
    entries = (
        AtomEntry(
            f"urn:tablee:digest:{digest.sha256}",
            f"Digest {digest.line.digest}",
            digest.line.at,
            f"{base}/{digest.line.digest}",
            f"{digest.line.heads} heads, SHA-256 {digest.sha256}",
            NDJSON,
        )
        for digest in digests
    )
    return atom_feed(base, "Tablée: digests of heads", f"{base}.atom", entries)

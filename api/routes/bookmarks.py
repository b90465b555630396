"""``/me/bookmarks``: positions of matches that a person keeps."""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, put
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.bookmarks import BookmarkShown, shown_bookmark
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of, admits
from api.permissions.clubs import with_club
from api.permissions.rules import LOOK
from api.requests.bodies import Body, read
from api.requests.commands import match_of
from api.routes.view import version_of
from services.bootstrap import present_instant
from services.errors import NoSuchMatch, NoSuchVersion
from services.people.bookmarks import LONGEST_NOTE, MOST

_HEADERS: Final = {"Cache-Control": "no-store"}


class BookmarkBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What to keep beside a position.

    Attributes:
        note: A note, for you.
        shared: Whether the note gets an address that you can give to others.
    """

    note: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)] = ""
    shared: bool = False


class BookmarkList(msgspec.Struct, frozen=True):
    """The positions that you keep.

    Attributes:
        bookmarks: The newest first.
    """

    bookmarks: tuple[BookmarkShown, ...]


_BODY: Final = msgspec.json.Decoder(BookmarkBody)

_LIST: Final = Operation(
    id="listBookmarks",
    tag="people",
    description=f"{MOST} at most.",
    answers={200: Answer("Your bookmarks.", BookmarkList)},
    problems={503: ("store.unavailable",)},
)
_KEEP: Final = Operation(
    id="keepBookmark",
    tag="people",
    description=(
        "Of a match that you may look at. The note replaces the one before. A shared note is read by whoever has its "
        "address, with your name; the position itself only by who may look at the match."
    ),
    body=BookmarkBody,
    examples={"a note to share": {"note": "Here I should have stopped.", "shared": True}},
    answers={200: Answer("The bookmark.", BookmarkShown)},
    problems={
        400: ("version.malformed",),
        404: ("match.unknown", "version.unknown"),
        410: ("match.closed",),
        422: ("bookmark.too_many", "bookmark.note_too_long"),
        503: ("store.unavailable",),
    },
)
_REMOVE: Final = Operation(
    id="removeBookmark",
    tag="people",
    description="The address of its note then leads nowhere. One that is not there is no error.",
    answers={204: Answer("It is gone.")},
    problems={400: ("version.malformed",), 503: ("store.unavailable",)},
)


@get("/me/bookmarks", operation=_LIST)
async def list_bookmarks(request: Http) -> ASGIResponse:
    """List the positions that you keep."""
    kept = await parts_of(request).application.bookmarks.of(access_of(request).person)
    return answer(BookmarkList(tuple(map(shown_bookmark, kept))), headers=_HEADERS)


@put("/me/bookmarks/{match:str}/{version:str}", operation=_KEEP)
async def keep_bookmark(request: Http) -> ASGIResponse:
    """Keep a position of a match, with a note."""
    application, person = parts_of(request).application, access_of(request).person
    match, version = match_of(request), version_of(request)
    position = await application.reader.head(match)
    held = await with_club(
        parts_of(request), match, position.state, await application.memberships.held(person, match)
    )
    if not admits(LOOK, position.state, held):
        # Whoever may not look at a match need not know whether there is one.
        raise NoSuchMatch(match)
    if not 1 <= version <= position.version:
        raise NoSuchVersion
    body = await read(request, _BODY)
    kept = await application.bookmarks.keep(
        person, match, version, body.note, shared=body.shared, now=present_instant()
    )
    return answer(shown_bookmark(kept), headers=_HEADERS)


@delete("/me/bookmarks/{match:str}/{version:str}", operation=_REMOVE, status_code=200)
async def remove_bookmark(request: Http) -> ASGIResponse:
    """Forget a position that you kept."""
    person, version = access_of(request).person, version_of(request)
    await parts_of(request).application.bookmarks.remove(person, match_of(request), version)
    return ASGIResponse(status_code=204)

"""Reading what a form says, and making sure that it comes from a page of ours."""

import asyncio
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import read_bytes
from api.requests.command_ids import is_command_id
from api.requests.files import read_large
from domain.errors import Malformed
from services.errors import NotAllowed

_KIND: Final = "application/x-www-form-urlencoded"
_KIND_WITH_FILES: Final = "multipart/form-data"
WITH_FILE: Final = frozenset({"/me/imports"})
"""Addresses whose forms carry a file: their handlers read them, once there is room for one."""

_LONGEST_FIELD: Final = 4096
_MOST_FIELDS: Final = 100
_READ: Final = "form"
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}").fullmatch


class ForeignForm(NotAllowed):
    """The form was not sent by a page that this browser got from here."""

    code = "form.foreign"


class Form:
    """The fields of a form. What is missing counts as empty: browsers leave out what is not ticked."""

    def __init__(
        self, pairs: list[tuple[str, str]], files: Mapping[str, bytes] = MappingProxyType({})
    ) -> None:
        self._pairs = pairs
        self._files = files

    def file(self, name: str) -> bytes:
        """Return the content of a file; empty if none was chosen."""
        return self._files.get(name, b"")

    def text(self, name: str, default: str = "") -> str:
        """Return a field; of several with one name, the last: a button that was pressed comes last."""
        values = self.texts(name)
        return values[-1] if values else default

    def texts(self, name: str) -> list[str]:
        """Return all fields with a name."""
        return [value for key, value in self._pairs if key == name]

    def number(self, name: str, default: int | None = None) -> int:
        """Return a field that is a whole number.

        Raises:
            Malformed: It is none, and there is no default.
        """
        given = self.text(name)
        if not given and default is not None:
            return default
        if not _NUMBER(given):
            raise Malformed("form.malformed", f"{name} is not a whole number.")
        return int(given)

    def command_id(self) -> str:
        """Return the id of the command that the form carries: the form posted twice is one command.

        Raises:
            Malformed: It has none.
        """
        key = self.text("key")
        if not is_command_id(key):
            raise Malformed("form.malformed", "The form has no key.")
        return key


async def read_form(visit: Visit) -> Form:
    """Read the form of a request. The guard has done so before any handler asks.

    Raises:
        ForeignForm: It is not from a page of ours.
        HTTPException: 413 if it is too large.
        Malformed: It is no form.
    """
    request = visit.request
    read: Form | None = request.scope["state"].get(_READ)
    if read is not None:
        return read
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _KIND:
        raise Malformed("form.malformed", "This is not a form.")
    content = await read_bytes(request)
    try:
        pairs = parse_qsl(
            content.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Malformed("form.malformed", "The form cannot be read.") from None
    form = Form(pairs)
    if not (_is_from_here(visit) and visit.is_form_token(form.text("form"))):
        raise ForeignForm
    request.scope["state"][_READ] = form
    return form


async def require_from_here(visit: Visit) -> None:
    """Make sure, before a form with a file is read, that it may come from a page of ours.

    Raises:
        ForeignForm: It does not: it came from elsewhere, or from a browser to which no page was given.
    """
    if not (_is_from_here(visit) and visit.known):
        raise ForeignForm
    if not visit.request.headers.get("content-type", "").lower().startswith(_KIND_WITH_FILES):
        # Without a file it is a form like all others, and small.
        await read_form(visit)


async def read_form_with_file(visit: Visit) -> Form:
    """Read a form that carries a file.

    Raises:
        ForeignForm: It is not from a page of ours.
        HTTPException: 413 if it is too large.
        Malformed: It is no form.
    """
    await require_from_here(visit)
    kind, options = parse_options_header(visit.request.headers.get("content-type", ""))
    if kind != _KIND_WITH_FILES or not options.get("boundary"):
        raise Malformed("form.malformed", "This is not a form with a file.")
    content = await read_large(visit.request)
    try:
        form = await asyncio.to_thread(_parts_of, content, options["boundary"])
    except (MultipartError, UnicodeDecodeError) as error:
        raise Malformed("form.malformed", "The form cannot be read.") from error
    if not visit.is_form_token(form.text("form")):
        raise ForeignForm
    return form


def _parts_of(content: bytes, boundary: str) -> Form:
    """Read the parts of a form; those with a file's name are files."""
    pairs: list[tuple[str, str]] = []
    files: dict[str, bytes] = {}
    part: MultipartSegment | None = None
    read = bytearray()
    with PushMultipartParser(boundary, len(content), max_segment_count=_MOST_FIELDS, strict=True) as parser:
        for event in parser.parse(content):
            if isinstance(event, MultipartSegment):
                part = event
                read.clear()
            elif event is not None:
                read += event
            elif part is not None:
                if part.filename is not None:
                    files[part.name or ""] = bytes(read)
                else:
                    pairs.append((part.name or "", bytes(read[:_LONGEST_FIELD]).decode()))
    return Form(pairs, files)


def _is_from_here(visit: Visit) -> bool:
    request = visit.request
    origin = request.headers.get("origin")
    if origin is not None:
        host = request.headers.get("host")
        return origin == visit.parts.settings.public_url or (bool(host) and _host_of(origin) == host)
    return request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def asks_for_fragment(request: Http) -> bool:
    """Tell whether the live module asks: it wants the changed parts of the page, not the page."""
    return request.headers.get("x-fragment") == "1"

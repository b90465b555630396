"""Styles, modules and shapes: read once, served under an address that changes with their content."""

import gzip
import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response.base import ASGIResponse

from api.parts import Http

_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}

_AS_WRITTEN: Final = frozenset({"verify.js"})
"""What people are to read."""


class StaticFile(NamedTuple):
    """A file as it is sent."""

    content: bytes
    compressed: bytes
    kind: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return all files by name."""
    found = {}
    for file in sorted(files("api.pages").joinpath("static").iterdir(), key=lambda file: file.name):
        kind = _KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            content = file.read_bytes() if file.name in _AS_WRITTEN else _packed(file.read_bytes(), kind)
            found[file.name] = StaticFile(content, gzip.compress(content, 9, mtime=0), kind)
    return found


def _packed(content: bytes, kind: str) -> bytes:
    """Leave out of modules and styles what only their readers need: indentation, empty lines, lines of comment."""
    if kind.startswith("image/"):
        return content
    lines = (line.strip() for line in content.splitlines())
    return b"\n".join(line for line in lines if line and not line.startswith((b"//", b"/**", b"/*"))) + b"\n"


@cache
def stamp() -> str:
    """Return what stands for the content of all files; they name each other by addresses relative to it."""
    digest = hashlib.sha256()
    for name, file in static_files().items():
        digest.update(name.encode() + b"\n" + file.content)
    return digest.hexdigest()[:8]


def address_of(name: str) -> str:
    """Return where a file is to be had.

    Raises:
        KeyError: There is none with this name.
    """
    if name not in static_files():
        raise KeyError(name)
    return f"/static/{stamp()}/{name}"


def picture_of(game: str, kind: str = "svg") -> str:
    """Return where the picture of a game is to be had; that of any game for those that bring none."""
    name = f"tile_{game}.{kind}"
    return address_of(name if name in static_files() else f"tile_any.{kind}")


def address_of_bundle(names: Sequence[str]) -> str:
    """Return where several modules, or several styles, are to be had in one answer.

    ``live.js`` and ``other.js`` are ``live+other.js``; the order is kept, as later styles go before earlier ones.
    """
    kind = names[0].rpartition(".")[2]
    return f"/static/{stamp()}/{'+'.join(name.removesuffix(f'.{kind}') for name in names)}.{kind}"


@lru_cache(64)
def joined(names: tuple[str, ...], kind: str) -> StaticFile:
    """Return several files of one kind as one; each module in a block of its own, so that their names do not meet.

    Raises:
        KeyError: There is no such file.
    """
    contents = [static_files()[f"{name}.{kind}"].content for name in names]
    if kind == "js":
        contents = [b"{\n" + content + b"}\n" for content in contents]
    content = b"".join(contents)
    return StaticFile(content, gzip.compress(content, 9, mtime=0), _KINDS[kind])


def file_of(name: str) -> StaticFile | None:
    """Return what is to be had under a name: a file, or several of one kind as one; None if there is no such file."""
    stem, _, kind = name.rpartition(".")
    names = tuple(stem.split("+"))
    if len(names) == 1 or len(names) != len(set(names)) or kind not in {"css", "js"}:
        return static_files().get(name)
    return joined(names, kind) if all(f"{one}.{kind}" in static_files() for one in names) else None


@get("/sw.js")
async def service_worker() -> ASGIResponse:
    """Send the service worker, from the top: it serves all pages."""
    file = static_files()["sw.js"]
    # It fetches the static files that it keeps, and nothing else.
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
    }
    return ASGIResponse(body=file.content, headers=headers, media_type=file.kind)


@get("/static/{given:str}/{name:str}")
async def static_file(request: Http) -> ASGIResponse:
    """Send a file."""
    file = file_of(request.path_params["name"])
    if file is None:
        raise NotFoundException
    is_present = request.path_params["given"] == stamp()
    headers = {
        # A page that was loaded before an upgrade gets the new file, and does not keep it under the old address.
        "Cache-Control": "public, max-age=31536000, immutable" if is_present else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return ASGIResponse(body=file.content, headers=headers, media_type=file.kind)
    headers["Content-Encoding"] = "gzip"
    return ASGIResponse(body=file.compressed, headers=headers, media_type=file.kind)

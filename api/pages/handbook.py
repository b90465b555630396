"""``/guide``: the illustrated guide for players, hosts and operators, from ``docs/handbook``.

Pictures are taken by ``make screenshots ARGS=--handbook``; what is bold in the texts stands so on the pages.
"""

from functools import cache
from typing import Final

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response.base import ASGIResponse

from api.pages.handbook_text import PICTURES, HandbookText, Picture, text_of
from api.pages.packed_texts import folder_of_texts, text_for
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from services.words.phrases import Phrase, phrase, words_in

READERS: Final[dict[str, tuple[Phrase, Phrase]]] = {
    "players": (
        phrase("For players"),
        phrase("A first match in a minute, your turn, your time, coming back, looking back."),
    ),
    "hosts": (
        phrase("For hosts"),
        phrase("Make a table, invite, play for weeks, fill an empty seat, run a club or a league."),
    ),
    "operators": (
        phrase("For operators"),
        phrase("Install it, back it up, take a new release, find out what is wrong."),
    ),
}
"""For whom the parts are, by the last part of their addresses: what each is called, and what is in it."""

_FOLDER: Final = "handbook"


@get("/guide")
async def show_handbook(request: Http) -> ASGIResponse:
    """Show what the guide has for whom."""
    visit = Visit(request)
    words = words_in(visit.language)
    parts = [
        (name, words.say(title), words.say(line), handbook(name, visit.language).cover)
        for name, (title, line) in READERS.items()
    ]
    return page(visit, "handbook_list.html", parts=parts)


@get("/guide/{reader:str}")
async def show_part(request: Http) -> ASGIResponse:
    """Show one part of the guide."""
    visit, reader = Visit(request), request.path_params["reader"]
    if reader not in READERS:
        raise NotFoundException
    text = handbook(reader, visit.language)
    words = words_in(visit.language)
    readers = [(name, words.say(title)) for name, (title, _line) in READERS.items()]
    return page(visit, "handbook.html", reader=reader, readers=readers, text=text)


@get("/guide/pictures/{given:str}/{name:str}")
async def show_picture(request: Http) -> ASGIResponse:
    """Send a picture of the guide."""
    picture = pictures().get(request.path_params["name"])
    if picture is None:
        raise NotFoundException
    is_present = request.path_params["given"] == picture.stamp
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if is_present else "no-cache"}
    return ASGIResponse(body=picture.content, headers=headers, media_type="image/avif")


@cache
def handbook(reader: str, language: str) -> HandbookText:
    """Return a part of the guide; in English where it is not translated."""
    text = text_for(_FOLDER, reader, language)
    if text is None:
        raise KeyError(reader)
    return text_of(text, pictures())


@cache
def pictures() -> dict[str, Picture]:
    """Return all pictures by the names of their files."""
    found = (
        file for file in folder_of_texts(_FOLDER).joinpath(PICTURES).iterdir() if file.name.endswith(".avif")
    )
    return {file.name: Picture.read(file.name, file.read_bytes()) for file in found}

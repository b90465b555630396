"""``/ops/m/{match}/reissue``: letting somebody back on a lost seat, with a reason that the table reads."""

from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.ops.match_looking import Look, look_of
from api.ops.rendering import ops_page
from api.pages.forms import read_form
from api.pages.qr import qr_code
from api.pages.sitting import new_secret_key, secret_key_of
from api.parts import Http
from api.requests.addresses import public_address
from api.requests.queries import query
from domain.errors import BrokenLog, Malformed, Refused
from services.bootstrap import present_instant
from services.people.reissues import Place
from services.words.phrases import phrase, words_in
from services.words.refusals import Refusal, refusal_text

_HOST: Final = "host"
_LAST: Final = 999


@get("/m/{match:str}/reissue")
async def show_reissue(request: Http) -> ASGIResponse:
    """Ask for the reason, and tell what a new link to a seat does."""
    look = await look_of(request)
    return await _form_page(request, look, _place(query(request, "seat") or _HOST))


@post("/m/{match:str}/reissue")
async def reissue_seat(request: Http) -> ASGIResponse:
    """Make a link to a seat, or to the host's place."""
    look = await look_of(request)
    form = await read_form(look.visit)
    application, place = look.visit.parts.application, _place(form.text("seat"))
    token = application.identity.for_link(f"{look.match} {place} operator", secret_key_of(form))
    language = look.visit.language
    try:
        link = await application.reissuing.by_operator(
            look.match, place, form.text("reason"), token, present_instant()
        )
    except Refused as refusal:
        said = refusal_text(refusal.code, refusal.rule, refusal.arguments, language)
        return await _form_page(request, look, place, said)
    except BrokenLog:
        said = Refusal(words_in(language).say(phrase("The log cannot be read as a match.")))
        return await _form_page(request, look, place, said)
    address = public_address(request, f"/s/{token}")
    label = words_in(language).say(phrase("The link as a QR code, for a camera"))
    shown = {**look.shown, "address": address, "qr": qr_code(address, label), "until": link.until}
    page = ops_page(request, "match_seat_link.html", **shown, here=f"/ops/m/{look.match}")
    page.headers["Cache-Control"] = "no-store"
    return page


async def _form_page(request: Http, look: Look, place: Place, refusal: Refusal | None = None) -> ASGIResponse:
    shown = {**look.shown, "key": new_secret_key(), "refusal": refusal, "seat": place}
    name = look.name(place) if isinstance(place, int) else ""
    status = 200 if refusal is None else 422
    return ops_page(
        request, "match_reissue.html", status=status, **shown, name=name, here=f"/ops/m/{look.match}"
    )


def _place(given: str) -> Place:
    if given == _HOST:
        return "host"
    if given.isascii() and given.isdecimal() and int(given) <= _LAST:
        return int(given)
    raise Malformed("form.malformed", "seat is a number, or `host`.")

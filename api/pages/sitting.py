"""``/m/{match}/sit``: what a shared address leads to, and taking a seat there. ``/me/tokens``: proving a seat."""

import re
import secrets
from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import Form, read_form
from api.pages.preview import preview_of_table
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.tables import Table, names_at, scene_of, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import SitBody
from api.requests.commands import match_of
from api.requests.queries import query
from api.requests.submissions import check, issued_caller, sitting
from domain.errors import Malformed, Refused
from domain.match.state import Match
from services.bootstrap import present_instant
from services.errors import Unauthenticated
from services.matches.service import seat_of
from services.people.identity import Holder
from services.people.names_at_table import free_name
from services.people.player_names import LONGEST_NAME, readable
from services.people.ways_back import Visitor
from services.words.names import game_name, option_name, option_value
from services.words.phrases import phrase, words_in

SECRET_KEY: Final = re.compile(r"[0-9a-f]{32}").fullmatch
_HASH: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_NUMBER: Final = re.compile(r"[0-9]{1,2}").fullmatch


@get("/m/{match:str}/sit")
async def show_free_seats(request: Http) -> ASGIResponse:
    """Show who sits at a table, and a form for who wants to sit there too."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    if table.seat is not None or table.position.state.lifecycle.phase != "gathering":
        return see_other(f"/m/{match}")
    return await _free_seats_page(visit, table, query(request, "seat") or "")


@post("/m/{match:str}/sit")
async def sit(request: Http) -> ASGIResponse:
    """Take a seat."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table = await table_of(visit, match)
    if table.seat is not None:
        return see_other(f"/m/{match}")
    wanted = form.text("seat")
    seat = int(wanted) if _NUMBER(wanted) else None
    try:
        await take_seat(visit, match, form, seat, ready=form.text("ready") == "yes")
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        head = await visit.parts.application.reader.head(match)
        offered = str(refusal.arguments.get("offered", ""))
        table = await table_of(visit, match, head)
        return await _free_seats_page(visit, table, wanted, notice, status, offered)
    return see_other(f"/m/{match}")


@post("/me/tokens")
async def prove_seat(request: Http) -> ASGIResponse:
    """Give this browser's person a seat that was taken elsewhere, for who has its token."""
    visit = Visit(request)
    form = await read_form(visit)
    match, token = form.text("match"), form.text("token").strip()
    if not token or not match:
        raise Unauthenticated
    parts = visit.parts.application
    await parts.identity.holder(token, match)
    await parts.ways_back.enter(token, Visitor(visit.session, visit.device), present_instant())
    return see_other(f"/m/{match}")


async def take_seat(visit: Visit, match: str, form: Form, seat: int | None, *, ready: bool) -> str:
    """Sit down as the person whose browser it is, at once ready or not; return the player's id.

    Raises:
        Refused: The seat cannot be taken.
        Malformed: The form was tampered with.
    """
    parts = visit.parts.application
    key, nonce_hash = secret_key_of(form), form.text("nonce_hash")
    if nonce_hash and not _HASH(nonce_hash):
        raise Malformed("form.malformed", "nonce_hash is no SHA-256.")
    body, head = SitBody(seat, nonce_hash or None, ready), await parts.reader.head(match)
    known = await visit.person()
    issued = parts.identity.for_person(match, known, key)
    invitation = parts.identity.kept_for(match, known) if known else ""
    name = readable(form.text("name")) or await visit.name()
    if seat_of(head.state, issued.player) is None:
        await require_free_name(visit, head.state, name)
        # What will be refused leaves no trace, not even a person.
        check(sitting(issued_caller("page", issued), match, body, invitation=invitation), head)
    person = await visit.become_person(form.text("name"), form.text("time_zone"))
    issued = parts.identity.for_person(match, person, key)
    submission = sitting(issued_caller("page", issued), match, body, invitation=invitation)
    # Before the event: a person without their seat plays nothing, a seat without its person blocks the table.
    await parts.names.give(issued.player, name)
    await parts.memberships.collect(person, Holder(match, issued.player, "seat"), present_instant())
    await parts.service.execute(submission)
    return issued.player


async def require_free_name(visit: Visit, state: Match, name: str) -> None:
    """Refuse a name that somebody else has at the table, and offer another one: one name means one person.

    Raises:
        Refused: Somebody has it.
    """
    seats = zip(await names_at(visit, state), state.seats, strict=True)
    offered = free_name(name, [called for called, seat in seats if seat.player]) if name else name
    if offered != name:
        raise Refused("name.taken", "one name for each person", name=name, offered=offered)


def chosen_value(game: str, option: str, value: str | int, language: str) -> str:
    """Return what an option's value means, with seats counted from 1, as on all pages."""
    if option == "first" and isinstance(value, int):
        return words_in(language).say(phrase("Seat {number}"), number=value + 1)
    return option_value(game, option, value, language)


def new_secret_key() -> str:
    """Return a key for a form that hands out a seat: the form posted twice takes one seat."""
    return secrets.token_hex(16)


def secret_key_of(form: Form) -> str:
    """Return the key of a form that hands out a seat.

    Raises:
        Malformed: It has none, or one that could be guessed.
    """
    key = form.text("key")
    if not SECRET_KEY(key):
        raise Malformed("form.malformed", "The form has no key.")
    return key


async def _free_seats_page(
    visit: Visit,
    table: Table,
    wanted: str,
    notice: Notice | None = None,
    status: int = 200,
    offered: str = "",
) -> ASGIResponse:
    scene = await scene_of(visit, table, notice=notice)
    game, language = scene.game_key, visit.language
    options = [
        (option_name(game, name, language), chosen_value(game, name, value, language))
        for name, value in scene.view.terms.options.items()
    ]
    return page(
        visit,
        "sit.html",
        status=status,
        scene=scene,
        view=scene.view,
        preview=preview_of_table(visit, scene, "/sit"),
        game_name=game_name(game, language),
        options=options,
        wanted=wanted,
        key=new_secret_key(),
        my_name=offered or await visit.name(),
        longest_name=LONGEST_NAME,
    )

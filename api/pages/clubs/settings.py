"""``/c/{club}/settings``: invitations, roles, what new tables take, the name, and closing; for hosts."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.clubs.channel import channel_shown
from api.pages.clubs.club import club_seen
from api.pages.clubs.rows import day_of, member_rows, rights_table, role_names
from api.pages.forms import Form, read_form
from api.pages.new_table import CLOCKS, times_to_choose
from api.pages.qr import qr_code
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.scene import Notice
from api.pages.secret_pages import secret_page
from api.pages.sitting import chosen_value, new_secret_key, secret_key_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.addresses import public_address
from api.requests.bodies import ClockBody
from api.requests.clubs import (
    DefaultsBody,
    InvitationBody,
    MemberBody,
    club_id,
    defaults_of,
    invitation_id,
    member_id,
)
from domain.errors import Malformed, Refused
from domain.games.registry import CURRENT
from domain.match.decide_table import UNDO_POLICIES
from services.bootstrap import present_instant
from services.matches.catalogue import describe
from services.people.clubs.changes import (
    closed,
    invited,
    passed_on,
    removed,
    require,
    revoked,
    with_role,
    with_terms,
)
from services.people.clubs.club import LONGEST_NAME, MOST_USES, Club
from services.people.clubs.clubs import Step
from services.people.clubs.invitations import invitation_for
from services.words.clubs import INVITATION_STATES
from services.words.names import game_name, option_name
from services.words.phrases import phrase, words_in

S = TypeVar("S", bound=msgspec.Struct)

DAYS: Final = (1, 7, 14, 30, 90)
"""For how many days an invitation may hold, as the form offers it."""

_LABEL: Final = phrase("The address of the invitation as a QR code")


@get("/c/{club:str}/settings")
async def show_settings(request: Http) -> ASGIResponse:
    """Show a club's settings to a host."""
    visit = Visit(request)
    return await settings_page(visit)


@post("/c/{club:str}/settings")
async def change_terms(request: Http) -> ASGIResponse:
    """Change a club's name, or what its new tables take."""
    visit = Visit(request)
    form = await read_form(visit)
    name = form.text("club") if form.texts("club") else None

    async def step() -> Step:
        person, defaults = await visit.person(), None
        if form.text("about") == "defaults":
            defaults = defaults_of(_defaults(form))
        return lambda present: with_terms(present, person, name, defaults)

    return await _changed(visit, step)


@post("/c/{club:str}/invitations")
async def invite(request: Http) -> ASGIResponse:
    """Make an invitation, and show its address: this once."""
    visit = Visit(request)
    form, club, now = await read_form(visit), club_id(request), present_instant()
    application, person = visit.parts.application, await visit.person()
    said = _converted(
        InvitationBody, role=form.text("role"), uses=form.number("uses"), days=form.number("days")
    )
    code = application.identity.for_invitation(club, person, secret_key_of(form))
    made = invitation_for(code, said.role, said.uses, said.days, now)
    try:
        await application.clubs.change(club, lambda present: invited(present, person, made, now))
    except Refused as refusal:
        return await settings_page(visit, *notice_of(refusal, visit.language, ""))
    return await settings_page(visit, code=code)


@post("/c/{club:str}/invitations/{invitation:str}")
async def revoke(request: Http) -> ASGIResponse:
    """Take an invitation back."""
    visit, invitation = Visit(request), invitation_id(request)
    await read_form(visit)

    async def step() -> Step:
        person = await visit.person()
        return lambda present: revoked(present, person, invitation)

    return await _changed(visit, step)


@post("/c/{club:str}/members/{member:str}")
async def change_member(request: Http) -> ASGIResponse:
    """Give a member another role, hand the club to them, or remove them."""
    visit, member = Visit(request), member_id(request)
    form = await read_form(visit)
    does = form.text("does", "role")

    async def step() -> Step:
        person = await visit.person()
        if does == "remove":
            return lambda present: removed(present, person, member, present_instant())
        if does == "pass_on":
            return lambda present: passed_on(present, person, member)
        said = _converted(MemberBody, role=form.text("role"))
        return lambda present: with_role(present, person, member, said.role)

    return await _changed(visit, step)


@post("/c/{club:str}/close")
async def close(request: Http) -> ASGIResponse:
    """Close a club."""
    visit = Visit(request)
    form = await read_form(visit)

    async def step() -> Step:
        person = await visit.person()
        if not form.text("sure"):
            raise Refused("club.not_sure", "closing")
        return lambda present: closed(present, person)

    return await _changed(visit, step)


async def _changed(visit: Visit, step: Callable[[], Awaitable[Step]]) -> ASGIResponse:
    """Carry out a change; show the settings after it, or why it was refused."""
    club = club_id(visit.request)
    try:
        after = await visit.parts.application.clubs.change(club, await step())
    except Refused as refusal:
        return await settings_page(visit, *notice_of(refusal, visit.language, ""))
    if after is None or after.role(await visit.person()) is None:
        return see_other("/c")
    if after.role(await visit.person()) != "host":
        return see_other(f"/c/{club}")
    return see_other(f"/c/{club}/settings")


def _defaults(form: Form) -> DefaultsBody:
    options: dict[str, dict[str, str | int]] = {}
    for key, game in CURRENT.items():
        for option in describe(game).options:
            given = form.text(f"option-{key}-{option.name}")
            value = next((one for one in option.allowed if str(one) == given), option.default)
            if value != option.default:
                options.setdefault(key, {})[option.name] = value
    return DefaultsBody(
        ClockBody(form.number("clock", 0)), form.text("undo"), form.text("visibility", "private"), options
    )


def _converted(kind: type[S], **fields: Any) -> S:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise Malformed("form.malformed", str(error)) from None


async def settings_page(
    visit: Visit, notice: Notice | None = None, status: int = 200, *, code: str = "", channel_given: str = ""
) -> ASGIResponse:
    """Show a club's settings to a host."""
    club, language, now = await club_seen(visit), visit.language, present_instant()
    require(club, await visit.person(), "invite")
    address = public_address(visit.request, f"/i/{code}") if code else ""
    return secret_page(
        visit,
        "clubs/settings.html",
        status=status,
        club=club,
        members=await member_rows(visit, club),
        role_names=role_names(language),
        rights=rights_table(language),
        states={one: words_in(language).say(said) for one, said in INVITATION_STATES.items()},
        invitations=[
            (one, one.state(now), day_of(one.expires, language)) for one in reversed(club.invitations)
        ],
        address=address,
        qr=qr_code(address, words_in(language).say(_LABEL)) if address else "",
        days=DAYS,
        most_uses=MOST_USES,
        clocks=times_to_choose(CLOCKS, None, phrase("no limit"), visit.language),
        policies=UNDO_POLICIES,
        games=[_game(key, club, language) for key in sorted(CURRENT)],
        channel=await channel_shown(visit, club, channel_given),
        notice=notice,
        key=new_secret_key(),
        longest_name=LONGEST_NAME,
        here=f"/c/{club.id}/settings",
    )


def _game(key: str, club: Club, language: str) -> dict[str, Any]:
    chosen = club.defaults.options.get(key, {})
    options = [
        {
            "name": f"option-{key}-{option.name}",
            "label": option_name(key, option.name, language),
            "chosen": str(chosen.get(option.name, option.default)),
            "values": [
                (str(value), chosen_value(key, option.name, value, language)) for value in option.allowed
            ],
        }
        for option in describe(CURRENT[key]).options
    ]
    return {"name": game_name(key, language), "options": options}

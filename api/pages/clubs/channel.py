"""``/c/{club}/channel``: the chat to which a club's tables are told; for its hosts, on the page of settings."""

from typing import Any

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.contacts import SHAPE_NAMES
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.requests.clubs import club_for, club_id
from api.routes.contacts import reaching_of
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.notices.channels.webhook import SECRET
from services.notices.choices import zone_of
from services.notices.club_channels import ClubChannels, kinds_of, shape_of
from services.notices.club_occasions import CLUB_KINDS, CLUB_KINDS_BY_DEFAULT
from services.notices.outbox import Outbox
from services.people.clubs.changes import require
from services.people.clubs.club import Club
from services.words.notices import kind_name, result_name
from services.words.phrases import words_in
from services.words.reasons import reason_words
from services.words.times import local_moment

_SHOWN = 10


@post("/c/{club:str}/channel")
async def change_channel(request: Http) -> ASGIResponse:
    """Give a club's channel, which gets a test, or take it away."""
    from api.pages.clubs.settings import settings_page

    visit = Visit(request)
    form, person, application = await read_form(visit), await visit.person(), visit.parts.application
    club = await club_for(visit.parts, club_id(request), person)
    require(club, person, "set_terms")
    channels, host = ClubChannels(application.contacts), await application.persons.of(person)
    if form.text("does") == "take_away" or host is None:
        await channels.take_away(club.id)
        return see_other(f"/c/{club.id}/settings#channel")
    try:
        await channels.give(
            reaching_of(request),
            club.id,
            form.text("address"),
            form.text("shape"),
            form.texts("tell"),
            host=msgspec.structs.replace(host, language=host.language or visit.language),
            asked_from=address_of(request),
        )
    except TableeError as error:
        return await settings_page(
            visit, *notice_of(error, visit.language, ""), channel_given=form.text("address")
        )
    return see_other(f"/c/{club.id}/settings#channel")


async def channel_shown(visit: Visit, club: Club, given: str = "") -> dict[str, Any]:
    """Return a club's channel, as the page of settings shows it."""
    application, language = visit.parts.application, visit.language
    contact = await ClubChannels(application.contacts).of(club.id)
    told = CLUB_KINDS_BY_DEFAULT if contact is None else kinds_of(contact)
    shape = "discord" if contact is None else shape_of(contact)
    words = words_in(language)
    shapes = [(name, words.say(said)) for name, said in SHAPE_NAMES.items()]
    return {
        "address": "" if contact is None else contact.address,
        "given": given,
        "off": reason_words(contact.off, language) if contact is not None and contact.off else "",
        "secret": contact.details.get(SECRET, "") if contact is not None and shape == "json" else "",
        "shape": shape,
        "shape_name": dict(shapes)[shape],
        "shapes": shapes,
        "kinds": [(kind, kind_name(kind, language), kind in told) for kind in CLUB_KINDS],
        "sent": await _sent(visit, club),
    }


async def _sent(visit: Visit, club: Club) -> list[dict[str, str]]:
    application, language, now = visit.parts.application, visit.language, present_instant()
    person = await application.persons.of(await visit.person())
    if person is None:
        return []
    return [
        {
            "at": local_moment(one.at, zone_of(person), now, language),
            "about": ", ".join(kind_name(kind, language) for kind in one.kinds),
            "result": result_name(one.result, language),
            "reason": reason_words(one.reason, language),
        }
        for one in await Outbox(application.log_client).deliveries(club.id, _SHOWN)
    ]

"""``/me/notices``: what a person is told, through which channel, when not, and what was sent."""

from typing import Any, Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import Form, read_form
from api.pages.rendering import page, see_other
from api.pages.visits import Visit
from api.parts import Http
from api.requests.queries import query
from domain.instants import Instant
from services.bootstrap import present_instant
from services.notices.choices import (
    CHANNELS,
    KINDS,
    digest_hour,
    quiet_hours,
    reminders,
    wants,
    wish_of,
    zone_of,
)
from services.notices.messages import Delivery
from services.notices.occasions import Name
from services.notices.outbox import Outbox
from services.notices.receivers import channels_of
from services.people.persons import Person, Wish
from services.people.time_zones import is_time_zone
from services.words.notices import channel_name, kind_name, result_name
from services.words.reasons import reason_words
from services.words.times import local_moment

_SHOWN: Final = 30
HOURS: Final = tuple(range(24))


class Sent(msgspec.Struct, frozen=True):
    """A line of the list of what was sent.

    Attributes:
        at: When, in the reader's time zone.
        result: How it ended, in words.
    """

    at: str
    channel: str
    about: str
    result: str
    reason: str


@get("/me/notices")
async def show_notices(request: Http) -> ASGIResponse:
    """Show what a person is told, and let them choose."""
    visit = Visit(request)
    person = await _known(visit)
    if person is None:
        return page(visit, "notices_for_nobody.html", here="/me/notices")
    return await _page(visit, person)


@post("/me/notices")
async def choose(request: Http) -> ASGIResponse:
    """Keep what a person chose, send a test, or make a new secret address."""
    visit = Visit(request)
    form = await read_form(visit)
    person = await _known(visit)
    if person is None:
        return see_other("/me/notices")
    application = visit.parts.application
    answered = "/me/notices"
    match form.text("do"):
        case "test":
            # The same test asked for twice at once is one.
            name = Name("", "", "test", f"test-{person.id[:8]}-{form.text('key')[:40]}")
            outbox, now = Outbox(application.log_client), present_instant()
            answered = "/me/notices?done=test"
            await outbox.enter(
                name,
                person.id,
                [(channel, now) for channel in await channels_of(application.contacts, person.id)],
            )
        case "renew":
            await application.contacts.renew(person.id, "feed")
        case _:
            await application.persons.change(person.id, _wish(form, person))
    return see_other(answered)


async def _known(visit: Visit) -> Person | None:
    person = await visit.person()
    return await visit.parts.application.persons.of(person) if person else None


def _wish(form: Form, person: Person) -> Wish:
    preferences: dict[str, str] = {}
    shown = form.texts("channel")
    ticked = set(form.texts("notice"))
    for channel in CHANNELS:
        if channel in shown:
            for kind in KINDS:
                preferences |= wish_of(kind, channel, on=f"{kind}.{channel}" in ticked)
    begins, ends = form.text("quiet_from"), form.text("quiet_to")
    if form.text("quiet") == "never":
        preferences["notice.quiet"] = "never"
    elif begins.isdecimal() and ends.isdecimal():
        preferences["notice.quiet"] = f"{int(begins) % 24}-{int(ends) % 24}"
    hours = [hour for hour in form.texts("reminder") if hour.isdecimal() and len(hour) < 4]  # noqa: PLR2004
    preferences["notice.reminders"] = ",".join(hours) or "none"
    daily = form.text("digest_hour")
    if daily.isdecimal() and int(daily) in HOURS:
        preferences["notice.digest"] = daily
    zone = form.text("time_zone")
    return Wish(time_zone=zone if is_time_zone(zone) else person.time_zone, preferences=preferences)


async def _page(visit: Visit, person: Person) -> ASGIResponse:
    application, language = visit.parts.application, visit.language
    outbox, now = Outbox(application.log_client), present_instant()
    secret = await application.contacts.address(person.id, "feed")
    base = visit.parts.settings.public_url or f"http://{visit.request.headers.get('host', '')}"
    channels = await channels_of(application.contacts, person.id)
    context: dict[str, Any] = {
        "channels": [(channel, channel_name(channel, language)) for channel in channels],
        "kinds": [
            (kind, kind_name(kind, language), [wants(person, kind, channel) for channel in channels])
            for kind in KINDS
        ],
        "quiet": quiet_hours(person.preferences),
        "hours": HOURS,
        "reminders": reminders(person.preferences),
        "digest_hour": digest_hour(person.preferences),
        "time_zone": person.time_zone,
        "feed": f"{base}/feeds/{secret}/atom.xml",
        "calendar": f"{base}/feeds/{secret}/calendar.ics",
        "sent": [_sent(one, person, now, language) for one in await outbox.deliveries(person.id, _SHOWN)],
        "key": now,
        "is_testing": query(visit.request, "done") == "test",
    }
    return page(visit, "notices.html", here="/me/notices", **context)


def _sent(delivery: Delivery, person: Person, now: Instant, language: str) -> Sent:
    about = ", ".join(kind_name(kind, language) for kind in delivery.kinds)
    return Sent(
        local_moment(delivery.at, zone_of(person), now, language),
        channel_name(delivery.channel, language),
        about,
        result_name(delivery.result, language),
        reason_words(delivery.reason, language),
    )

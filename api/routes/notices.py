"""``/me/notices``: what a person is told, through which channel, and when not."""

from typing import Annotated, Final

import msgspec
from litestar import get, patch
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.requests.authentication import required_person
from api.requests.bodies import Body, read
from domain.errors import Malformed
from services.errors import Unauthenticated
from services.notices.choices import (
    CHANNELS,
    KINDS,
    LONGEST_REMINDER,
    MOST_REMINDERS,
    Channel,
    digest_hour,
    quiet_hours,
    reminders,
    wants,
    wish_of,
)
from services.notices.messages import Delivery
from services.notices.occasions import Kind
from services.notices.outbox import Outbox
from services.people.persons import Person, Wish

_HEADERS: Final = {"Cache-Control": "no-store"}
_Hour = Annotated[int, msgspec.Meta(ge=0, le=23)]
_Before = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_REMINDER)]


class QuietHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Between which hours nothing rings, in the person's time zone.

    Attributes:
        begins: The first hour of quiet.
        ends: The first hour after it. The same as `begins`: there is none.
    """

    begins: _Hour
    ends: _Hour


class NoticesBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a person chooses; what is left out stays as it is.

    Attributes:
        wanted: By kind and channel, whether it is wanted there.
        quiet: Between which hours nothing rings.
        reminders: How many hours before a deadline to remind.
        digest_hour: At which hour of their day the daily digest comes, if it is wanted anywhere.
    """

    wanted: dict[str, dict[str, bool]] | None = None
    quiet: QuietHours | None = None
    reminders: Annotated[tuple[_Before, ...], msgspec.Meta(max_length=MOST_REMINDERS)] | None = None
    digest_hour: _Hour | None = None


class NoticesShown(msgspec.Struct, frozen=True):
    """What a person is told, and what was sent.

    Attributes:
        wanted: By kind and channel, whether it is wanted there.
        quiet: Between which hours nothing rings; null for never.
        reminders: How many hours before a deadline they are reminded.
        digest_hour: At which hour of their day the daily digest comes.
        sent: The last attempts to deliver something, the newest first.
    """

    wanted: dict[Kind, dict[Channel, bool]]
    quiet: QuietHours | None
    reminders: tuple[int, ...]
    digest_hour: int
    sent: tuple[Delivery, ...]


_BODY: Final = msgspec.json.Decoder(NoticesBody)

_SHOW: Final = Operation(
    id="showNotices",
    tag="people",
    description="The page `/me/notices` shows the same, with the secret addresses of your feed and calendar.",
    answers={200: Answer("What you are told.", NoticesShown)},
    problems={503: ("store.unavailable",)},
)
_CHANGE: Final = Operation(
    id="changeNotices",
    tag="people",
    description="A kind that is not wanted in any channel is not told at all; your inbox shows it nevertheless.",
    body=NoticesBody,
    examples={
        "mail for turns, not at night": {
            "wanted": {"turn": {"mail": True}, "ended": {"mail": False}},
            "quiet": {"begins": 21, "ends": 8},
            "reminders": [24, 3],
        }
    },
    answers={200: Answer("What you are told from now on.", NoticesShown)},
    problems={400: ("notice.unknown_kind",), 503: ("store.unavailable",)},
)


@get("/me/notices", operation=_SHOW)
async def show_notices(request: Http) -> ASGIResponse:
    """Show what you are told."""
    return await _shown(request, await required_person(request))


@patch("/me/notices", operation=_CHANGE)
async def change_notices(request: Http) -> ASGIResponse:
    """Choose what you are told."""
    person = await required_person(request)
    body = await read(request, _BODY)
    preferences = _wanted(body.wanted or {})
    if body.quiet is not None:
        preferences["notice.quiet"] = f"{body.quiet.begins}-{body.quiet.ends}"
    if body.reminders is not None:
        preferences["notice.reminders"] = ",".join(map(str, body.reminders)) or "none"
    if body.digest_hour is not None:
        preferences["notice.digest"] = str(body.digest_hour)
    await parts_of(request).application.persons.change(person, Wish(preferences=preferences))
    return await _shown(request, person)


def _wanted(given: dict[str, dict[str, bool]]) -> dict[str, str]:
    kinds: dict[str, Kind] = {kind: kind for kind in KINDS}
    channels: dict[str, Channel] = {channel: channel for channel in CHANNELS}
    preferences: dict[str, str] = {}
    for kind, by_channel in given.items():
        for channel, wanted in by_channel.items():
            if kind not in kinds or channel not in channels:
                raise Malformed(
                    "notice.unknown_kind",
                    f"`wanted` names kinds ({', '.join(KINDS)}) and channels ({', '.join(CHANNELS)}).",
                )
            preferences |= wish_of(kinds[kind], channels[channel], on=wanted)
    return preferences


async def _shown(request: Http, person_id: str) -> ASGIResponse:
    application = parts_of(request).application
    person = await application.persons.of(person_id)
    if person is None:  # erased a moment ago
        raise Unauthenticated
    sent = await Outbox(application.log_client).deliveries(person_id)
    hours = quiet_hours(person.preferences)
    body = NoticesShown(
        _choices(person),
        None if hours is None else QuietHours(*hours),
        reminders(person.preferences),
        digest_hour(person.preferences),
        tuple(sent),
    )
    return answer(body, headers=_HEADERS)


def _choices(person: Person) -> dict[Kind, dict[Channel, bool]]:
    return {kind: {channel: wants(person, kind, channel) for channel in CHANNELS} for kind in KINDS}

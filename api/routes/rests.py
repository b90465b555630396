"""``/me/rests``: when a person's clocks rest, at all their tables."""

from datetime import date
from typing import Annotated, Final

import msgspec
from litestar import get, put
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.requests.authentication import required_person
from api.requests.bodies import Body, read
from services.errors import Unauthenticated
from services.people.persons import Person, Wish
from services.people.rest_times import MOST_INTERVALS, Holiday, RestTimes, check_rest_times, rest_times

_HEADERS: Final = {"Cache-Control": "no-store"}
_Hour = Annotated[int, msgspec.Meta(ge=0, le=23)]
_Weekday = Annotated[int, msgspec.Meta(ge=1, le=7)]


class Night(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Between which hours clocks rest every night, in the person's time zone.

    Attributes:
        begins: The first hour of the night.
        ends: The first hour after it; at most 12 hours later.
    """

    begins: _Hour
    ends: _Hour


class HolidayBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days on which clocks rest.

    Attributes:
        first: The first day.
        last: The last day.
    """

    first: date
    last: date


class RestsBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When your clocks rest; what is left out is not chosen.

    Attributes:
        night: Between which hours of every night.
        days: On which weekdays, from 1 for Monday to 7; at most three.
        holidays: On which days; at most 42 of a calendar year.
    """

    night: Night | None = None
    days: Annotated[tuple[_Weekday, ...], msgspec.Meta(max_length=7)] = ()
    holidays: Annotated[tuple[HolidayBody, ...], msgspec.Meta(max_length=MOST_INTERVALS)] = ()


class RestsShown(msgspec.Struct, frozen=True):
    """When a person's clocks rest.

    Attributes:
        night: Between which hours of every night; null for none.
        days: On which weekdays, from 1 for Monday.
        holidays: On which days.
        time_zone: Where that is meant; UTC if it is empty.
    """

    night: Night | None
    days: tuple[int, ...]
    holidays: tuple[HolidayBody, ...]
    time_zone: str


_BODY: Final = msgspec.json.Decoder(RestsBody)

_SHOW: Final = Operation(
    id="showRests",
    tag="people",
    description="They hold at all tables whose `clock.rests` says so.",
    answers={200: Answer("When your clocks rest.", RestsShown)},
    problems={503: ("store.unavailable",)},
)
_CHOOSE: Final = Operation(
    id="chooseRests",
    tag="people",
    description=(
        "Everybody at your tables can read the intervals, in UTC: they are recorded in the matches. What has passed "
        "stays as it was."
    ),
    body=RestsBody,
    examples={
        "nights, weekends and a week of winter": {
            "night": {"begins": 22, "ends": 8},
            "days": [6, 7],
            "holidays": [{"first": "2026-12-24", "last": "2027-01-02"}],
        }
    },
    answers={200: Answer("When your clocks rest from now on.", RestsShown)},
    problems={
        422: (
            "rest.night_too_long",
            "rest.too_many_days",
            "rest.holidays_too_long",
            "rest.too_many_holidays",
        ),
        503: ("store.unavailable",),
    },
)


@get("/me/rests", operation=_SHOW)
async def show_rests(request: Http) -> ASGIResponse:
    """Show when your clocks rest."""
    person = await required_person(request)
    return _shown(await parts_of(request).application.persons.of(person))


@put("/me/rests", operation=_CHOOSE)
async def choose_rests(request: Http) -> ASGIResponse:
    """Choose when your clocks rest."""
    person = await required_person(request)
    body = await read(request, _BODY)
    nights = (body.night.begins, body.night.ends) if body.night is not None else None
    holidays = tuple(Holiday(one.first, one.last) for one in body.holidays)
    chosen = check_rest_times(RestTimes(nights, body.days, holidays))
    application = parts_of(request).application
    changed = await application.persons.change(person, Wish(preferences=chosen.as_preferences()))
    await application.rests.replan(person)
    return _shown(changed)


def _shown(person: Person | None) -> ASGIResponse:
    if person is None:  # erased a moment ago
        raise Unauthenticated
    times = rest_times(person.preferences)
    night = Night(*times.nights) if times.nights is not None else None
    holidays = tuple(HolidayBody(one.first, one.last) for one in times.holidays)
    return answer(RestsShown(night, times.days, holidays, person.time_zone), headers=_HEADERS)

"""``/me/rests``: when a person's clocks rest, at all their tables."""

from datetime import date
from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import Form, read_form
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import Malformed, Refused
from services.people.persons import Person, Wish
from services.people.rest_times import (
    MOST_HOLIDAYS,
    Holiday,
    RestTimes,
    check_rest_times,
    rest_times,
)
from services.people.time_zones import is_time_zone
from services.words.times import weekday_name

WEEKDAYS: Final = tuple(range(1, 8))
HOURS: Final = tuple(range(24))
_MORE_LINES: Final = 2
"""Lines for further holidays that the form has."""


@get("/me/rests")
async def show_rests(request: Http) -> ASGIResponse:
    """Show when a person's clocks rest, and let them choose."""
    visit = Visit(request)
    person = await _known(visit)
    if person is None:
        return page(visit, "notices_for_nobody.html", here="/me/rests")
    return _page(visit, person, rest_times(person.preferences))


@post("/me/rests")
async def choose_rests(request: Http) -> ASGIResponse:
    """Keep what a person chose."""
    visit = Visit(request)
    form = await read_form(visit)
    person = await _known(visit)
    if person is None:
        return see_other("/me/rests")
    chosen = _chosen(form)
    try:
        chosen = check_rest_times(chosen)
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        return _page(visit, person, chosen, notice, status)
    zone = form.text("time_zone")
    wish = Wish(time_zone=zone if is_time_zone(zone) else None, preferences=chosen.as_preferences())
    await visit.parts.application.persons.change(person.id, wish)
    await visit.parts.application.rests.replan(person.id)
    return see_other("/me/rests")


async def _known(visit: Visit) -> Person | None:
    person = await visit.person()
    return await visit.parts.application.persons.of(person) if person else None


def _chosen(form: Form) -> RestTimes:
    nights = (form.number("from", 22), form.number("to", 8)) if form.text("nights") else None
    days = tuple(int(day) for day in form.texts("day") if day in {"1", "2", "3", "4", "5", "6", "7"})
    lines = zip(form.texts("first"), form.texts("last"), strict=False)
    return RestTimes(nights, days, tuple(_holiday(first, last) for first, last in lines if first or last))


def _holiday(first: str, last: str) -> Holiday:
    try:
        return Holiday(date.fromisoformat(first or last), date.fromisoformat(last or first))
    except ValueError:
        raise Malformed("form.malformed", "A holiday is two dates.") from None


def _page(
    visit: Visit, person: Person, times: RestTimes, notice: Notice | None = None, status: int = 200
) -> ASGIResponse:
    holidays = [(str(one.first), str(one.last)) for one in times.holidays]
    return page(
        visit,
        "rests.html",
        status=status,
        nights=times.nights,
        hours=HOURS,
        weekdays=[(day, weekday_name(day, visit.language), day in times.days) for day in WEEKDAYS],
        holidays=[*holidays, *[("", "")] * _MORE_LINES],
        most_holidays=MOST_HOLIDAYS,
        time_zone=person.time_zone,
        notice=notice,
        here="/me/rests",
    )

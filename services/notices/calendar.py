"""Deadlines as events of a calendar (RFC 5545)."""

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

import icalendar

from domain.instants import Instant, moment_of


class Event(NamedTuple):
    """A deadline.

    Attributes:
        uid: Names it for ever: a deadline that moves stays one event.
        title: What is to be done.
        until: When the time ends.
        address: Where to do it.
        people: Who else plays.
    """

    uid: str
    title: str
    until: Instant
    address: str
    people: str = ""


def calendar_of(name: str, events: Iterable[Event], now: Instant) -> bytes:
    """Return a calendar. Instants are in UTC: calendars show them in the time of their reader."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Tablée//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", timedelta(minutes=15), {"VALUE": "DURATION"})
    for event in events:
        one = icalendar.Event()
        one.add("uid", f"{event.uid}@tablee")
        one.add("dtstamp", moment_of(now))
        one.add("dtstart", moment_of(event.until))
        one.add("dtend", moment_of(event.until))
        one.add("summary", event.title)
        one.add("description", "\n".join(filter(None, (event.people, event.address))))
        one.add("url", event.address)
        one.add("transp", "TRANSPARENT")
        calendar.add_component(one)
    content: bytes = calendar.to_ical()
    return content

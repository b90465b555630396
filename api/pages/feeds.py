"""``/feeds/{secret}``: what a person was told, for feed readers, and their deadlines, for calendars.

The address is the secret: a feed reader sends no cookie. ``/stop/{channel}/{secret}`` stops a channel's notices by one
click, or by the one request that mail programs send for "unsubscribe".
"""

from collections.abc import Sequence
from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.atom import ATOM, AtomEntry, atom_feed
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http, parts_of
from services.bootstrap import present_instant
from services.errors import NoSuchMatch
from services.notices.calendar import Event, calendar_of
from services.notices.channels.feed import Feed
from services.notices.choices import CHANNELS, KINDS, Channel, wish_of
from services.notices.deadlines import deadlines_of
from services.notices.messages import Item, Message
from services.people.hashed_secrets import hash_of
from services.people.persons import Person, Wish
from services.words.languages import SOURCE
from services.words.names import game_name
from services.words.notices import title_words
from services.words.phrases import phrase, words_in

_TITLE: Final = phrase("Tablée: what waits for {name}")
_MOST_LISTS: Final = 5
"""How many published lists stand in a feed whole: readers that ask once in a few days miss none."""

_LONGEST_LIST: Final = 200_000
"""Bytes. Of a longer one a feed names the address alone; a mail has it whole."""

_HEADERS: Final = {
    "Cache-Control": "private, no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


class NoSuchAddress(NoSuchMatch):
    """The secret address leads nowhere, or no longer."""

    code = "address.unknown"


@get("/feeds/{secret:str}/atom.xml")
async def follow(request: Http) -> ASGIResponse:
    """Tell a feed reader what its person was told."""
    person = await _person(request, "feed")
    messages = await Feed(parts_of(request).application.log_client).of(person.id)
    language = person.language or SOURCE
    title = words_in(language).say(_TITLE, name=person.name or "…")
    entries = await _entries(request, messages)
    content = atom_feed(f"urn:tablee:feed:{_mark(request)}", title, "", entries, language)
    return ASGIResponse(body=content, headers=_HEADERS, media_type=f"{ATOM}; charset=utf-8")


@get("/feeds/{secret:str}/calendar.ics")
async def show_calendar(request: Http) -> ASGIResponse:
    """Tell a calendar until when its person is to act."""
    person = await _person(request, "feed")
    events = await _events(request, person)
    name = words_in(person.language or SOURCE).say(_TITLE, name=person.name or "…")
    content = calendar_of(name, events, present_instant())
    return ASGIResponse(body=content, headers=_HEADERS, media_type="text/calendar")


@get("/stop/{channel:str}/{secret:str}")
async def ask_to_stop(request: Http) -> ASGIResponse:
    """Ask whether notices shall stop; a mail scanner that opens the link stops nothing."""
    channel = _channel(request)
    await _person(request, f"stop-{channel}")
    address = f"/stop/{channel}/{request.path_params['secret']}"
    return page(Visit(request), "stop.html", address=address, stopped=False, here="/")


@post("/stop/{channel:str}/{secret:str}")
async def stop(request: Http) -> ASGIResponse:
    """Stop all notices of a channel. Mail programs send this by themselves, without a cookie: the secret is enough."""
    channel = _channel(request)
    person = await _person(request, f"stop-{channel}")
    unwanted: dict[str, str] = {}
    for kind in KINDS:
        unwanted |= wish_of(kind, channel, on=False)
    await parts_of(request).application.persons.change(person.id, Wish(preferences=unwanted))
    return page(Visit(request), "stop.html", stopped=True, here="/")


async def _person(request: Http, purpose: str) -> Person:
    application = parts_of(request).application
    person = await application.contacts.led_to(purpose, request.path_params["secret"])
    known = await application.persons.of(person) if person else None
    if known is None:
        raise NoSuchAddress
    return known


def _channel(request: Http) -> Channel:
    given = request.path_params["channel"]
    for channel in CHANNELS:
        if channel == given:
            return channel
    raise NoSuchAddress


async def _events(request: Http, person: Person) -> list[Event]:
    parts, language = parts_of(request), person.language or SOURCE
    application = parts.application
    base = (parts.settings.public_url or parts.settings.api_url).rstrip("/")
    memberships = await application.memberships.of(person.id)
    return [
        Event(
            f"{occasion.name.match}-{occasion.name.turn}",
            title_words(occasion.name.kind, game_name(game, language), language),
            occasion.deadline,
            f"{base}/m/{occasion.name.match}",
        )
        for game, occasion in await deadlines_of(application.listing, application.reader, memberships)
    ]


async def _entries(request: Http, messages: Sequence[Message]) -> list[AtomEntry]:
    digests, found, lists = parts_of(request).application.digests, list[AtomEntry](), 0
    for message in messages:
        content = ""
        for number in (item.published for item in message.items if item.published):
            lists += 1
            whole = await digests.content(number) if lists <= _MOST_LISTS else None
            if whole is not None and len(whole) <= _LONGEST_LIST:
                content = whole.decode()
        found.append(_entry(message, content))
    return found


def _entry(message: Message, content: str) -> AtomEntry:
    summary = " · ".join(_told(item) for item in message.items)
    link = message.items[0].address if message.items else ""
    return AtomEntry(
        f"urn:tablee:notice:{message.id}", message.subject, message.at, link, summary, content=content
    )


def _told(item: Item) -> str:
    said = (item.title, item.people, item.round, item.deadline, *item.lines, item.note)
    return ". ".join(one.rstrip(".") for one in said if one) + "."


def _mark(request: Http) -> str:
    """Return what names the feed without giving its address away."""
    return hash_of(request.path_params["secret"])[:20]

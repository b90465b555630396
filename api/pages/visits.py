"""A visit: one request to a page, by which browser, in which language."""

from collections.abc import Callable
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from litestar.datastructures import Cookie

from api.parts import Http, Parts, parts_of
from api.requests.addresses import is_secure
from api.requests.devices import device_of
from api.requests.headers import wanted_language
from domain.instants import Instant
from services.bootstrap import present_instant
from services.notices.choices import zone_of
from services.people.hashed_secrets import is_secret, new_secret
from services.people.memberships import Held, Membership
from services.people.persons import Wish
from services.people.time_zones import is_time_zone
from services.words.languages import LANGUAGES
from services.words.times import local_day

LANGUAGE_COOKIE: Final = "tablee_language"
PREFERENCES_COOKIE: Final = "tablee_display"
KEPT: Final = "page"
"""What the names of these preferences of a person begin with."""
_A_YEAR: Final = 365 * 24 * 3600
_PERSON: Final = "person"
_PREFERENCES: Final = "preferences"
_VALUES: Final = frozenset({"light", "dark", "contrast", "off", "on", "always", "phones"})


class Preferences(msgspec.Struct, frozen=True):
    """How somebody wants the pages; an empty value is what holds if they chose nothing.

    Attributes:
        theme: ``light``, ``dark`` or ``contrast``; empty to go by the device.
        motion: ``off`` for pages on which nothing moves; empty to go by the device.
        sound: ``on`` for a sound when it is their turn.
        confirm: Whether a move takes two presses: ``always`` or on ``phones``; empty for never.
    """

    theme: str = ""
    motion: str = ""
    sound: str = ""
    confirm: str = ""

    @property
    def written(self) -> str:
        """As a cookie keeps it."""
        return ".".join(msgspec.structs.astuple(self))


class Visit:
    """One request to a page.

    Attributes:
        secure: Whether the browser came by HTTPS.
        known: Whether the browser brought a session.
        session: Its secret; a new one, not yet kept anywhere, if it brought none.
    """

    def __init__(self, request: Http) -> None:
        self.request = request
        self.parts: Parts = parts_of(request)
        self.secure = is_secure(request)
        # Under HTTPS the prefix keeps pages of other hosts from setting this cookie.
        self._cookie = "__Host-tablee" if self.secure else "tablee"
        given = request.cookies.get(self._cookie, "")
        self.known = bool(is_secret(given))
        self.session = given if self.known else new_secret()
        self._form_token = ""
        self.language = _language_of(request)

    @property
    def preferences(self) -> Preferences:
        """How the visitor wants the pages: as :meth:`look_up_preferences` found, or as this browser remembers."""
        found: Preferences | None = self.request.scope["state"].get(_PREFERENCES)
        if found is None:
            found = Preferences(*_known(self.request.cookies.get(PREFERENCES_COOKIE, "").split(".")))
        return found

    async def look_up_preferences(self) -> None:
        """Look up how the person wants the pages, on whichever device they said so; the guard does it."""
        person = await self.person()
        known = await self.parts.application.persons.of(person) if person else None
        # Somebody new goes on with what this browser remembers.
        if known is not None and known.preferences.get(f"{KEPT}.chosen"):
            kept = [known.preferences.get(f"{KEPT}.{name}", "") for name in Preferences.__struct_fields__]
            self.request.scope["state"][_PREFERENCES] = Preferences(*_known(kept))

    @property
    def form_token(self) -> str:
        """What the forms of this page carry. The answer then gives a browser without a session its new one."""
        if not self._form_token:
            self._form_token = self.parts.application.form_tokens.of(self.session)
        return self._form_token

    def is_form_token(self, given: str) -> bool:
        """Tell whether a form comes from a page that was served to this browser's session."""
        return self.known and self.parts.application.form_tokens.fits(self.session, given)

    async def person(self) -> str:
        """Return the id of the person whose browser this is; empty for somebody who is not known yet."""
        found: str | None = self.request.scope["state"].get(_PERSON)
        if found is None:
            sessions = self.parts.application.sessions
            found = await sessions.person(self.session, present_instant()) if self.known else ""
            self.request.scope["state"][_PERSON] = found
        return found

    async def name(self) -> str:
        """Return how the person wants to be called at their next table; empty if they never said."""
        person = await self.person()
        known = await self.parts.application.persons.of(person) if person else None
        return "" if known is None else known.name

    async def become_person(self, name: str, zone: str = "") -> str:
        """Return the id of the person whose browser this is, who is made now if they are not known yet.

        Args:
            name: Remembered for their next table unless it is empty.
            zone: The time zone that their browser guesses; kept unless they have said one.
        """
        application, now = self.parts.application, present_instant()
        known = await self.person()
        guessed = zone if is_time_zone(zone) else ""
        if known:
            me = await application.persons.of(known) if guessed else None
            is_new = me is not None and not me.time_zone
            if name or is_new:
                wish = Wish(name or None, time_zone=guessed if is_new else None)
                await application.persons.change(known, wish)
            return known
        created = await application.persons.create(now, name, guessed)
        person = await application.sessions.begin(self.session, created.id, now, self.device)
        if person != created.id:  # another form of this browser was first
            await application.persons.erase(created.id)
        self.request.scope["state"][_PERSON] = person
        return person

    @property
    def device(self) -> str:
        """What the device calls itself."""
        return device_of(self.request)

    async def held(self, match: str) -> Held:
        """Return as whom the browser acts at a match."""
        person = await self.person()
        return await self.parts.application.memberships.held(person, match) if person else Held()

    async def memberships(self) -> list[Membership]:
        """Return the person's parts in all matches, the newest first."""
        person = await self.person()
        return await self.parts.application.memberships.of(person) if person else []

    async def zone(self) -> ZoneInfo:
        """Return the time zone in which this reader reads times; UTC if they never said."""
        person = await self.person()
        known = await self.parts.application.persons.of(person) if person else None
        return zone_of(known) if known is not None else ZoneInfo("UTC")

    async def days(self) -> Callable[[Instant], str]:
        """Return what tells the day of an instant where this reader lives."""
        return partial(local_day, zone=await self.zone(), language=self.language)

    def cookies(self) -> list[Cookie]:
        """Return the cookies that the answer must set."""
        if self.known or not self._form_token:
            return []
        return [self._make(self._cookie, self.session, hidden=True)]

    def session_cookie(self, session: str) -> Cookie:
        """Return the cookie that makes a session this browser's, or takes it away if it is empty."""
        return self._make(self._cookie, session, hidden=True)

    def language_cookie(self, language: str) -> Cookie:
        """Return the cookie that keeps a chosen language; an empty one leaves it to the browser."""
        return self._make(LANGUAGE_COOKIE, language, hidden=False)

    def cookie(self, name: str, value: str, path: str = "/") -> Cookie:
        """Return a cookie of the pages that no module reads, for addresses below a path."""
        return self._make(name, value, hidden=True, path=path)

    def _make(self, name: str, value: str, *, hidden: bool, path: str = "/") -> Cookie:
        return Cookie(
            key=name,
            value=value,
            path=path,
            max_age=_A_YEAR if value else 0,
            httponly=hidden,
            secure=self.secure,
            samesite="lax",
        )


def _language_of(request: Http) -> str:
    """Return the language that the reader chose, else the one that their browser wants most."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else wanted_language(request)


def _known(values: list[str]) -> list[str]:
    """Return as many values as there are preferences, without those that mean nothing."""
    return [value if value in _VALUES else "" for value in values][: len(Preferences.__struct_fields__)]

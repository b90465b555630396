"""A visit: one request to a page, with who asks and in which language."""

import re
from typing import Final

from litestar.datastructures import Cookie

from api.parts import Http, Parts, parts_of
from services.people.hashed_secrets import is_secret, new_secret
from services.people.sessions import Held, Membership
from services.words.languages import LANGUAGES, choose_language

LANGUAGE_COOKIE: Final = "tablee_language"
_A_YEAR: Final = 365 * 24 * 3600
_WEIGHT: Final = re.compile(r"q=([01](?:\.[0-9]{0,3})?)").fullmatch


class Visit:
    """One request to a page.

    Attributes:
        request: The request.
        parts: The parts of the process.
        secure: Whether the browser came by HTTPS.
        known: Whether the browser brought a session.
        session: Its secret; a new one, not yet kept anywhere, if it brought none.
        language: The language to answer in.
    """

    def __init__(self, request: Http) -> None:
        """Read the request's cookies and headers."""
        self.request = request
        self.parts: Parts = parts_of(request)
        self.secure = _is_secure(request, self.parts)
        # Under HTTPS the prefix keeps pages of other hosts from setting this cookie.
        self._cookie = "__Host-tablee" if self.secure else "tablee"
        given = request.cookies.get(self._cookie, "")
        self.known = bool(is_secret(given))
        self.session = given if self.known else new_secret()
        self._form_token = ""
        self.language = language_of(request)

    @property
    def form_token(self) -> str:
        """What the forms of this page carry. A browser without a session gets its new one with the answer."""
        if not self._form_token:
            self._form_token = self.parts.application.sessions.form_token(self.session)
        return self._form_token

    def is_form_token(self, given: str) -> bool:
        """Tell whether a form comes from a page that this browser's session got."""
        return self.parts.application.sessions.fits(self.session, given)

    async def held(self, match: str) -> Held:
        """Return as whom the browser acts at a match."""
        if not self.known:
            return Held()
        return await self.parts.application.sessions.held(self.session, match)

    async def memberships(self) -> list[Membership]:
        """Return the browser's parts in all matches, the newest first."""
        if not self.known:
            return []
        return await self.parts.application.sessions.memberships(self.session)

    def cookies(self) -> list[Cookie]:
        """Return the cookies that the answer must set."""
        if self.known or not self._form_token:
            return []
        return [self._make(self._cookie, self.session, hidden=True)]

    def language_cookie(self, language: str) -> Cookie:
        """Return the cookie that keeps a chosen language."""
        return self._make(LANGUAGE_COOKIE, language, hidden=False)

    def _make(self, name: str, value: str, *, hidden: bool) -> Cookie:
        return Cookie(
            key=name,
            value=value,
            path="/",
            max_age=_A_YEAR,
            httponly=hidden,
            secure=self.secure,
            samesite="lax",
        )


def language_of(request: Http) -> str:
    """Return the language that was chosen, else the one that the browser wants most."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return choose_language(wanted_languages(request.headers.get("accept-language", "")))


def wanted_languages(accepted: str) -> list[str]:
    """Return the language tags of an ``Accept-Language`` header, the most wanted first."""
    weighed: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        tag, _, parameter = part.partition(";")
        weight = _WEIGHT(parameter.strip()) if parameter else None
        weighed.append((float(weight[1]) if weight else 1.0, tag.strip()))
    # Sorting is stable: of equally wanted ones the first named comes first.
    return [tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0 and tag]


def _is_secure(request: Http, parts: Parts) -> bool:
    if request.url.scheme == "https":
        return True
    # Behind a proxy that ends TLS, the service itself is spoken to in plain HTTP.
    public = parts.settings.public_url or ""
    return public.startswith("https://") and public.removeprefix("https://") == request.headers.get("host")

"""Jinja, its environment, and the answers made of it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    PackageLoader,
    StrictUndefined,
    TemplateNotFound,
)
from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse
from markupsafe import Markup, escape

from api.pages.qr import qr_code
from api.pages.static_files import address_of, address_of_bundle, picture_of
from api.pages.visits import Visit
from services.process.foreign_text import are_safe_lines, visible_lines
from services.process.games import folder_of, games_from_outside
from services.words.languages import LANGUAGES
from services.words.phrases import Phrase, counted, whole, words_in

HTML: Final = "text/html"

POLICY: Final = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What a page may load and do: nothing inline, nothing from elsewhere."""

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    # Not no-referrer: browsers would then hide from our own forms' requests where they come from.
    "Referrer-Policy": "same-origin",
}

LANGUAGE_NAMES: Final = {"en": "English", "fr": "Français"}
"""Each in its own language."""


_OF_ADDRESSES: Final = "/?#&=%:;,@!$'()*+~[]"
"""What stands in addresses as it is, beside letters and digits."""


class Speech:
    """What templates say, in one language. Texts are found there by the calls of ``_`` and ``_n``."""

    def __init__(self, language: str) -> None:
        self._words = words_in(language)

    def say(self, text: str, **arguments: object) -> Markup:
        """Return a text, its arguments put in and escaped."""
        return self.say_phrase(Phrase(text), **arguments)

    def count(self, one: str, many: str, counts: str, **arguments: object) -> Markup:
        """Return a text that depends on the number of the argument named ``counts``."""
        return self.say_phrase(counted(one, many, counts), **arguments)

    def say_phrase(self, phrase: Phrase, **arguments: object) -> Markup:
        """Return a text that was written down in the code."""
        safe = {name: value if isinstance(value, int) else escape(value) for name, value in arguments.items()}
        # Texts are our own; what is put in is not.
        return Markup(self._words.say(phrase, **safe))  # noqa: S704


@cache
def speech(language: str) -> Speech:
    """Return what templates say in a language."""
    return Speech(language)


class GamesFromOutside(BaseLoader):
    """Finds ``games/<key>.html`` and ``games/<key>_….html`` in the folder ``templates`` of the game's package."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return a template's text."""
        del environment
        folder, _, name = template.partition("/")
        key = name.partition(".")[0].partition("_")[0]
        if folder == "games" and key in games_from_outside():
            file = folder_of(key).joinpath("templates", name)
            if file.is_file():
                return file.read_text("utf-8"), str(file), None
        raise TemplateNotFound(template)


def _seen(value: object) -> object:
    """Return what a template shows, with no character that turns the direction of writing or is not seen."""
    if not isinstance(value, str) or are_safe_lines(value):
        return value
    return type(value)(visible_lines(value))


_OWN: Final = PackageLoader("api.pages")

_AHEAD: Final = ("base", "table", "replay", "games/", "moments", "coach/", "bookmark", "card", "languages")
"""How the templates of tables and replays begin."""


def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader([_OWN, GamesFromOutside()]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_seen,
    )
    environment.globals |= {
        "asset": address_of,
        "bundle": address_of_bundle,
        "language_names": LANGUAGE_NAMES,
        "picture_of": picture_of,
        "languages": LANGUAGES,
        "qr_code": qr_code,
    }
    environment.filters["whole"] = whole
    return environment


ENVIRONMENT: Final = _environment()


def read_ahead() -> None:
    """Read the templates of tables and replays, which takes a fifth of a second: nobody should wait for it."""
    for name in _OWN.list_templates():
        if name.startswith(_AHEAD):
            ENVIRONMENT.get_template(name)


def rendered(template: str, language: str, environment: Environment = ENVIRONMENT, **context: Any) -> Markup:
    """Return a template's HTML."""
    spoken = speech(language)
    html = environment.get_template(template).render(
        context, _=spoken.say, _n=spoken.count, language=language
    )
    return Markup(html)  # noqa: S704 - escaped by the template


def page_html(visit: Visit, template: str, **context: Any) -> Markup:
    """Return the HTML of a whole page."""
    around: dict[str, Any] = {
        "form_token": visit.form_token,
        "here": own_address(visit.request.url.path),
        "turn": False,
        "preferences": visit.preferences,
        "preview": None,
        "imported": "",
    }
    return rendered(template, visit.language, **(around | context))


def page(
    visit: Visit,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> ASGIResponse:
    """Answer with a whole page."""
    html = page_html(visit, template, **context)
    return html_answer(html, status=status, headers=headers, cookies=visit.cookies())


def html_answer(
    html: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    cookies: Iterable[Cookie] = (),
) -> ASGIResponse:
    """Answer with HTML."""
    return ASGIResponse(
        body=html.encode(),
        status_code=status,
        headers={**HEADERS, "Vary": "Cookie, Accept-Language", **(headers or {})},
        cookies=cookies,
        media_type=HTML,
    )


def see_other(address: str, cookies: Iterable[Cookie] = ()) -> ASGIResponse:
    """Send the browser to another page after a form was carried out."""
    # Browsers leave tabs and line breaks out of addresses, and with them out of what was checked before.
    written = quote(address, safe=_OF_ADDRESSES)
    return ASGIResponse(status_code=303, headers={**HEADERS, "Location": written}, cookies=cookies)


def own_address(given: str) -> str:
    """Return a place of our own: nobody is sent elsewhere from here."""
    return given if given.startswith("/") and not given.startswith(("//", "/\\")) else "/"

"""What pages say when something cannot be done: on the table where there is one, else on a page of its own."""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import structlog
from litestar import Response
from litestar.exceptions import HTTPException
from markupsafe import Markup

from api.answering.problems import for_askers, status_of, when_to_ask_again
from api.entrance.refused_commands import note_code
from api.pages.rendering import HEADERS, HTML, page_html
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import Malformed, Refused, TableeError
from services.errors import CommandIdReused, LogBroken, StaleVersion, TooManyRequests
from services.process.service_log import current_correlation
from services.words.phrases import Phrase, Words, phrase, words_in
from services.words.refusals import Refusal, refusal_text
from services.words.times import at_most

_log = structlog.get_logger(__name__)

_STALE: Final = phrase("The table has moved on since you looked, and nothing was done.")
_STALE_HELP: Final = phrase("This is how it stands now.")
_MALFORMED: Final = phrase("This cannot be read.")
_ADDRESS_HELP: Final = phrase("Check the address.")
_FORM_HELP: Final = phrase("Open the page again and send its form.")
_NO_PAGE: Final = phrase("There is no such page.")
_FAILED: Final = phrase("Something went wrong here.")
_WAIT: Final = phrase("Go on in {wait}, and more slowly.")

_PASSING: Final = frozenset({429, 503})
"""Statuses that mend themselves."""

_RULE: Final = re.compile(r"[A-Z0-9][A-Za-z0-9.]*").fullmatch
"""The number of a rule of a game; rules of the table have names in small letters."""


def notice_of(error: TableeError, language: str, game: str) -> tuple[Notice, int]:
    """Return what to tell on a table about what was refused, and the answer's status.

    Raises:
        TableeError: It is nothing that a person could have done otherwise.
    """
    status = status_of(error)
    if status == 500:  # noqa: PLR2004 - a status
        raise error
    if isinstance(error, StaleVersion | CommandIdReused):
        # Another press of a button was quicker: to people both mean that the page was old.
        words = words_in(language)
        return Notice("stale", Refusal(words.say(_STALE), "", words.say(_STALE_HELP))), 412
    rule = error.rule.lower() if isinstance(error, Refused) and _RULE(error.rule) else ""
    return Notice("refused", in_words(error, language, game), rule), status


def in_words(error: TableeError, language: str, game: str) -> Refusal:
    """Return the sentences of an error; the game's key may be empty where its code names the game."""
    words = words_in(language)
    if isinstance(error, Malformed):
        return Refusal(words.say(_MALFORMED), "", _help(error, words))
    if isinstance(error, Refused):
        return refusal_text(error.code, error.rule, error.arguments, language, game=game)
    return refusal_text(error.code, "", {}, language, game=game)


def _help(error: Malformed, words: Words) -> str:
    # Details are for programmers, and English: who reads a page has only an address or a form that can be wrong.
    kind = error.code.partition(".")[0]
    if kind in {"query", "match"}:
        return words.say(_ADDRESS_HELP)
    return words.say(_FORM_HELP) if kind in {"form", "move", "body"} else error.detail


def wants_page(request: Http) -> bool:
    """Tell whether a request to an address that does not exist came from somebody who reads pages."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


class ErrorPages(NamedTuple):
    """Errors as pages, for visitors or for operators.

    Attributes:
        html: Draws what is to be said, with the answer's status.
        failed_help: What to do about what nobody foresaw; names the correlation id.
    """

    html: Callable[[Visit, Refusal, int], Markup]
    failed_help: Phrase

    def refused(self, request: Http, error: TableeError) -> Response[bytes]:
        """Answer one of our own errors."""
        visit = Visit(request)
        said = in_words(error, visit.language, "")
        if isinstance(error, TooManyRequests):
            wait = at_most(error.wait, visit.language)
            said = said._replace(right=words_in(visit.language).say(_WAIT, wait=wait))
        return self._answer(visit, status_of(error), said, when_to_ask_again(error))

    def rejected(self, request: Http, error: HTTPException) -> Response[bytes]:
        """Answer what the framework refused: mostly addresses that do not exist."""
        visit = Visit(request)
        is_missing = error.status_code in {404, 405}
        said = Refusal(words_in(visit.language).say(_NO_PAGE if is_missing else _MALFORMED))
        return self._answer(visit, error.status_code if is_missing else 400, said)

    def failed(self, request: Http, error: Exception) -> Response[bytes]:
        """Answer what nobody foresaw: the service log gets all of it, the page says where to look."""
        _log.error("page_failed", exc_info=error)
        visit = Visit(request)
        words = words_in(visit.language)
        help_ = words.say(self.failed_help, trace=current_correlation() or "")
        return self._answer(visit, 500, Refusal(words.say(_FAILED), "", help_))

    def _answer(
        self, visit: Visit, status: int, said: Refusal, more: Mapping[str, str] | None = None
    ) -> Response[bytes]:
        # Exception handlers answer with the framework's own kind of response.
        return Response(
            self.html(visit, said, status).encode(),
            status_code=status,
            headers={**HEADERS, **(more or {})},
            cookies=visit.cookies(),
            media_type=HTML,
        )


def _way_back(visit: Visit, status: int) -> str:
    """Return where somebody who is not let in may have a seat all the same; empty if it is not about that."""
    if status not in {401, 403}:
        return ""
    match = visit.request.path_params.get("match", "")
    return f"/back?table={match}" if match else "/back"


def _again(visit: Visit, status: int) -> str:
    """Return the page that somebody may ask for again; empty if that would not help, or would do something."""
    url = visit.request.url
    return (
        f"{url.path}?{url.query}".rstrip("?") if status in _PASSING and visit.request.method == "GET" else ""
    )


_PAGES: Final = ErrorPages(
    lambda visit, said, status: page_html(
        visit, "refused.html", said=said, here="/", back=_way_back(visit, status), again=_again(visit, status)
    ),
    phrase("Try again in a moment. If it goes on, tell the operator this: {trace}."),
)
rejected_page: Final = _PAGES.rejected
failed_page: Final = _PAGES.failed


def refused_page(request: Http, error: TableeError) -> Response[bytes]:
    """Answer one of our own errors with a page."""
    error = for_askers(request, error)
    note_code(request, error.code)
    if status_of(error) == 500 and not isinstance(error, LogBroken):  # noqa: PLR2004 - a status
        return failed_page(request, error)
    return _PAGES.refused(request, error)

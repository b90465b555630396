"""The answers of the operator's pages, refusals too: the pages' Jinja, with templates of its own."""

from functools import partial
from typing import Any, Final

from jinja2 import ChoiceLoader, PackageLoader
from litestar import Response
from litestar.connection import ASGIConnection
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.answering.problems import status_of
from api.pages.refusals import ErrorPages
from api.pages.rendering import ENVIRONMENT, html_answer, rendered
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import TableeError
from services.words.phrases import phrase
from services.words.times import duration, moment

Connection = ASGIConnection[Any, Any, Any, Any]

_ENVIRONMENT: Final = ENVIRONMENT.overlay(
    loader=ChoiceLoader([PackageLoader("api.ops"), PackageLoader("api.pages")])
)


def mark(connection: Connection) -> None:
    """Mark a request as an operator's, for everything behind the gate."""
    connection.scope.setdefault("state", {})["operator"] = True


def is_marked(connection: Connection) -> bool:
    """Tell whether the gate marked a request as an operator's."""
    return connection.scope.get("state", {}).get("operator") is True


def ops_html(visit: Visit, template: str, **context: Any) -> Markup:
    """Return the HTML of a template of the operator's pages.

    Beside its context it has ``_`` and ``_n``, ``form_token``, ``here``, ``language``, ``moment`` (an instant as people
    read it) and ``duration`` (how long a number of seconds is).
    """
    around = {
        "form_token": visit.form_token,
        "here": visit.request.url.path,
        "turn": False,
        "preview": None,
        "preferences": visit.preferences,
        "inside": is_marked(visit.request),
        "moment": moment,
        "duration": partial(duration, language=visit.language),
    }
    return rendered(template, visit.language, _ENVIRONMENT, **(around | context))


def ops_page(request: Http, template: str, *, status: int = 200, **context: Any) -> ASGIResponse:
    """Answer with a page of the operator's."""
    visit = Visit(request)
    html = ops_html(visit, template, **context)
    return html_answer(html, status=status, cookies=visit.cookies())


_PAGES: Final = ErrorPages(
    lambda visit, said, status: ops_html(visit, "refused_here.html", said=said, here="/ops", status=status),
    phrase("The service log tells more under the correlation id {trace}."),
)
rejected_here: Final = _PAGES.rejected
failed_here: Final = _PAGES.failed


def refused_here(request: Http, error: TableeError) -> Response[bytes]:
    """Answer one of our own errors; what nobody foresaw, such as a broken log, as a failure."""
    answer = failed_here if status_of(error) == 500 else _PAGES.refused  # noqa: PLR2004 - a status
    return answer(request, error)

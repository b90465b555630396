"""The answers of the operator's pages: the other pages' Jinja, with templates of its own."""

from functools import partial
from typing import Any, Final

from jinja2 import ChoiceLoader, PackageLoader
from litestar.connection import ASGIConnection
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.pages.rendering import ENVIRONMENT, html_answer, rendered
from api.pages.times import duration, moment
from api.pages.visits import Visit
from api.parts import Http

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

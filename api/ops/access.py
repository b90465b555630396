"""The operator's session, and the page that everybody else gets."""

from typing import Final

from litestar import Response
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler

from api.ops.rendering import Connection, is_marked, mark, ops_html
from api.pages.rendering import HEADERS, HTML
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.errors import Unauthenticated
from services.people.operators import SESSION_SECONDS

OPS: Final = "/ops"

_CHALLENGE: Final = {"WWW-Authenticate": "TableeOperatorLink"}


class NotAnOperator(Unauthenticated):
    """The browser holds no operator's session."""

    code = "operator.unknown"


def operator_only(connection: Connection, _: BaseRouteHandler) -> None:
    """Let operators pass: a guard of Litestar's.

    Raises:
        NotAnOperator: The request did not come through the gate as an operator's.
    """
    if not is_marked(connection):
        raise NotAnOperator


async def recognise(request: Http) -> None:
    """Mark a request as an operator's.

    Raises:
        NotAnOperator: It is not.
        StoreUnavailable: The store did not answer.
    """
    visit = Visit(request)
    if not await visit.parts.application.operators.knows(session_of(visit), present_instant()):
        raise NotAnOperator
    mark(request)


def session_of(visit: Visit) -> str:
    """Return the secret of the operator's session that a browser brought; empty if it brought none."""
    return visit.request.cookies.get(_cookie_name(visit), "")


def session_cookie(visit: Visit, session: str) -> Cookie:
    """Return the cookie that keeps an operator's session, or ends it if the session is empty."""
    return Cookie(
        key=_cookie_name(visit),
        value=session,
        path=OPS,
        max_age=SESSION_SECONDS if session else 0,
        httponly=True,
        secure=visit.secure,
        samesite="strict",
    )


def _cookie_name(visit: Visit) -> str:
    return "__Secure-tablee-operator" if visit.secure else "tablee-operator"


def locked_page(request: Http, _: TableeError) -> Response[bytes]:
    """Tell somebody who is no operator how to get in, and nothing else, whatever they asked for."""
    visit = Visit(request)
    html = ops_html(visit, "locked.html", here=OPS)
    return Response(
        html.encode(),
        status_code=401,
        headers={**HEADERS, **_CHALLENGE, "Vary": "Cookie, Accept-Language"},
        cookies=visit.cookies(),
        media_type=HTML,
    )

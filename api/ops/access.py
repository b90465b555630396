"""The operator's session, the gate that only operators pass, and the page that everybody else gets."""

import re
from typing import Any, Final

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from api.ops.rendering import mark, ops_html, refused_here
from api.pages.rendering import HEADERS, HTML
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.errors import Unauthenticated
from services.people.operators import SESSION_SECONDS

OPS: Final = "/ops"

ENTRANCE: Final = f"{OPS}/enter/"
"""Under this address links are used; everybody may come so far."""

_SLASHES: Final = re.compile("/+")

_CHALLENGE: Final = {"WWW-Authenticate": "TableeOperatorLink"}


class NotAnOperator(Unauthenticated):
    """The browser holds no operator's session."""

    code = "operator.unknown"


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


class OperatorGate:
    """Lets only operators behind ``/ops``; to strangers, an address that does not exist looks like one that does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == ScopeType.HTTP and _is_behind(scope["path"]):
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            try:
                await _recognise(request)
            except TableeError as error:
                page = locked_page if isinstance(error, NotAnOperator) else refused_here
                await page(request, error).to_asgi_response(None, request)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def is_operators(path: str) -> bool:
    """Tell whether an address is one of the operator's pages, or would be."""
    plain = _plain(path)
    return plain == OPS or plain.startswith(f"{OPS}/")


async def _recognise(request: Http) -> None:
    visit = Visit(request)
    if not await visit.parts.application.operators.knows(session_of(visit), present_instant()):
        raise NotAnOperator
    mark(request)


def _is_behind(path: str) -> bool:
    return is_operators(path) and not _plain(path).startswith(ENTRANCE)


def _plain(path: str) -> str:
    # The router finds addresses with repeated slashes too.
    return _SLASHES.sub("/", path)

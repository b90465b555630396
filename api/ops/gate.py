"""Lets only operators behind ``/ops``; to strangers, an address that does not exist looks like one that does."""

import re
from typing import Any, Final

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from api.ops.access import OPS, NotAnOperator, locked_page, recognise
from api.ops.refusals import refused_here
from domain.errors import TableeError

ENTRANCE: Final = f"{OPS}/enter/"
"""Under this address links are used; everybody may come so far."""

_SLASHES: Final = re.compile("/+")


class OperatorGate:
    """Wraps the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == ScopeType.HTTP and _is_behind(scope["path"]):
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            try:
                await recognise(request)
            except NotAnOperator as error:
                await _answer(locked_page(request, error), request, send)
                return
            except TableeError as error:
                await _answer(refused_here(request, error), request, send)
                return
        await self._app(scope, receive, send)


def is_operators(path: str) -> bool:
    """Tell whether an address is one of the operator's pages, or would be."""
    plain = _plain(path)
    return plain == OPS or plain.startswith(f"{OPS}/")


def _is_behind(path: str) -> bool:
    return is_operators(path) and not _plain(path).startswith(ENTRANCE)


def _plain(path: str) -> str:
    # The router finds addresses with repeated slashes too.
    return _SLASHES.sub("/", path)


async def _answer(response: Any, request: Request[Any, Any, Any], send: Send) -> None:
    await response.to_asgi_response(None, request)(request.scope, request.receive, send)

"""Answering before the application is asked: with a problem document, or with a page for a browser."""

from typing import Any, Final

from litestar import Request
from litestar.types import Receive, Scope, Send

from api.answering.problems import refused
from api.pages.refusals import refused_page
from domain.errors import TableeError

_OF_PROGRAMS: Final = ("/api/", "/health/")


async def turn_away(error: TableeError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request that goes no further."""
    request: Request[Any, Any, Any] = Request(scope, receive, send)
    answering = refused if scope["path"].startswith(_OF_PROGRAMS) else refused_page
    await answering(request, error).to_asgi_response(None, request)(scope, receive, send)

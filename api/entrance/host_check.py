"""Refusing requests without a valid host, which addresses are built from and forms are checked against."""

import re
from typing import Any, Final, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from api.entrance.turning_away import turn_away
from domain.errors import Malformed

_HOST: Final = re.compile(
    rb"(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,253}|\[[0-9A-Fa-f:.]{2,45}\])?(?::(?P<port>[0-9]{1,5}))?"
).fullmatch
_LAST_PORT: Final = 65_535


class HostCheck:
    """Wraps the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == ScopeType.HTTP:
            hosts = [value for name, value in scope["headers"] if name == b"host"]
            if len(hosts) > 1 or not all(map(is_host, hosts)):
                # The code that answers must not trip over it again.
                others = [pair for pair in scope["headers"] if pair[0] != b"host"]
                named = cast("dict[str, Any]", scope) | {"headers": [(b"host", b"localhost"), *others]}
                told = Malformed(
                    "host.malformed", "The header Host names no host, such as cards.example.org:8000."
                )
                await turn_away(told, cast("Scope", named), receive, send)
                return
        await self._app(scope, receive, send)


def is_host(given: bytes) -> bool:
    """Tell whether a header names a host, with or without a port."""
    found = _HOST(given)
    return found is not None and int(found["port"] or 0) <= _LAST_PORT

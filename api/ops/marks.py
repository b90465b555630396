"""How a request is marked as an operator's, by the gate and for everything behind it."""

from typing import Any, Final

from litestar.connection import ASGIConnection

_KNOWN: Final = "operator"


def mark(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Mark a request as an operator's."""
    connection.scope.setdefault("state", {})[_KNOWN] = True


def is_marked(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Tell whether a request was marked."""
    return connection.scope.get("state", {}).get(_KNOWN) is True

"""Addresses of servers, as operators write them."""

from typing import Final

_SAME: Final = {"valkey://": "redis://", "valkeys://": "rediss://"}
"""The two products speak the same protocol, and the client library knows the older names only."""


def client_url(url: str) -> str:
    """Return a server's address as the client library takes it."""
    for written, known in _SAME.items():
        if url.startswith(written):
            return known + url.removeprefix(written)
    return url

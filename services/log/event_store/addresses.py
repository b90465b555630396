"""Addresses of servers, as operators write them."""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

_SAME: Final = {"valkey://": "redis://", "valkeys://": "rediss://"}
"""The two products speak the same protocol, and the client library knows the older names only."""

SENTINEL: Final = "sentinel://"

_SENTINEL_PORT: Final = 26379
_WATCHED: Final = re.compile(
    r"sentinel://(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?(?P<hosts>[^/@]+)/(?P<name>[^/?]+)(?:/(?P<db>\d+))?"
).fullmatch
_PLACE: Final = re.compile(r"(?:\[(?P<six>[^\]]+)\]|(?P<host>[^:\[\]]+))(?::(?P<port>\d+))?").fullmatch


_SEVERAL: Final = re.compile(
    r"(?P<scheme>(?:redis|valkey)s{0,2}://)(?P<user>[^@/]*@)?(?P<hosts>[^/@?]*,[^/@?]*)(?P<rest>.*)",
    re.DOTALL,
).fullmatch


class Watched(NamedTuple):
    """A server that sentinels watch: whichever of its replicas they promote.

    Attributes:
        sentinels: Hosts and ports of the sentinels.
        name: The name by which they know the server.
        options: User, password and database, for the server itself.
    """

    sentinels: tuple[tuple[str, int], ...]
    name: str
    options: dict[str, str | int]


def client_url(url: str) -> str:
    """Return a server's address as the client library takes it."""
    for written, known in _SAME.items():
        if url.startswith(written):
            return known + url.removeprefix(written)
    return url


def single_urls(url: str) -> tuple[str, ...]:
    """Return the addresses of the single servers that an address names: ``redis://one:7000,two:7000`` names two.

    Several are nodes of a cluster, any of which leads to the others.
    """
    several = _SEVERAL(url)
    if several is None:
        return (url,)
    hosts = [host.strip() for host in several["hosts"].split(",")]
    return tuple(
        f"{several['scheme']}{several['user'] or ''}{host}{several['rest']}" for host in hosts if host
    )


def watched_at(url: str) -> Watched | None:
    """Read the address of a server that sentinels watch; None for any other address.

    It is ``sentinel://USER:PASSWORD@HOST:26379,HOST:26379/NAME/DATABASE``; only hosts and name are needed.

    Raises:
        ValueError: It cannot be read.
    """
    if not url.startswith(SENTINEL):
        return None
    found = _WATCHED(url)
    places = [] if found is None else [_PLACE(place) for place in found["hosts"].split(",")]
    if found is None or not all(places):
        raise ValueError(
            "an address of sentinels is sentinel://HOST:26379,HOST:26379/NAME, with the name that they give the server"
        )
    sentinels = tuple(
        (place["six"] or place["host"], int(place["port"] or _SENTINEL_PORT)) for place in places if place
    )
    options: dict[str, str | int] = {"db": int(found["db"] or 0)}
    if found["user"]:
        options["username"] = unquote(found["user"])
    if found["password"]:
        options["password"] = unquote(found["password"])
    return Watched(sentinels, found["name"], options)

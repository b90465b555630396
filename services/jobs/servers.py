"""The servers that carry jobs, and which of them carries whose: the only place that decides it.

A match has a shard, and a shard has a server, by its number and the number of servers. All processes of an installation
must name the same servers in the same order; ``claim.py`` makes sure of that.
"""

import re
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import msgspec

from services.log.event_store.addresses import client_url
from services.log.event_store.keys import shard_of
from services.process.settings import Settings
from services.process.several_urls import urls_in

Each = TypeVar("Each")

_CREDENTIALS: Final = re.compile(r"(?<=://)[^@/]*@")
_FIRST_DATABASE: Final = re.compile(r"/0?$")


class JobServers(msgspec.Struct, frozen=True):
    """The servers that carry jobs, at least one.

    Attributes:
        urls: Their addresses, in the order that all processes share.
        shards: How many shards the log has.
    """

    urls: tuple[str, ...]
    shards: int

    @property
    def first(self) -> str:
        """The address of the server that also keeps what belongs to no match: counts, and limits of requests."""
        return self.urls[0]

    @property
    def names(self) -> tuple[str, ...]:
        """What operators call them: their addresses, without users and passwords."""
        return tuple(_FIRST_DATABASE.sub("", _CREDENTIALS.sub("", client_url(url))) for url in self.urls)

    @property
    def places(self) -> tuple[str, ...]:
        """What is marked on each: its place among all of them. Where there is one, others may name it otherwise."""
        count, names = len(self.urls), self.names
        order = "" if count == 1 else f": {' '.join(names)}"
        return tuple(f"{number} of {count}{order}" for number in range(1, count + 1))

    def index_of(self, key: str) -> int:
        """Return where the server of a match, or of a message to somebody, stands among all; from 0."""
        return shard_of(key, self.shards) % len(self.urls)

    def url_of(self, key: str) -> str:
        """Return the address of that server."""
        return self.urls[self.index_of(key)]


class Spread(Generic[Each]):
    """Something for each server, such as a connection.

    Attributes:
        all: One for each, in their order.
    """

    def __init__(self, servers: JobServers, make: Callable[[str], Each]) -> None:
        """Make one for each address."""
        self.servers: Final = servers
        self.all: Final = tuple(make(url) for url in servers.urls)

    def of(self, key: str) -> Each:
        """Return that of the server which carries a match, or a message."""
        return self.all[self.servers.index_of(key)]


def job_servers(settings: Settings) -> JobServers | None:
    """Return the servers that the settings name; None if they name none."""
    return job_servers_at(settings.job_store_url or "", settings.shards)


def job_servers_at(text: str, shards: int) -> JobServers | None:
    """Return the servers that a text names; None if it names none."""
    urls = urls_in(text)
    return JobServers(urls, shards) if urls else None

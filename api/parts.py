"""What the handlers of a running API process work with."""

from typing import Any

import msgspec
from litestar import Request

from api.entrance.durability import DurabilityWatch
from api.streams.hub import StreamHub
from services.bootstrap.parts import Application
from services.matches.whole_matches import WholeMatches
from services.process.addresses import Addresses
from services.process.settings import Settings

Http = Request[Any, Any, Any]
"""A request as the handlers take it."""


class Parts(msgspec.Struct, frozen=True):
    """The parts of a running API process.

    Attributes:
        settings: Its settings.
        application: Matches, identity, log.
        durability: Whether the log keeps what it acknowledges.
        streams: The open streams.
        addresses: From which address a request comes.
    """

    settings: Settings
    application: Application
    durability: DurabilityWatch
    streams: StreamHub
    addresses: Addresses
    whole_matches: WholeMatches


def parts_of(request: Http) -> Parts:
    """Return the parts of the process that serves a request."""
    parts: Parts = request.app.state.parts
    return parts


def address_of(request: Http) -> str:
    """Return the name of the address from which a request comes; empty if there is none."""
    if request.client is None:
        return ""
    forwarded = (value.encode("latin-1") for value in request.headers.getall("x-forwarded-for", []))
    return parts_of(request).addresses.name(request.client.host, forwarded)

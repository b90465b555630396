"""What the handlers of a running API process work with."""

from typing import Any

import msgspec
from litestar import Request

from api.entrance.durability import DurabilityWatch
from api.streams.hub import StreamHub
from services.bootstrap import Application
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
    """

    settings: Settings
    application: Application
    durability: DurabilityWatch
    streams: StreamHub


def parts_of(request: Http) -> Parts:
    """Return the parts of the process that serves a request."""
    parts: Parts = request.app.state.parts
    return parts

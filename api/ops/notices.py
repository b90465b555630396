"""Notices on ``/ops/queues``: how many wait, which were given up, and trying those again."""

from typing import Final

import msgspec
import structlog
from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.rendering import see_other
from api.pages.visits import Visit
from api.parts import Http
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.notices.messages import Delivery, Message
from services.notices.outbox import Outbox

_SHOWN: Final = 20

_log = structlog.get_logger(__name__)


class NoticesStanding(msgspec.Struct, frozen=True):
    """How notices stand. Nobody's address is told.

    Attributes:
        waiting: How many are planned, outgoing, on their way and given up.
        dead: Messages that were given up, the newest first.
        failures: Attempts that failed, the newest first.
    """

    waiting: dict[str, int]
    dead: tuple[Message, ...]
    failures: tuple[Delivery, ...]


async def notices_standing(parts: Application) -> NoticesStanding:
    """Return how notices stand."""
    outbox = Outbox(parts.log_client)
    deliveries = await outbox.deliveries()
    failures = tuple(one for one in deliveries if one.result != "sent")[:_SHOWN]
    return NoticesStanding(await outbox.waiting(), tuple(await outbox.dead(_SHOWN)), failures)


@post("/queues/notices")
async def retry_notice(request: Http) -> ASGIResponse:
    """Try a message again that was given up."""
    visit = Visit(request)
    message = (await read_form(visit)).text("message")
    found = await Outbox(visit.parts.application.log_client).retry(message, present_instant())
    _log.info("operator_acted", act="notice_retried", message=message, outcome="done" if found else "gone")
    return see_other(f"/ops/queues?done={'sent' if found else 'gone'}")

"""The job that delivers one message, at most once at a time."""

import asyncio

import structlog

from services.bootstrap.notices import notice_parts
from services.bootstrap.parts import opening_of
from services.errors import StoreUnavailable
from services.process.settings import load_settings

_log = structlog.get_logger(__name__)


def deliver(message_id: str) -> None:
    """Make one attempt at a message. If it fails, the loop sends another job when its time has come."""
    asyncio.run(_deliver(message_id))


async def _deliver(message_id: str) -> None:
    settings = load_settings()
    try:
        async with opening_of(settings)() as parts:
            await notice_parts(parts, settings).deliverer.deliver(message_id)
    except StoreUnavailable as error:
        _log.warning("notice_waits_for_the_store", message=message_id, reason=str(error))

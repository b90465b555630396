"""The RQ job that asks an expert about one turn."""

import msgspec
import structlog

from services.bootstrap.clients import SENDING
from services.bootstrap.parts import opening_of
from services.errors import StoreUnavailable
from services.jobs.advice import AdviceDesk
from services.matches.advice import Advice, advise
from services.process.settings import Settings, load_settings
from workers.open_house import HOUSE

_log = structlog.get_logger(__name__)


def advise_on(match: str, version: int) -> None:
    """Keep what an expert makes of the turn at a version, if somebody was asked there."""
    settings = load_settings()
    if settings.job_store_url is None:
        raise StoreUnavailable("TABLEE_JOB_STORE_URL is not set")
    advice = HOUSE.run(_advice(settings, match, version))
    if advice is None:
        return
    client = HOUSE.client(settings.job_store_url, SENDING)
    AdviceDesk(client).keep(match, version, advice.seat, msgspec.json.encode(advice))
    HOUSE.done_with(client)
    _log.info("advice_given", match=match, version=version, moves=len(advice.moves))


async def _advice(settings: Settings, match: str, version: int) -> Advice | None:
    async with HOUSE.parts(opening_of(settings)) as parts:
        return await advise(parts.store, parts.reader, parts.identity.bot_seed, match, version)

"""The RQ jobs that ask an expert about one turn, or about all turns of people in a match."""

import msgspec
import redis
import structlog

from services.bootstrap.clients import SENDING
from services.bootstrap.parts import opening_of
from services.errors import StoreUnavailable
from services.jobs.advice import JOB_SECONDS, AdviceDesk
from services.jobs.servers import job_servers
from services.matches.advice import Advice, advise
from services.matches.review import Review, look_on
from services.process.settings import Settings, load_settings
from workers.open_house import HOUSE

REVIEW_SECONDS = 0.5
"""How long a job looks at turns. A job that it leaves behind goes on: somebody may wait for a bot meanwhile."""

_log = structlog.get_logger(__name__)


def advise_on(match: str, version: int) -> None:
    """Keep what an expert makes of the turn at a version, if somebody was asked there."""
    settings = load_settings()
    advice = HOUSE.run(_advice(settings, match, version), JOB_SECONDS)
    if advice is None:
        return
    client = _client(settings, match)
    AdviceDesk(client).keep(match, version, advice.seat, msgspec.json.encode(advice))
    HOUSE.done_with(client)
    _log.info("advice_given", match=match, version=version, moves=len(advice.moves))


def _client(settings: Settings, match: str) -> "redis.Redis":
    servers = job_servers(settings)
    if servers is None:
        raise StoreUnavailable("TABLEE_JOB_STORE_URL is not set")
    return HOUSE.client(servers.url_of(match), SENDING)


async def _advice(settings: Settings, match: str, version: int) -> Advice | None:
    async with HOUSE.parts(opening_of(settings)) as parts:
        return await advise(parts.store, parts.reader, parts.identity.bot_seed, match, version)


def review_more(match: str) -> None:
    """Look at more turns of a match that is over, keep what was found, and ask for the rest."""
    settings = load_settings()
    client = _client(settings, match)
    desk = AdviceDesk(client)
    kept = desk.fetch_review(match, ask=False)
    so_far = None if kept is None else msgspec.json.decode(kept, type=Review)
    review = HOUSE.run(_review(settings, match, so_far), JOB_SECONDS)
    if review is None:
        return
    desk.keep_review(match, msgspec.json.encode(review))
    if not review.is_done:
        desk.ask_for_review(match, review.looked_at)
    HOUSE.done_with(client)
    _log.info("turns_reviewed", match=match, looked_at=review.looked_at, turns=review.turns)


async def _review(settings: Settings, match: str, so_far: Review | None) -> Review:
    async with HOUSE.parts(opening_of(settings)) as parts:
        return await look_on(
            parts.store, parts.reader, parts.identity.bot_seed, match, so_far, REVIEW_SECONDS
        )

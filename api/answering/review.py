"""What is known of a match's costly moves: fetched from where workers keep it, and asked for where it is missing."""

import asyncio
from typing import Literal

import msgspec

from domain.match.fold import Position
from domain.match.state import OVER
from services.bootstrap.clients import SENDING, blocking_client
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import JobServers
from services.matches.review import Review

Progress = Literal["not_over", "thinking", "done", "unavailable"]


class Reviewed(msgspec.Struct, frozen=True):
    """A match's costly moves, and how far the expert has come."""

    progress: Progress
    review: Review


async def review_of(servers: JobServers | None, position: Position, *, ask: bool = True) -> Reviewed:
    """Return what is known of a match's costly moves; nobody thinks about one that is not over.

    Args:
        servers: Where workers keep it.
        position: The match at its head.
        ask: Whether to have an expert look at what is not known yet.
    """
    match, nothing = position.match, Review(position.match, position.version, 0, 0)
    if position.state.lifecycle.phase not in OVER:
        return Reviewed("not_over", nothing)
    if servers is None:
        return Reviewed("unavailable", nothing)
    # Loaded only for those who ask: RQ takes memory that everybody else can do without.
    from services.jobs.advice import AdviceDesk

    def fetched(url: str) -> Review | None:
        with blocking_client(url, SENDING) as client:
            desk = AdviceDesk(client)
            kept = desk.fetch_review(match, ask=ask)
            review = None if kept is None else msgspec.json.decode(kept, type=Review)
            if ask and review is not None and not review.is_done:
                # The job that was left behind may be lost; a second one with its id is not queued.
                desk.ask_for_review(match, review.looked_at)
            return review

    try:
        review = await asyncio.to_thread(fetched, servers.url_of(match))
    except JobStoreUnavailable:
        return Reviewed("unavailable", nothing)
    if review is None:
        return Reviewed("thinking", nothing)
    return Reviewed("done" if review.is_done else "thinking", review)

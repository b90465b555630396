"""The application: which addresses there are, which errors become which answers, what lives as long as the process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Final

import msgspec
from litestar import Litestar, Response, Router
from litestar.exceptions import HTTPException

from api.answering.problems import Explained, explained, failed, refused, rejected
from api.document.build import document_of
from api.document.page import POLICY, page_of
from api.entrance.access_log import AccessLog
from api.entrance.durability import DurabilityWatch
from api.entrance.entrance import Doorway
from api.entrance.host_check import HostCheck
from api.entrance.rate_limit import RateLimit
from api.metrics.handing_over import HandingOver
from api.metrics.scraper import Scraper
from api.ops.access import OperatorGate, is_operators
from api.ops.rendering import rejected_here
from api.ops.routing import operator_pages
from api.pages.refusals import rejected_page, wants_page
from api.pages.rendering import read_ahead
from api.pages.routing import pages
from api.parts import Http, Parts
from api.permissions.guard import permit
from api.permissions.table import API, require_rows
from api.requests.bodies import LARGEST_BODY
from api.routes import (
    ask_for_seat,
    bookmarks,
    contacts,
    create_match,
    digests,
    document,
    events,
    games,
    health,
    imports,
    keys,
    list_matches,
    me,
    metrics,
    moments,
    moves,
    my_data,
    notices,
    nudge,
    passkeys,
    plans,
    played,
    rematch,
    replay,
    rests,
    review,
    seat_links,
    sit,
    stream,
    table_commands,
    talk,
    turns,
    view,
    ways_back,
)
from api.routes.clubs import channel, club, invitations, league_steps, leagues, members, records, standings
from api.routes.clubs import tables as club_tables
from api.routes.document import Written
from api.streams.hub import StreamHub
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, blocking_client
from services.bootstrap.notices import reaching, returning
from services.bootstrap.parts import Application, Opening, opening_of
from services.jobs.servers import job_servers
from services.log.embedded.durability import DurabilityVerdict, check_durability_async
from services.log.write_guard import require_writes
from services.matches.whole_matches import WholeMatches
from services.process.addresses import Addresses, networks_of
from services.process.counts import Counts
from services.process.ending import end
from services.process.settings import Settings

_HANDLERS: Final = (
    games.list_games,
    games.show_game,
    me.make_person,
    me.show_person,
    me.change_person,
    *ways_back.ROUTES,
    *my_data.ROUTES,
    *passkeys.ROUTES,
    plans.show_plan,
    plans.make_plan,
    plans.cancel_plan,
    rests.show_rests,
    rests.choose_rests,
    notices.show_notices,
    notices.change_notices,
    club.make_club,
    club.list_clubs,
    channel.show_channel,
    channel.give_channel,
    channel.choose_kinds,
    channel.take_channel_away,
    club.show_club,
    club.change_club,
    club.close_club,
    members.change_member,
    members.remove_member,
    invitations.invite,
    invitations.list_invitations,
    invitations.revoke,
    invitations.see_invitation,
    invitations.join_club,
    club_tables.list_tables,
    club_tables.make_table,
    *leagues.ROUTES,
    *league_steps.ROUTES,
    contacts.list_contacts,
    contacts.give_contact,
    contacts.confirm_contact,
    contacts.take_contact_away,
    records.show_records,
    standings.show_standings,
    turns.list_turns,
    played.list_played,
    *imports.ROUTES,
    bookmarks.list_bookmarks,
    bookmarks.keep_bookmark,
    bookmarks.remove_bookmark,
    nudge.nudge,
    talk.read_talk,
    talk.say,
    talk.delete_message,
    talk.switch_talk,
    talk.mute,
    keys.make_key,
    keys.list_keys,
    keys.revoke,
    create_match.create_match,
    ask_for_seat.ask_for_seat,
    ask_for_seat.ask_no_longer,
    rematch.make_rematch,
    list_matches.list_matches,
    sit.sit,
    seat_links.reissue_seat,
    *table_commands.ROUTES,
    moves.make_move,
    view.look,
    view.look_back,
    events.read_events,
    digests.list_digests,
    digests.follow_digests,
    digests.read_one,
    digests.read_excerpt,
    moments.list_moments,
    review.review_match,
    replay.replay_match,
    replay.compare,
    stream.follow,
    document.openapi_document,
    document.documentation,
)

Check = Callable[[Application], Awaitable[DurabilityVerdict]]


def create_app(settings: Settings, opening: Opening | None = None, check: Check | None = None) -> Litestar:
    """Return the application.

    Args:
        settings: The settings of this process.
        opening: Opens the services' parts; those of the settings' stores if left out.
        check: Judges the durability of the log's server; by asking it if left out.
    """
    opened = opening or opening_of(settings)
    durability, access_log, http_counts = DurabilityWatch(_unopened, _nothing), AccessLog(settings), Counts()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with opened() as parts:
            durability.check = partial(check or _ask, parts)
            durability.check_writes = partial(_require_writes, parts)
            await parts.guard.compare(parts.store.positions, present_instant())
            # Before the first answer: it must say so if the log may lose what it acknowledges.
            await durability.try_to_look()
            streams = StreamHub(parts.store)
            addresses = Addresses(networks_of(settings.trusted_proxies))
            app.state.parts = Parts(
                settings, parts, durability, streams, addresses, WholeMatches(files=parts.kept)
            )
            handed_over = _handed_over(settings, http_counts, parts.counts)
            app.state.metrics = Scraper(
                app.state.parts, *([] if handed_over else (http_counts, parts.counts))
            )
            app.state.reaching = reaching(parts, settings)
            app.state.returning = returning(parts, settings)
            tasks = [
                asyncio.create_task(asyncio.to_thread(read_ahead)),
                asyncio.create_task(durability.run()),
                asyncio.create_task(streams.run()),
                asyncio.create_task(streams.run_talk(parts.talk.news)),
                *(asyncio.create_task(one.run()) for one in handed_over),
            ]
            try:
                yield
            finally:
                streams.close()
                app.state.parts.whole_matches.close()
                await end(tasks)
                await limit.close()
                await app.state.metrics.close()
                access_log.flush()

    app = Litestar(
        [
            Router(API, route_handlers=_HANDLERS),
            health.live,
            health.ready,
            metrics.metrics,
            pages(),
            operator_pages(),
        ],
        guards=[permit],
        lifespan=[lifespan],
        exception_handlers={
            Explained: explained,
            TableeError: refused,
            HTTPException: _rejected,
            Exception: failed,
        },
        request_max_body_size=LARGEST_BODY,
        openapi_config=None,
        logging_config=None,
        debug=False,
    )
    require_rows(app)
    app.state.written = partial(_written, app)
    limit = RateLimit(OperatorGate(app.asgi_handler), settings)
    app.asgi_handler = Doorway(HostCheck(limit), durability, access_log, http_counts)
    return app


def _rejected(request: Http, error: HTTPException) -> Response[bytes]:
    if is_operators(request.url.path):
        return rejected_here(request, error)
    return rejected_page(request, error) if wants_page(request) else rejected(request, error)


@cache
def _written(app: Litestar) -> Written:
    # Made when somebody first asks for it: it takes longer than all the rest of a start.
    described = document_of(app, API)
    return Written(msgspec.json.encode(described), page_of(described), POLICY)


async def _ask(parts: Application) -> DurabilityVerdict:
    return await check_durability_async(parts.log_client)


def _handed_over(settings: Settings, *counts: Counts) -> tuple[HandingOver, ...]:
    """Return what hands counts over, where another process may be asked for them."""
    servers = job_servers(settings)
    if settings.api_processes == 1 or servers is None:
        return ()
    return (HandingOver(blocking_client(servers.first, LOOKING), *counts),)


async def _require_writes(parts: Application) -> None:
    parts.guard.require()
    await parts.floor.require_release()
    await require_writes(parts.log_client, some=True)


async def _nothing() -> None:
    """Ask nothing: the log is not open yet."""


async def _unopened() -> DurabilityVerdict:
    return DurabilityVerdict("unknown", reason="the log is not open yet")

"""The API's process: ``python -m api.server``, with its settings in the environment (``TABLEE_…``)."""

import asyncio
import logging
import os
import signal
import sys
from contextlib import nullcontext
from typing import Final, NoReturn

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from api.entrance.connections import ConnectionWatch
from domain.errors import TableeError
from services.bootstrap.clients import LOOKING
from services.bootstrap.parts import opening_of
from services.bootstrap.queue import opened_jobs
from services.jobs.claim import claim_all
from services.jobs.servers import job_servers
from services.log.embedded.start_report import report_started
from services.log.secret_mark import mark_of
from services.process.addresses import Addresses, networks_of
from services.process.event_loops import quick_loop
from services.process.games import load_games
from services.process.rare_collections import collect_rarely
from services.process.service_log import configure_logs, granian_loggers
from services.process.settings import Settings, installation_secret, load_settings

_log = structlog.get_logger(__name__)

MOST_CONNECTIONS: Final = 4096
"""At once; more wait to be let in. Each live stream is one."""

SWITCH_AFTER: Final = 0.001
"""Seconds after which a thread that computes lets the loop go on; Python's own five would be added to every answer."""

PATIENCE: Final = 5.0
"""Seconds that requests have to come to their end when the process is to stop."""


async def serve(settings: Settings) -> bool:
    """Serve until SIGTERM or SIGINT; tell whether the end was asked for.

    Raises:
        TableeError: The log cannot be opened.
    """
    # Not before the games from outside are known: routes and document are made of all games.
    from api.application import create_app

    # Opened out here: what goes wrong is told in one line, before anybody can knock.
    async with opening_of(settings)() as opened:
        await asyncio.to_thread(_require_own_jobs, settings)
        app = create_app(settings, lambda: nullcontext(opened))
        server = Server(
            app,
            address=settings.host,
            port=settings.port,
            interface=Interfaces.ASGI,
            # With HTTP/2 beside it, the server gives silent connections no time limit at all. Proxies speak this one.
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=settings.idle_seconds * 1000),
            websockets=False,
            backlog=1024,
            backpressure=MOST_CONNECTIONS,
            log_dictconfig=granian_loggers(),
            log_access=False,
        )
        _quieten()
        collect_rarely()
        loop, asked = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, asked.set)
        serving, asking = asyncio.ensure_future(server.serve()), asyncio.create_task(asked.wait())
        _log.info("api_serves", host=settings.host, port=settings.port)
        beating = asyncio.create_task(report_started().keep_beating())
        watching = asyncio.create_task(_connection_watch(settings).watch())
        await asyncio.wait((serving, asking), return_when=asyncio.FIRST_COMPLETED)
        if not asked.is_set():
            _log.error("api_ended", reason=str(serving.exception()))
            return False
        # The server waits for all open requests, and streams never end by themselves.
        app.state.parts.streams.close()
        server.stop()  # type: ignore[no-untyped-call]
        await asyncio.wait((serving,), timeout=PATIENCE)
        beating.cancel()
        watching.cancel()
        if not serving.done():
            _log.warning("requests_cut_off", after=PATIENCE)
            _leave(0)
    return True


def _connection_watch(settings: Settings) -> ConnectionWatch:
    trusted = Addresses(networks_of(settings.trusted_proxies))
    return ConnectionWatch(settings.port, settings.address_connections, trusted)


def _require_own_jobs(settings: Settings) -> None:
    """Make sure that the servers for jobs are this installation's; one that is silent keeps nobody from playing."""
    servers = job_servers(settings)
    if servers is not None:
        with opened_jobs(servers, LOOKING) as jobs:
            claim_all(servers, jobs.all, mark_of(installation_secret(settings)))


def main() -> NoReturn:
    """Run the process; its exit status is 0 if it was asked to end."""
    status = 1
    try:
        settings = load_settings()
        configure_logs(settings.log_format, settings.log_level, process="api")
        load_games(settings.games)
        sys.setswitchinterval(SWITCH_AFTER)
        with asyncio.Runner(loop_factory=quick_loop()) as runner:
            status = 0 if runner.run(serve(settings)) else 1
    except TableeError as error:
        _log.error("api_not_started", code=error.code, reason=str(error))
    _leave(status)


def _leave(status: int) -> NoReturn:
    """End the process at once: the server's own threads would keep it as long as somebody holds a request open."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)


def _quieten() -> None:
    """Keep out of the service log what is no news to an operator: steps of the start, readers who go away."""
    logging.getLogger("_granian").setLevel(logging.ERROR)


if __name__ == "__main__":
    main()

"""The API's process: ``python -m api.server``, with its settings in the environment (``TABLEE_…``)."""

import asyncio
import signal
import sys
from typing import Final

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server

from api.application import create_app
from domain.errors import TableeError
from services.logs import configure_logs, granian_loggers
from services.settings import Settings, load_settings

_log = structlog.get_logger(__name__)

MOST_CONNECTIONS: Final = 4096
"""At once; more wait to be let in. Each live stream is one."""


async def serve(settings: Settings) -> bool:
    """Serve until SIGTERM or SIGINT.

    Returns:
        Whether the end was asked for.
    """
    server = Server(
        create_app(settings),
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        http=HTTPModes.auto,
        websockets=False,
        backlog=1024,
        backpressure=MOST_CONNECTIONS,
        log_dictconfig=granian_loggers(),
        log_access=False,
    )
    loop, asked = asyncio.get_running_loop(), False

    def stop() -> None:
        nonlocal asked
        asked = True
        server.stop()  # type: ignore[no-untyped-call]

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    await server.serve()
    return asked


def main() -> int:
    """Run the process; its exit status is 0 if it was asked to end."""
    try:
        settings = load_settings()
        configure_logs(settings.log_format, settings.log_level, process="api")
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            return 0 if runner.run(serve(settings)) else 1
    except TableeError as error:
        _log.error("api_not_started", code=error.code, reason=str(error))
        return 1


def _loop_factory() -> "type[asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop


if __name__ == "__main__":
    sys.exit(main())

"""The service log's line for each request, written cheaply.

Going through structlog and the standard library costs more than deciding and sealing a move does. These lines have the
same form as the others, and are handed over in batches. People who watch a terminal get them the usual way, in colour.
"""

import asyncio
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec
import structlog

from services.process.service_log import current_correlation
from services.process.settings import Settings

_log = structlog.get_logger("api.access")

FLUSH_AFTER: Final = 0.1
"""Seconds for which lines may wait."""

_ENCODER: Final = msgspec.json.Encoder()


class AccessLog:
    """Writes one line per request."""

    def __init__(self, settings: Settings) -> None:
        self._wanted = settings.log_level in {"debug", "info"}
        self._json = settings.log_format == "json"
        self._watched = not self._json and sys.stderr.isatty()
        self._waiting: list[str] = []

    def write(
        self, method: str, path: str, status: int, milliseconds: float, about: Mapping[str, str]
    ) -> None:
        """Note a request that was served.

        Args:
            method: Its method.
            path: The template of its path: no ids, and nothing that anybody may have put there.
            status: The answer's status; 0 if there was none.
            milliseconds: How long it took.
            about: More values by name: the match, and of what was refused the command's id and the reason.
        """
        if not self._wanted:
            return
        if self._watched:
            _log.info("request", method=method, path=path, status=status, ms=milliseconds, **about)
            return
        if not self._waiting:
            asyncio.get_running_loop().call_later(FLUSH_AFTER, self.flush)
        self._waiting.append(self._line(method, path, status, milliseconds, about))

    def flush(self) -> None:
        """Hand over what waits."""
        lines, self._waiting = self._waiting, []
        if lines:
            sys.stderr.write("".join(lines))
            sys.stderr.flush()

    def _line(
        self, method: str, path: str, status: int, milliseconds: float, about: Mapping[str, str]
    ) -> str:
        at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        correlation = current_correlation() or ""
        if not self._json:
            values = (
                f"correlation={correlation} {method=!s} ms={milliseconds} {path=!s} process=api {status=}"
            )
            more = "".join(f" {name}={value}" for name, value in about.items())
            return f"{at} [info     ] request                        [api.access] {values}{more}\n"
        line = {
            "method": method,
            "path": path,
            "status": status,
            "ms": milliseconds,
            **about,
            "correlation": correlation,
            "level": "info",
            "logger": "api.access",
            "timestamp": at,
            "process": "api",
            "message": "request",
        }
        return _ENCODER.encode(line).decode() + "\n"

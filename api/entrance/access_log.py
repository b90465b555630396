"""The service log's line for each request, written cheaply.

Structlog and the standard library take longer than deciding and sealing a move. These lines look the same but are
written in batches. A terminal gets them the usual way, in colour.
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
"""Seconds that lines may wait."""

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
        """Write the line of a served request, soon.

        Args:
            method: Its method.
            path: The template of its path: no ids, and nothing that a client made up.
            status: The answer's status; 0 if there was none.
            milliseconds: How long it took.
            about: More values by name: the match; of a refused command its id and the reason.
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
        """Write the waiting lines."""
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

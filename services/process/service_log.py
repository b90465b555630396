"""The service log, which the program writes on standard error for operators.

All lines of all processes look the same: ours come through structlog, those of RQ, granian and Litestar through the
standard library. A *correlation id* ties together the lines of one request, the events that it appended and the jobs
that followed.
"""

import logging
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, Processor, WrappedLogger

from services.process.foreign_text import is_safe, visible, visible_lines
from services.process.settings import LogFormat, LogLevel

_CORRELATION = "correlation"


def configure_logs(log_format: LogFormat, log_level: LogLevel, *, process: str) -> None:
    """Set up the service log of this process, once, before the first line.

    Args:
        log_format: ``console`` for people, ``json`` for programs, with one object per line.
        log_level: The lowest level to write.
        process: This process's role, written on every line: ``api``, ``worker``, ``loops``.
    """

    def add_process(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("process", process)
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_process,
        _only_what_is_seen,
    ]
    handler = _ToStandardError()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering(log_format)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(log_level.upper())
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def granian_loggers() -> dict[str, Any]:
    """The ``log_dictconfig`` that keeps granian from installing handlers of its own."""
    to_root = {"handlers": [], "propagate": True}
    return {
        "formatters": {},
        "handlers": {},
        "loggers": {"_granian": to_root, "granian.access": dict(to_root)},
    }


@contextmanager
def correlation(correlation_id: str | None = None) -> Iterator[str]:
    """Write a correlation id on every line inside the block.

    Args:
        correlation_id: The id that came with the request or the job; by default a new one.

    Yields:
        The id.
    """
    chosen = correlation_id or secrets.token_hex(8)
    with structlog.contextvars.bound_contextvars(**{_CORRELATION: chosen}):
        yield chosen


def begin_correlation(correlation_id: str | None = None) -> str:
    """Write a correlation id on every line until the current task ends; see :func:`correlation`.

    For a task that serves one request and then ends: it costs a twentieth of the block.
    """
    chosen = correlation_id or secrets.token_hex(8)
    structlog.contextvars.bind_contextvars(**{_CORRELATION: chosen})
    return chosen


def current_correlation() -> str | None:
    """The correlation id of the running block, to pass on to events and jobs."""
    found = structlog.contextvars.get_contextvars().get(_CORRELATION)
    return found if isinstance(found, str) else None


def _only_what_is_seen(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Keep what somebody else has written from making lines of its own, or commanding a terminal."""
    for name, value in event.items():
        if isinstance(value, str) and not is_safe(value):
            event[name] = visible(value)
    return event


class _ToStandardError(logging.Handler):
    """Writes to whatever standard error is at that moment: it may have been redirected since."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line in one piece: several processes share standard error."""
        try:
            line = self.format(record)
            # On a terminal its colours are ours.
            sys.stderr.write((line if sys.stderr.isatty() else visible_lines(line)) + "\n")
            sys.stderr.flush()
        except Exception:  # noqa: BLE001 - like the standard library's handlers: logging must never fail the work
            self.handleError(record)


def _rendering(log_format: LogFormat) -> list[Processor]:
    if log_format == "console":
        plain = structlog.dev.plain_traceback
        return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
    return [
        # Without local variables: they hold hands and tokens.
        structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
        structlog.processors.EventRenamer("message"),
        structlog.processors.JSONRenderer(serializer=_to_json),
    ]


def _to_json(event: Any, **_ignored: Any) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()

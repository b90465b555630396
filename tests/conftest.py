"""What holds for all tests."""

import logging
from collections.abc import Iterator

import pytest
import structlog

# A traceback with every frame's variables, as structlog renders it by default, takes seconds where a state is large.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest.fixture(autouse=True)
def service_log() -> Iterator[None]:
    """Put the service log back: a command called in this process sets it up, and the next test would write to it."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)

"""What holds for all tests."""

import logging
import os
from collections.abc import Iterator

import pytest
import structlog

from services.process.games import load_games
from tests.kit.slot_watch import slots_watched
from tests.kit.valkey_cluster import Cluster, running_cluster

# The example of the guide for new games comes from outside: whatever holds for all games is tested with it, too.
# Services that tests start inherit it.
named = (os.environ.get("TABLEE_GAMES", ""), "tests.games.alone")
os.environ["TABLEE_GAMES"] = ",".join(dict.fromkeys(filter(None, ",".join(named).split(","))))
load_games()

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


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A cluster of six servers, once for all tests that need one; whoever harms it mends it."""
    with running_cluster() as one:
        yield one


@pytest.fixture(autouse=True, scope="session")
def one_slot() -> Iterator[None]:
    """Fail where the service does something in one step that a cluster could not."""
    with slots_watched():
        yield

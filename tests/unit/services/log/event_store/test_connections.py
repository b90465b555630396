import asyncio
from typing import Any

import pytest
import redis
from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection

from services.log.event_store.connections import Connections, NoReply, StoreRefused
from services.log.event_store.patience import Patience


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://user:secret@example.org:6380/3", Connection),
        ("rediss://example.org", SSLConnection),
        ("valkey://example.org", Connection),
        ("valkeys://example.org", SSLConnection),
        ("unix:///run/tablee/log.sock?db=2", UnixDomainSocketConnection),
    ],
)
def test_every_kind_of_url_is_taken(url, kind):
    connections = Connections.to_url(url, Patience())
    assert connections._pool.connection_class is kind


@pytest.mark.parametrize(
    "url", ["", "http://example.org", "/run/log.sock", "redis://h?db=x", "redis://h?no_such_option=1"]
)
def test_other_urls_are_refused_before_anything_is_opened(url):
    with pytest.raises(ValueError, match="URL"):
        Connections.to_url(url, Patience())


def test_a_url_cannot_make_the_client_send_twice_or_wait_for_ever():
    url = "redis://h?retry_on_timeout=yes&socket_timeout=99&socket_connect_timeout=99&protocol=3&decode_responses=true"
    kwargs = Connections.to_url(url, Patience(connect=1.5))._pool.connection_kwargs
    assert kwargs["retry"].get_retries() == 0
    assert kwargs["socket_timeout"] is None
    assert kwargs["socket_connect_timeout"] == 1.5
    assert kwargs["protocol"] == 2
    assert kwargs["decode_responses"] is False


class _Pool:
    """A pool of one connection that is cancelled, or broken, while it waits for the second of two replies."""

    def __init__(self, failure):
        self.failure = failure
        self.replies = 0
        self.done = []

    async def get_connection(self):
        return self

    async def send_packed_command(self, _):
        self.done.append("sent")

    async def read_response(self, *, disconnect_on_error):
        assert disconnect_on_error
        self.replies += 1
        if self.replies == 2:
            raise self.failure
        return b"first"

    async def disconnect(self, *, nowait):
        self.done.append(f"closed, nowait={nowait}")

    async def release(self, _):
        self.done.append("released")


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (asyncio.CancelledError(), asyncio.CancelledError),
        (ConnectionResetError("broken"), NoReply),
        (redis.exceptions.ConnectionError("broken"), NoReply),
        (KeyError("a fault of ours or of the library"), KeyError),
    ],
)
async def test_a_connection_with_a_reply_to_come_is_closed_before_anybody_else_gets_it(failure, told):
    pool: Any = _Pool(failure)
    with pytest.raises(told):
        await Connections(pool, Patience()).ask(("ONE",), ("OTHER",), line="own")
    assert pool.done == ["sent", "closed, nowait=True", "released"]


async def test_an_error_reply_leaves_the_connection_in_use():
    pool: Any = _Pool(redis.exceptions.ResponseError("no"))
    with pytest.raises(StoreRefused, match="no"):
        await Connections(pool, Patience()).ask(("ONE",), ("OTHER",), line="own")
    assert pool.done == ["sent", "released"]

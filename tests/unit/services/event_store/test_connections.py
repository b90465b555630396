import pytest
from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection

from services.event_store.connections import Connections, Patience


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://user:secret@example.org:6380/3", Connection),
        ("rediss://example.org", SSLConnection),
        ("unix:///run/tablee/log.sock?db=2", UnixDomainSocketConnection),
    ],
)
def test_three_kinds_of_urls_are_taken(url, kind):
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

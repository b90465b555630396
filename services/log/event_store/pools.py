"""How a pool of redis-py's connections is set up for the log, whatever its URL says."""

from typing import Any

from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from services.log.event_store.addresses import client_url, watched_at
from services.log.event_store.patience import Patience


def pool_options(url: str, patience: Patience) -> dict[str, Any]:
    """Return the options of a pool of connections to a URL.

    Raises:
        ValueError: The URL cannot be read.
    """
    watched = watched_at(url)
    options: dict[str, Any] = dict(parse_url(client_url(url)) if watched is None else watched.options)
    # These override the URL: replies are bytes in protocol 2, we keep the time limits ourselves (redis-py's own
    # limit on writing costs a task per command), and nothing is resent unasked.
    return options | {
        "protocol": 2,
        "decode_responses": False,
        "socket_timeout": None,
        "socket_connect_timeout": patience.connect,
        "health_check_interval": 0,
        "retry": Retry(NoBackoff(), 0),
        "retry_on_error": [],
        "retry_on_timeout": False,
        "max_connections": 1024,
        # Saves two commands on every new connection.
        "driver_info": None,
        # If these are on, the pool no longer notices that an idle connection was closed.
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }

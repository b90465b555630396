"""Asking the log, in a moment and without its other parts, whether it has a command already."""

from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from services.log.event_store.keys import ACTOR_FIELD, Keyspace

_SECONDS: Final = 1.0


def has_accepted(log_store_url: str, shards: int, match: str, actor: str, command_id: str) -> bool:
    """Tell whether a match remembers a command as accepted.

    Args:
        log_store_url: The log's server.
        shards: The installation's number of shards.
        match: The match's id.
        actor: Who commanded.
        command_id: The command's id.

    Returns:
        False too when the server does not answer: who asks finds out by doing the work.
    """
    # A record is "<newline>id fingerprint first last"; none of these can hold a space or a newline: see append.lua.
    field = ACTOR_FIELD + actor
    client = redis.Redis.from_url(
        log_store_url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    try:
        records = client.hget(Keyspace(shards).of_match(match).meta, field)
    except (RedisError, OSError):
        return False
    finally:
        client.close()
    return isinstance(records, bytes) and f"\n{command_id} ".encode() in records

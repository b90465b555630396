"""Asking the log, in a moment and without its other parts, whether it has a command already."""

import redis
from redis.exceptions import RedisError

from services.log.event_store.keys import ACTOR_FIELD, Keyspace


def has_accepted(client: "redis.Redis", shards: int, match: str, actor: str, command_id: str) -> bool:
    """Tell whether a match remembers a command as accepted.

    Returns:
        False too when the server does not answer: who asks finds out by doing the work.
    """
    # A record is "<newline>id fingerprint first last"; none of these can hold a space or a newline: see append.lua.
    try:
        records = client.hget(Keyspace(shards).of_match(match).meta, ACTOR_FIELD + actor)
    except (RedisError, OSError):
        return False
    return isinstance(records, bytes) and f"\n{command_id} ".encode() in records

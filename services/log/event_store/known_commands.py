"""A quick check whether the log already has a command, without loading the rest of the store."""

import redis
from redis.exceptions import RedisClusterException, RedisError

from services.log.event_store.keys import ACTOR_FIELD, Keyspace


def has_accepted(client: "redis.Redis", shards: int, match: str, actor: str, command_id: str) -> bool:
    """Tell whether a match remembers a command as accepted.

    Returns:
        False also if the server does not answer: the caller then does the work and finds out.
    """
    # A record is "<newline>id fingerprint first last"; none of these can hold a space or a newline: see append.lua.
    try:
        records = client.hget(Keyspace(shards).of_match(match).meta, ACTOR_FIELD + actor)
    except (RedisError, RedisClusterException, OSError):
        return False
    return isinstance(records, bytes) and f"\n{command_id} ".encode() in records

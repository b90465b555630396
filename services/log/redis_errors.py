"""Asking the log's server for what is kept there beside the log."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import RedisError

from services.errors import StoreUnavailable


@contextmanager
def available() -> Iterator[None]:
    """Turn a server that does not answer into ``StoreUnavailable``."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise StoreUnavailable(str(error) or type(error).__name__) from error

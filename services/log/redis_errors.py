"""What an error of the log's server means."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import OutOfMemoryError, ReadOnlyError, RedisError

from services.errors import StoreFull, StoreReadOnly, StoreUnavailable


@contextmanager
def available() -> Iterator[None]:
    """Turn a server that does not answer, or takes no writes, into ``StoreUnavailable``."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise unavailable(error) from error


def unavailable(error: Exception) -> StoreUnavailable:
    """Return what our callers are told of an error of the server, or of its connection."""
    said = str(error) or type(error).__name__
    if isinstance(error, ReadOnlyError):
        return StoreReadOnly(f"{said} Name the primary (TABLEE_LOG_STORE_URL).")
    # A server that cannot write its files for want of room says MISCONF.
    if isinstance(error, OutOfMemoryError) or said.startswith("MISCONF"):
        return StoreFull(said)
    return StoreUnavailable(said)

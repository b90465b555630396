"""Errors that only the log's own users meet; see :mod:`services.errors` for those that reach players."""

from domain.errors import TableeError


class InstallationMismatch(TableeError):
    """The given settings contradict those that the store was set up with; nothing was changed.

    Attributes:
        setting: What differs: ``shards`` or ``layout``.
        given: The value asked for now.
    """

    code = "store.installation_mismatch"

    def __init__(self, setting: str, stored: int, given: int) -> None:
        super().__init__(f"the store was set up with {setting} {stored} and cannot be used with {given}")
        self.setting = setting
        self.stored = stored
        self.given = given


class FeedGap(TableeError):
    """A reader of the feed has missed pointers: they were trimmed, or the store lost them.

    Attributes:
        expected: The position that should have come next.
        found: The position that came instead.
    """

    code = "store.feed_gap"

    def __init__(self, shard: int, expected: int, found: int) -> None:
        super().__init__(f"shard {shard}: expected position {expected}, found {found}")
        self.shard = shard
        self.expected = expected
        self.found = found


class NotRegistered(TableeError):
    """A consumer of the feed has no checkpoint, at least not in every shard."""

    code = "store.not_registered"

"""Tables that never begin: they are told of their end, and ended, after a while in which nothing happens at them.

Whoever made a table, sat down or left it meanwhile starts the time anew, and so does whoever keeps it.
"""

from typing import Final, NamedTuple

from domain.errors import Refused
from domain.instants import Instant, after
from domain.match.clock import NOT_ASKED
from domain.match.commands import AnnounceExpiry, Context, ExpireTable, KeepTable
from domain.match.decide_table import require_gathering
from domain.match.events import ExpiryAnnounced, MatchAbandoned, TableKept
from domain.match.state import Match
from domain.sealing import Event

EXPIRED: Final = "expired"
"""The reason for which a table ends that never began."""

_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR


class Patience(NamedTuple):
    """How long a table may wait for people.

    Attributes:
        quiet: Seconds without an event after which its end is told.
        notice: Seconds from then to the end.
    """

    quiet: int
    notice: int


PATIENCE: Final = (
    Patience(12 * _HOUR, 12 * _HOUR),
    Patience(2 * _DAY, _DAY),
    Patience(11 * _DAY, 3 * _DAY),
)
"""By how many people have ever sat at the table; the last one is for two and more."""


def patience_of(state: Match) -> Patience:
    """Return how long a table may wait."""
    return PATIENCE[min(len(state.visitors), len(PATIENCE) - 1)]


def next_of_expiry(state: Match, at: Instant) -> Instant:
    """Return when a table's end must be told, or when it ends if that was told; NOT_ASKED if it has begun or ended.

    Args:
        state: The table.
        at: When the last thing happened there.
    """
    if state.lifecycle.phase != "gathering":
        return NOT_ASKED
    return state.expires if state.expires != NOT_ASKED else after(at, patience_of(state).quiet)


def announce_expiry(state: Match, _: AnnounceExpiry, context: Context) -> tuple[Event, ...]:
    """Tell a table's end."""
    require_gathering(state)
    if state.expires != NOT_ASKED:
        raise Refused("expiry.announced", "tables that never begin", until=state.expires)
    return (ExpiryAnnounced(after(context.now, patience_of(state).notice)),)


def keep(state: Match, _: KeepTable, __: Context) -> tuple[Event, ...]:
    """Let a table wait on, as if it had just been made."""
    require_gathering(state)
    if state.expires == NOT_ASKED:
        raise Refused("expiry.not_announced", "tables that never begin")
    return (TableKept(),)


def expire(state: Match, _: ExpireTable, context: Context) -> tuple[Event, ...]:
    """End a table whose time is over."""
    require_gathering(state)
    if state.expires == NOT_ASKED or context.now < state.expires:
        raise Refused("expiry.not_yet", "tables that never begin", until=state.expires)
    return (MatchAbandoned(EXPIRED),)

"""Which matches an operator should look at: those that stand still although they should not, or cannot be read.

The list of matches says where to look; each match in question is then folded anew, so that nothing is told of it that
is no longer so.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, Protocol

import msgspec
import structlog

from domain.instants import EARLIEST, Instant, after, instant_from_milliseconds, milliseconds_of
from domain.match.due import FALLBACK_SECONDS, bots_to_act, due_of, overdue_seats
from domain.match.fold import Position
from services.errors import MatchClosed, NoSuchMatch, StoreUnavailable
from services.log.event_store.contract import EventStore
from services.matches.reader import MatchReader
from services.projections.listing import ListingPage, MatchFilter
from services.projections.matches import MatchRow
from services.projections.standing import DeadLetter

GRACE_SECONDS: Final = 5.0
"""How late the clock may come to a match before somebody should look."""

MOST_ROWS: Final = 2000
"""How many running matches are looked through, the last changed ones first."""

MOST_FOLDED: Final = 50
"""How many matches in question are folded."""

_PAGE: Final = 200
_MOST_DUE: Final = 5000
_FAR: Final = 10 * 366 * 86_400
"""Further away, in seconds, than any deadline."""

Kind = Literal["unreadable", "parked", "not_due", "stuck", "overdue"]
KINDS: Final[tuple[Kind, ...]] = ("unreadable", "parked", "not_due", "stuck", "overdue")

_log = structlog.get_logger(__name__)


class Concern(msgspec.Struct, frozen=True):
    """One match that needs attention.

    Attributes:
        kind: What is wrong: its log cannot be read (``unreadable``); a projection or the archive has put it aside
            (``parked``); the clock does not know that it is to come (``not_due``); a bot has owed its move for too long
            (``stuck``); a person's time, or that of a request, has run out and nothing followed (``overdue``).
        match: The match's id.
        seats: The seats that this is about.
        since: Since when; None if that is not known.
        where: Who has put it aside.
        reason: Why, as far as a program can tell.
    """

    kind: Kind
    match: str
    seats: tuple[int, ...] = ()
    since: Instant | None = None
    where: str = ""
    reason: str = ""


class Attention(msgspec.Struct, frozen=True):
    """What needs attention.

    Attributes:
        concerns: The matches, the worst kinds first, the longest ones first in each.
        is_complete: Whether all running matches were looked at.
    """

    concerns: tuple[Concern, ...]
    is_complete: bool


class Rows(Protocol):
    """The list of matches."""

    async def page(self, wanted: MatchFilter, after: str | None, count: int) -> ListingPage:
        """Return a page of rows."""


Parked = Callable[[], Awaitable[Sequence[DeadLetter]]]


class AttentionSearch:
    """Looks for matches that need attention. Looking changes nothing."""

    def __init__(
        self, store: EventStore, reader: MatchReader, rows: Rows, parked: Parked, now: Callable[[], Instant]
    ) -> None:
        """Take the log, a reader on it, the list of matches, what tells the matches put aside, and a clock."""
        self._store = store
        self._reader = reader
        self._rows = rows
        self._parked = parked
        self._now = now

    async def look(self) -> Attention:
        """Return what needs attention.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        now = self._now()
        concerns = [_parked(one) for one in await self._parked()]
        rows, all_rows = await self._running()
        # Behind the rows: whatever was due when a row was written is due still, or the match has moved on since.
        due, all_due = await self._due(now)
        late = milliseconds_of(after(now, -GRACE_SECONDS))
        asked = [row for row in rows if row.asked and row.due is not None]
        missing = [row.match for row in asked if row.match not in due] if all_due else []
        stale = [row.match for row in asked if row.due is not None and row.due < late]
        passed = [match for match, instant in due.items() if instant < late]
        suspects = list(dict.fromkeys((*missing, *passed, *stale)))
        for match in suspects[:MOST_FOLDED]:
            concern = await self._concern(match, now, is_missing=match in missing)
            if concern is not None:
                concerns.append(concern)
        concerns = await self._without_those_that_came_back(concerns)
        concerns.sort(key=lambda one: (KINDS.index(one.kind), one.since or EARLIEST, one.match))
        return Attention(tuple(concerns), all_rows and all_due and len(suspects) <= MOST_FOLDED)

    async def _running(self) -> tuple[list[MatchRow], bool]:
        rows: list[MatchRow] = []
        behind: str | None = None
        while len(rows) < MOST_ROWS:
            page = await self._rows.page(MatchFilter(state="playing"), behind, _PAGE)
            rows += page.rows
            behind = page.next
            if behind is None:
                return rows, True
        return rows, False

    async def _due(self, now: Instant) -> tuple[dict[str, int], bool]:
        found = await self._store.due(milliseconds_of(after(now, _FAR)), _MOST_DUE)
        return dict(found), len(found) < _MOST_DUE

    async def _concern(self, match: str, now: Instant, *, is_missing: bool) -> Concern | None:
        try:
            position = await self._reader.head(match)
        except (NoSuchMatch, MatchClosed):
            return None
        except StoreUnavailable:
            raise
        except Exception as error:  # noqa: BLE001
            # A log that was altered may fail in any way; the page must show just that.
            _log.warning("match_unreadable", match=match, reason=str(error))
            return Concern("unreadable", match, reason=f"{type(error).__name__}: {error}")
        return _not_due(position) if is_missing else _late(position, now)

    async def _without_those_that_came_back(self, concerns: list[Concern]) -> list[Concern]:
        """Look once more at the clock's index: a match may have been asked anew between two questions."""
        if not any(one.kind == "not_due" for one in concerns):
            return concerns
        due, _ = await self._due(self._now())
        return [one for one in concerns if one.kind != "not_due" or one.match not in due]


def _parked(one: DeadLetter) -> Concern:
    return Concern("parked", one.match, since=one.since, where=one.projection, reason=one.reason)


def _not_due(position: Position) -> Concern | None:
    due = due_of(position)
    if due is None:
        return None
    return Concern("not_due", position.match, since=instant_from_milliseconds(due))


def _late(position: Position, now: Instant) -> Concern | None:
    state = position.state
    clock = state.clock
    late_bots = tuple(
        seat
        for seat in bots_to_act(state)
        if EARLIEST < clock.since[seat] <= after(now, -float(FALLBACK_SECONDS))
    )
    if late_bots:
        return Concern("stuck", position.match, late_bots, min(clock.since[seat] for seat in late_bots))
    seats = overdue_seats(state, after(now, -GRACE_SECONDS))
    ended = [clock.deadline_of(seat) for seat in seats]
    ended += [one.expires for one in state.requests if one.expires <= after(now, -GRACE_SECONDS)]
    return Concern("overdue", position.match, seats, min(ended)) if ended else None

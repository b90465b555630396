"""What all pages of one match share: who looks, at which match, and how much of it lies open to them."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from api.ops.access import session_of
from api.pages.tables import names_at
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from domain.entries import StoredEntry, decode_envelope
from domain.errors import BrokenLog
from domain.match.decide_operator import LONGEST_REASON
from domain.match.fold import UNFOLDABLE, Position
from domain.match.state import EMPTY
from domain.sealing import unseal
from services.errors import MatchClosed, NoSuchMatch
from services.matches.former_holders import FormerHolder, left, named, names_then
from services.watch.inspection.disclosure import Disclosure, mark_of
from services.watch.inspection.overview import Looked, look_at
from services.watch.inspection.rows import EventRow
from services.words.history import history_line
from services.words.names import game_name
from services.words.phrases import phrase, words_in
from services.words.refusals import refusal_text
from services.words.times import lapse

T = TypeVar("T")

_HOST: Final = phrase("the host")


class Look(msgspec.Struct, frozen=True):
    """An operator's look at a match.

    Attributes:
        mark: What stands for their session in the log.
        looked: The log, as far as it can be read, and how much of it lies open.
        position: The match at its head; None if it cannot be folded.
        names: How the seats are called; none if that is not known.
        former: Who no longer sits where they sat.
    """

    visit: Visit
    match: str
    mark: str
    looked: Looked
    position: Position | None
    names: tuple[str, ...]
    former: tuple[FormerHolder, ...] = ()

    @property
    def disclosure(self) -> Disclosure:
        """How much lies open to them."""
        return self.looked.disclosure

    @property
    def entries(self) -> list[StoredEntry]:
        """The log, as far as it can be read."""
        return self.looked.readable.entries

    @property
    def game(self) -> str:
        """The game's key; empty if it is not known."""
        terms = self.position.state.terms if self.position is not None else None
        return terms.game if terms is not None else self._meta_game

    @property
    def _meta_game(self) -> str:
        meta = self.looked.readable.meta
        return meta.game if meta is not None else ""

    def line(self, version: int) -> str:
        """Return what an event says in words; empty if it has none, or cannot be read."""
        entry = self.entries[version - 1]
        try:
            envelope = decode_envelope(entry.e)
            data: dict[str, Any] = msgspec.json.decode(envelope.data, type=dict[str, Any])
            unseal(data, self.disclosure.openings(entry, envelope.type))
            then = names_then(self.names, self.former, version)
            line = history_line(self.game, envelope.type, data, then, self.visit.language, note=envelope.note)
        except UNFOLDABLE:
            # Somebody has altered it: the table shows what can be shown.
            return ""
        return line or ""

    def raw(self, version: int) -> str:
        """Return an event's envelope as it is stored."""
        return self.entries[version - 1].e.decode(errors="replace")

    def who(self, row: EventRow) -> str:
        """Return who acted, by name if they have one at this table."""
        terms = self.position.state.terms if self.position is not None else None
        if row.seat is None and terms is not None and row.actor == terms.host:
            return words_in(self.visit.language).say(_HOST)
        return self.name(row.seat) or row.actor

    def name(self, seat: int | None) -> str:
        """Return how a seat is called; empty for none."""
        return self.names[seat] if seat is not None and 0 <= seat < len(self.names) else ""

    def why(self, code: str) -> str:
        """Return why something was refused."""
        return refusal_text(code, "", {}, self.visit.language, game=self.game).wrong

    @property
    def shown(self) -> dict[str, Any]:
        """What the templates of all pages of a match need."""
        is_running = not self.disclosure.over
        return {
            "look": self,
            "match": self.match,
            "game_name": game_name(self.game, self.visit.language),
            "is_running": is_running,
            "head": len(self.entries),
            "lapse": lapse,
            "why": self.why,
            "key": secrets.token_hex(8),
            "longest": LONGEST_REASON,
            "refusal": None,
        }


async def look_of(request: Http) -> Look:
    """Return the look that a request takes.

    Raises:
        Malformed: The address names no match.
        NoSuchMatch: There is none with this id.
        StoreUnavailable: The store or the archive did not answer.
    """
    visit, match = Visit(request), match_of(request)
    mark = mark_of(session_of(visit), match)
    looked = await look_at(visit.parts.application.store, match, mark)
    position = await _head(visit, match)
    names = await names_at(visit, EMPTY if position is None else position.state)
    return Look(visit, match, mark, looked, position, names, await _former(visit, position, looked))


async def _former(visit: Visit, position: Position | None, looked: Looked) -> tuple[FormerHolder, ...]:
    """Return who no longer sits where they sat; nobody if the log cannot be folded."""
    if position is None:
        return ()
    now = [seat.player for seat in position.state.seats]
    try:
        found = tuple(left(looked.readable.entries, (), now))
    except UNFOLDABLE:
        return ()
    return await named(visit.parts.application.names, found, visit.language)


async def _head(visit: Visit, match: str) -> Position | None:
    """Return the match at its head, for names and the game; None if its log cannot be folded."""
    try:
        # From memory where it is there: a long log is folded once, and not for every page.
        return await visit.parts.application.reader.head(match)
    except (BrokenLog, MatchClosed, NoSuchMatch, *UNFOLDABLE):
        return None


async def aside(work: Callable[[], T]) -> T:
    """Do work on a whole log beside the loop: others' moves must not wait for it."""
    return await asyncio.to_thread(work)

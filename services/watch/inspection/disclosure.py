"""How much of a match lies open to an operator. All of the operator's pages ask here.

While a match runs, nothing sealed is shown. An operator who gives a reason sees what was sealed up to the event that
tells the table about it (``LogUnsealed``), and nothing after it: later cards need a new reason. The log itself records
this, under a command id that carries a mark of the operator's session. So the log alone says what lies open to whom: a
process that restarts has nothing to remember, and the view ends with the session.

The seed stays sealed until the match is over, for operators too: it decides all later cards, also those dealt after the
event up to which somebody may look.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.match.events import MATCH_ENDS
from domain.match.fold import Position
from domain.match.verification import Verdict
from domain.match.view import MatchView, match_view
from domain.sealing import Opening, redact
from domain.viewers import EVERYTHING, SPECTATOR, Viewer
from services.matches.service import OPERATOR

"""The events that open everything."""

OPENS_LATER_CARDS: Final = frozenset({("MatchCreated", "seed"), ("MatchForked", "entropy")})
"""Sealed fields, by type of event, from which cards follow that are not dealt yet."""

_QUOTING: Final = frozenset({"log.cannot_be_folded", "log.unreadable", "rules.differs"})
"""Codes of verdicts whose details quote an error that may name a value, or a refusal that tells what a hand lacks."""

_UNSEALED: Final = "LogUnsealed"
_MARK_DIGITS: Final = 20


class Disclosure(msgspec.Struct, frozen=True):
    """How much of a match lies open.

    Attributes:
        over: Whether the match is over: everything is open.
        unsealed: The version up to which it was unsealed for who looks; 0 for not at all.
    """

    over: bool = False
    unsealed: int = 0

    def is_open(self, version: int) -> bool:
        """Tell whether what was sealed up to a version lies open."""
        return self.over or version <= self.unsealed

    def viewer(self, version: int) -> Viewer:
        """Return with whose eyes the match is looked at, at a version."""
        return EVERYTHING if self.is_open(version) else SPECTATOR

    def openings(self, entry: StoredEntry, kind: str) -> tuple[Opening, ...]:
        """Return the openings of an entry that lie open.

        Raises:
            msgspec.DecodeError: They cannot be read.
        """
        shown = redact(decode_openings(entry.s), self.viewer(entry.version))
        if self.over:
            return shown
        return tuple(opening for opening in shown if (kind, opening.field) not in OPENS_LATER_CARDS)

    def view(self, position: Position, version: int) -> MatchView:
        """Return the match at a position, with the eyes that are allowed at a version.

        Raises:
            ValueError: The match has no event yet.
        """
        view = match_view(position, self.viewer(max(version, position.version)))
        return view if self.over else replace(view, seed=None)

    def told(self, verdict: Verdict) -> Verdict:
        """Return a verdict without details that may hold what is sealed: the text of an error of reading or folding."""
        if verdict.code not in _QUOTING or self.is_open(verdict.bad_version):
            return verdict
        return replace(verdict, detail=verdict.detail.partition(":")[0])


def mark_of(session: str, match: str) -> str:
    """Return what stands for a session in the ids of the commands by which it unseals a match.

    Everybody at the table may read it: nothing follows from it, neither the session nor its mark in other matches.
    """
    return hashlib.sha256(f"tablee unsealed by\n{session}\n{match}".encode()).hexdigest()[:_MARK_DIGITS]


def unsealing_id(mark: str, key: str) -> str:
    """Return the id of the command by which a session, by its mark, unseals a match: one id for each form."""
    return f"{OPERATOR}-{mark}-{key}"


def disclosure_of(entries: Iterable[StoredEntry], mark: str) -> Disclosure:
    """Return how much of a match lies open to the session of a mark, to nobody without one."""
    over, unsealed, wanted = False, 0, unsealing_id(mark, "")
    for entry in entries:
        # Decoding all of a long log would take longer than everything else on most pages.
        if not any(kind in entry.e for kind in _TELLING):
            continue
        try:
            envelope = decode_envelope(entry.e)
        except msgspec.DecodeError:
            continue
        if envelope.type in MATCH_ENDS:
            over = True
        elif envelope.type == _UNSEALED and mark and envelope.door == OPERATOR == envelope.actor:
            # The event itself is behind what was looked at, and holds nothing sealed.
            unsealed = entry.version if envelope.command.id.startswith(wanted) else unsealed
    return Disclosure(over, unsealed)


_TELLING: Final = tuple(f'"{kind}"'.encode() for kind in (*MATCH_ENDS, _UNSEALED))

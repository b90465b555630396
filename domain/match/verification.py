"""Verifying a log: that it is whole, that nobody tampered with it, and that its sealed seed dealt its cards.

On demand, also that it was played by the rules: :mod:`domain.match.replay_check` decides every command again.

Works on complete logs and on redacted ones. What a redacted or running log cannot show yet (sealed values, the
seed) counts as not checked, never as good.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.canonical import canonical_json
from domain.chain import follow_chain, genesis, next_head
from domain.entries import Envelope, StoredEntry, decode_openings, encode_openings
from domain.envelopes import check_words, read_envelope
from domain.errors import BrokenLog
from domain.match.deals import Dealing
from domain.match.evolve import evolve
from domain.match.fold import UNFOLDABLE, Position, happened, unfoldable
from domain.match.replay_check import Referee
from domain.match.state import EMPTY, Match
from domain.sealing import Opening, commitment_of, sealed_fields


class Verdict(msgspec.Struct, frozen=True):
    """The result of verifying a log.

    Attributes:
        match: The match's id.
        events: How many good events were read.
        head: The chain hash after the last good one, hexadecimal.
        openings: How many openings matched their commitments.
        sealed: How many commitments stayed closed.
        deals: How many shuffles and draws were recomputed from the seed.
        sealed_deals: How many could not be, because the seed or the cards are still sealed.
        code: Why it failed; empty if it did not.
        bad_version: The first bad event; 0 for none.
        detail: What was expected there and what was found.
        commands: How many commands were decided again with the outcome that the log records.
    """

    match: str
    events: int = 0
    head: str = ""
    openings: int = 0
    sealed: int = 0
    deals: int = 0
    sealed_deals: int = 0
    code: str = ""
    bad_version: int = 0
    detail: str = ""
    commands: int = 0

    @property
    def good(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.code


class _Reader:
    def __init__(self, match: str, *, complete: bool, rules: bool) -> None:
        self.complete = complete
        self.referee = Referee() if rules and complete else None
        self.version, self.head, self.at = 0, genesis(match), ""
        self.openings = self.sealed = 0
        self.command = ("", "", 0, 0)
        self.state: Match | None = EMPTY
        self.envelope: Envelope | None = None
        self.dealing = Dealing()

    def take(self, stored: StoredEntry) -> None:
        version = self.version + 1
        if stored.version != version:
            raise BrokenLog("log.gap", version, f"expected version {version}, found {stored.version}")
        head = next_head(self.head, stored, version)
        envelope, data = read_envelope(stored.e, version)
        self._follows(envelope, version)
        check_words(envelope, version)
        openings = self._openings(stored, version, data)
        self.dealing.take(envelope, data, openings)
        self._fold(stored, envelope, openings)
        self.version, self.head, self.at, self.envelope = version, head, envelope.at, envelope

    def finish(self) -> None:
        """Check that a complete log does not end in the middle of a command."""
        _, command, first, last = self.command
        if self.complete and last > self.version:
            raise BrokenLog("log.command_torn", self.version + 1, f"command {command} spans {first}..{last}")

    def _follows(self, envelope: Envelope, version: int) -> None:
        """Check that an envelope stands where its version, instant and command belong."""
        if envelope.v != version:
            raise BrokenLog("log.version_differs", version, f"the envelope says {envelope.v}")
        if envelope.at < self.at:
            raise BrokenLog("log.time_runs_back", version, f"{envelope.at} after {self.at}")
        mark = envelope.command
        command = (envelope.actor, mark.id, mark.first, mark.last)
        begins, inside = mark.first == version, mark.first <= version <= mark.last
        if not inside or (begins and self.command[3] >= version) or (not begins and command != self.command):
            raise BrokenLog("log.command_torn", version, f"command {mark.id} spans {mark.first}..{mark.last}")
        self.command = command

    def _openings(self, stored: StoredEntry, version: int, data: Any) -> tuple[Opening, ...]:
        if not isinstance(data, dict):
            raise BrokenLog("log.unreadable", version, "its data is not an object")
        try:
            openings = decode_openings(stored.s)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BrokenLog("log.unreadable", version, str(error)) from None
        commitments = sealed_fields(data)
        for opening in openings:
            check_opening(opening, commitments, version)
            self.openings += 1
        opened = {opening.field for opening in openings}
        if len(opened) < len(openings):
            raise BrokenLog("seal.opened_twice", version, f"{len(openings)} openings for {sorted(opened)}")
        closed = commitments.keys() - opened
        if closed and self.complete:
            raise BrokenLog("seal.opening_missing", version, f"no opening for {', '.join(sorted(closed))}")
        # A service writes an empty list where the store has nothing.
        if self.complete and encode_openings(openings) != (b"" if stored.s == b"[]" else stored.s):
            detail = "its openings are not what their writer would write: an unknown key, another order, white space"
            raise BrokenLog("seal.not_canonical", version, detail)
        self.sealed += len(closed)
        return openings

    def _fold(self, stored: StoredEntry, envelope: Envelope, openings: tuple[Opening, ...]) -> None:
        if not self.complete or self.state is None:
            return
        try:
            before, step = self.state, happened(self.state, stored)
            self.state = evolve(before, step)
        except UNFOLDABLE as error:
            raise unfoldable(envelope.v, error) from None
        if self.referee is not None:
            self.referee.take(before, step, envelope, openings)

    def verdict(self, match: str, problem: BrokenLog | None) -> Verdict:
        return Verdict(
            match,
            self.version,
            self.head.hex(),
            self.openings,
            self.sealed,
            self.dealing.checked,
            self.dealing.sealed,
            problem.code if problem else "",
            problem.version if problem else 0,
            problem.detail if problem else "",
            self.referee.judged if self.referee is not None else 0,
        )


def check_opening(opening: Opening, commitments: dict[str, str], version: int) -> None:
    """Check one opening against the commitments of its event.

    Raises:
        BrokenLog: It opens nothing, or not what was sealed.
    """
    expected = commitments.get(opening.field)
    if expected is None:
        raise BrokenLog("seal.opens_nothing", version, f"{opening.field} is not sealed")
    try:
        salt, value = bytes.fromhex(opening.salt), canonical_json(msgspec.json.decode(opening.value))
    except (ValueError, RecursionError) as error:
        raise BrokenLog("seal.unreadable", version, f"{opening.field}: {error}") from None
    if commitment_of(salt, value) != expected:
        raise BrokenLog("seal.differs", version, f"{opening.field} is not what was sealed")


def verify(match: str, entries: Iterable[StoredEntry], *, complete: bool, rules: bool = False) -> Verdict:
    """Verify a log from its first event on.

    Args:
        match: The match's id; the chain begins with it.
        entries: The entries as stored, in stored order.
        complete: Whether every opening must be there (the server's own log) or some may be left out.
        rules: Whether to decide every command again, too. Only a complete log can be judged.
    """
    return _read(_Reader(match, complete=complete, rules=rules), match, entries)


def verified(match: str, entries: Sequence[StoredEntry]) -> tuple[Verdict, Position | None]:
    """Verify a complete log with all its commands; return the verdict with the position at its head, if it is good."""
    reader = _Reader(match, complete=True, rules=True)
    verdict = _read(reader, match, entries)
    if not verdict.good or not entries or reader.state is None or reader.envelope is None:
        return verdict, None
    last = reader.envelope
    return verdict, Position(match, reader.version, reader.head, last.at, reader.state, last.door, last.trace)


def _read(reader: _Reader, match: str, entries: Iterable[StoredEntry]) -> Verdict:
    problem: BrokenLog | None = None
    try:
        for stored in entries:
            reader.take(stored)
        reader.finish()
    except BrokenLog as found:
        problem = found
    return reader.verdict(match, problem)


def verify_chain(match: str, entries: Sequence[StoredEntry]) -> Verdict:
    """Follow the chain of a log without reading its events: a hundredth of the work of :func:`verify`."""
    try:
        head = follow_chain(genesis(match), entries)
    except BrokenLog as broken:
        good = broken.version - 1
        head = entries[good - 1].h if good else genesis(match)
        return Verdict(
            match, good, head.hex(), code=broken.code, bad_version=broken.version, detail=broken.detail
        )
    return Verdict(match, len(entries), head.hex())

"""Matches that people bring from elsewhere: read from their file, proven, and taken in, or refused with the reason.

An operator's ``tablee import`` takes in whatever a file has in it. A person brings one match that is over, which is
then somebody's claim: the log is whole and played by the rules, but who sat there, and when, nobody here can tell. So
it is marked (:mod:`services.people.imported_matches`), and it may name nobody who is known here.
"""

import io
from collections.abc import Iterator
from typing import Final, NoReturn

import msgspec

from domain.entries import decode_envelope
from domain.errors import Refused
from domain.games.possible import is_possible
from domain.instants import Instant, after
from domain.match.commands import Fork
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position, beginning, positions
from domain.match.state import OVER
from services.log.archive.documents import Document, documents
from services.log.archive.errors import ArchiveDiffers, ImportRefused, UnreadableExport
from services.log.archive.files import lines_of, within
from services.log.archive.importing import Importer, Taken, proven
from services.matches.forks import fork_at
from services.people.imported_matches import ImportedMatches
from services.people.memberships import Memberships
from services.people.player_names import PlayerNames

LARGEST_FILE: Final = 24 * 1024 * 1024
"""Bytes of a file that is sent. The longest matches take about 9 MB as lines, and a quarter of that compressed."""

LARGEST_UNPACKED: Final = 64 * 1024 * 1024
"""Bytes of its lines."""

AHEAD: Final = 24 * 3600
"""Seconds by which the clock on which a match was played may have been ahead of ours."""

_PEOPLE_IN: Final = ("player", "invitation")
"""Fields of events that name people by ids."""


class Brought(msgspec.Struct, frozen=True):
    """One match that is over, from a file, with everything in it proven that its file can prove.

    Attributes:
        position: Where it ends.
    """

    document: Document
    position: Position

    def at(self, version: int) -> Position | None:
        """Return the match at a version; None if it has no such version."""
        entries = self.document.entries[: max(0, version)]
        if not entries or len(entries) < version:
            return None
        return next(one for one in self._positions() if one.version == version)

    def last_to_play(self) -> int:
        """Return the last version at which somebody was to move."""
        found = (one.version for one in self._positions() if seats_to_act(one.state))
        return max(found, default=self.position.version)

    @property
    def begins_possibly(self) -> bool:
        """Whether a fork begins with a position of its game: nothing in its log vouches for that."""
        terms = self.position.state.terms
        if self.position.state.origin is None or terms is None:
            return True
        begun = next((one.state.game for one in self._positions() if one.state.game is not None), None)
        return begun is None or is_possible(game_of(terms), begun, terms.seats)

    def _positions(self) -> Iterator[Position]:
        return positions(beginning(self.position.match), self.document.entries)


def brought(content: bytes) -> Brought:
    """Read and prove the match in a file. Takes seconds for the longest ones: not on the event loop.

    Raises:
        ImportRefused: The file has not exactly one match in it, or that cannot be taken in, with the reason.
    """
    if not content:
        raise ImportRefused("import.no_file", "", "the file is empty")
    try:
        document = _only(content)
    except UnreadableExport as error:
        raise ImportRefused(error.code, "", error.detail) from error
    position = proven(document)
    if position.state.lifecycle.phase not in OVER:
        detail = "it was still played when the file was written; people bring matches that are over"
        raise ImportRefused("import.not_over", position.match, detail)
    found = Brought(document, position)
    if not found.begins_possibly:
        detail = "the position with which it begins cannot be one of its game"
        raise ImportRefused("import.impossible_position", position.match, detail)
    return found


def fork_of_file(one: Brought, version: int, *, same_cards: bool, seat: int) -> Fork:
    """Return a position of a file's match with which a fork begins. Folds the match: not on the event loop.

    Args:
        one: The match.
        version: The position; 0 for the last one at which somebody was to move.
        same_cards: Whether the cards to come are the match's.
        seat: If they are not: the seat whose unknown cards are dealt anew.

    Raises:
        Refused: There is no such position or seat, or nothing is played there.
    """
    at = version or one.last_to_play()
    position = one.at(at)
    if position is None:
        raise Refused("fork.no_such_position", "forks", version=at, last=one.position.version)
    seats = len(position.state.seats)
    if not 0 <= seat < seats:
        raise Refused("seat.unknown", "seats", seat=seat, seats=seats)
    return fork_at(position, same_cards=same_cards, seat=seat)


def _only(content: bytes) -> Document:
    found: Document | None = None
    for document in documents(within(lines_of(io.BytesIO(content)), LARGEST_UNPACKED)):
        if found is not None:
            raise ImportRefused("import.several", document.line.match, "the file has several matches in it")
        found = document
    if found is None:
        raise ImportRefused("export.malformed", "", "the file has no match in it")
    return found


class Imports:
    """Takes matches in that people bring."""

    def __init__(
        self, importer: Importer, imported: ImportedMatches, memberships: Memberships, names: PlayerNames
    ) -> None:
        self._importer: Final = importer
        self._imported: Final = imported
        self._memberships: Final = memberships
        self._names: Final = names

    async def take(self, person: str, one: Brought, now: Instant, most: int) -> Taken:
        """Take a match in for a person, or do nothing.

        Args:
            person: Who brings it.
            one: The match.
            now: When.
            most: How many matches a person may bring.

        Returns:
            ``IN``, or ``KNOWN`` if it was here already.

        Raises:
            ImportRefused: It is not taken in, with the reason.
            StoreUnavailable: The store or the archive did not answer; doing it again is harmless.
        """
        match = one.position.match
        if one.position.at > after(now, AHEAD):
            raise ImportRefused("import.in_future", match, f"it ended at {one.position.at}")
        if await self._compared(one) is not Taken.IN:
            if (await self._imported.since([match]))[0]:
                # They have all of it, and nobody of this house is in it: nothing new is shown to them.
                await self._imported.note(person, match, now)
            return Taken.KNOWN
        if await self._imported.count(person) >= most:
            raise ImportRefused("import.too_many" if most else "import.off", match, f"at most {most}")
        await self._require_strangers(one)
        # First the mark: a match that is here without it would pass for one of the house.
        is_first = await self._imported.mark(match, now)
        try:
            taken = await self._importer.take(one.document, one.position)
        except (ImportRefused, ArchiveDiffers) as error:
            if is_first:
                await self._imported.unmark(match)
            _refuse_other(match, error)
        await self._imported.note(person, match, now)
        return Taken.KNOWN if taken is Taken.RESTORED else taken

    async def _compared(self, one: Brought) -> Taken:
        """Compare with what is here under its id. Whoever has another file of it learns nothing of what is here."""
        try:
            return await self._importer.compare(one.document, over=True)
        except ImportRefused as error:
            _refuse_other(one.position.match, error)

    async def _require_strangers(self, one: Brought) -> None:
        """Make sure that a match names nobody who is known here: anybody could write a log with their ids in it."""
        players = sorted(_people_in(one.document))
        known = (*await self._memberships.persons_of(players), *await self._names.of(players))
        if any(known):
            detail = "it names players of matches that are played here"
            raise ImportRefused("import.known_players", one.position.match, detail)


def _refuse_other(match: str, error: Exception) -> NoReturn:
    raise ImportRefused("import.differs_here", match, "another history is here under this id") from error


def _people_in(document: Document) -> set[str]:
    """Return the ids by which a log names people, those who have left included."""
    found = set()
    for entry in document.entries:
        envelope = decode_envelope(entry.e)
        found.add(envelope.actor)
        # Cards and the like have no such fields: most events need not be looked into.
        if any(b'"%b":' % name.encode() in bytes(envelope.data) for name in _PEOPLE_IN):
            data = msgspec.json.decode(envelope.data)
            found.update(str(data[name]) for name in _PEOPLE_IN if isinstance(data.get(name), str))
    created = msgspec.json.decode(decode_envelope(document.entries[0].e).data)
    return {one for one in (*found, str(created["terms"]["host"])) if one}

"""One event of a match, looked at from all sides."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.chain import genesis, link
from domain.entries import Envelope, StoredEntry, decode_envelope
from domain.match.due import bots_to_act
from domain.match.fold import UNFOLDABLE, Position, beginning, positions
from domain.match.verification import Verdict, verify
from domain.sealing import Opening, sealed_fields
from services.audit.refused_commands import RefusedCommand, refused_between
from services.matches.bots import bot_command_id, bot_job_id
from services.watch.inspection.differences import Difference, differences
from services.watch.inspection.disclosure import Disclosure
from services.watch.inspection.rows import EventRow, milliseconds_between, row_of, rows_of


class SealedPart(msgspec.Struct, frozen=True):
    """A part of an event that is, or was, sealed.

    Attributes:
        field: Its path in the event's data: ``pile``, ``hands/2``.
        commitment: What stands in the log in its place, 64 hexadecimal digits.
        value: What was sealed, as JSON; empty while that does not lie open. Its length is not told either: names
            of cards differ in length.
        seats: The seats that may see it; only told with the value.
    """

    field: str
    commitment: str
    value: str = ""
    seats: tuple[int, ...] = ()


class Chained(msgspec.Struct, frozen=True):
    """What the chain says of one event.

    Attributes:
        previous: The hash in front of it, hexadecimal.
        computed: The hash that its bytes give behind that one.
        stored: The hash that is stored with it.
        verdict: What verifying the whole log comes to.
        version: The event's version.
    """

    previous: str
    computed: str
    stored: str
    verdict: Verdict
    version: int

    @property
    def good(self) -> bool:
        """Whether nothing is wrong with this event itself; one in front of it may be broken all the same."""
        return self.computed == self.stored and (
            self.verdict.good or self.verdict.bad_version != self.version
        )


class CausedJob(msgspec.Struct, frozen=True):
    """The job that plays the bots' turns behind a command.

    Attributes:
        id: The id that its first attempt has in the queue; later ones count on: ``-1``, ``-2``, every ten seconds.
        seat: The bot whose turn is the first.
        command: The id of the command that plays it, whoever does.
        first: Version of the first event of that command; None if it has not been played.
        last: Version of its last one.
        took: Milliseconds until then; None if it has not been played, or cannot be told.
        door: Through which door it came: ``bot`` for the job, ``clock`` if the clock had to play it.
        note: Why it was not the bot's own choice, if so.
    """

    id: str
    seat: int
    command: str
    first: int | None = None
    last: int | None = None
    took: int | None = None
    door: str = ""
    note: str = ""


class InspectedEvent(msgspec.Struct, frozen=True):
    """An event and what it did.

    Attributes:
        raw: The stored bytes of its envelope as text; what is not UTF-8 is replaced.
        pretty: The same as indented JSON; empty when it cannot be read.
        chained: What the chain says.
        before: The match in front of it, None before the first one, or if that cannot be folded.
        after: The match behind it; None if that cannot be folded.
        unfoldable: Why it cannot be, if so: the type of the error, for its text may hold what is sealed.
        changes: What it changes, as far as it lies open.
        job: The job that its command caused.
        refused: What was refused between the commands around it.
    """

    row: EventRow
    raw: str
    pretty: str
    sealed: tuple[SealedPart, ...]
    chained: Chained
    before: Position | None
    after: Position | None
    unfoldable: str
    changes: tuple[Difference, ...]
    job: CausedJob | None
    refused: tuple[RefusedCommand, ...]


def inspected(
    match: str,
    entries: Sequence[StoredEntry],
    version: int,
    disclosure: Disclosure,
    refused: Sequence[RefusedCommand],
) -> InspectedEvent:
    """Look at one event, which must be there, from all sides."""
    entry = entries[version - 1]
    row = row_of(entry, row_of(entries[version - 2]).at if version > 1 else "")
    folded = _folded(match, entries, row)
    after, end = folded.after, folded.end
    rows = tuple(rows_of(entries[version:]))
    return InspectedEvent(
        row=row,
        raw=entry.e.decode(errors="replace"),
        pretty=pretty(entry.e),
        sealed=sealed_parts(entry, disclosure),
        chained=_chained(match, entries, version, disclosure),
        before=folded.before,
        after=after,
        unfoldable=folded.unfoldable if after is None else "",
        changes=() if after is None else _changes(folded.before, after, disclosure),
        job=None if end is None else caused_job(end, row.door, rows),
        refused=_refused_around(refused, _in_front(entries, row), _behind(rows, row)),
    )


def _refused_around(
    refused: Sequence[RefusedCommand], before: EventRow | None, behind: EventRow | None
) -> tuple[RefusedCommand, ...]:
    since = None if before is None else before.at
    return refused_between(refused, since, None if behind is None else behind.at)


def pretty(stored: bytes) -> str:
    """Return stored JSON with line breaks and indentation; empty if it is none."""
    try:
        return msgspec.json.format(stored, indent=2).decode()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def sealed_parts(entry: StoredEntry, disclosure: Disclosure) -> tuple[SealedPart, ...]:
    """Return the sealed parts of an entry, with their values as far as these lie open."""
    try:
        envelope = decode_envelope(entry.e)
        commitments = sealed_fields(_data_of(envelope))
    except msgspec.DecodeError:
        return ()
    opened = _opened(entry, envelope, disclosure)
    return tuple(_part(field, commitment, opened.get(field)) for field, commitment in commitments.items())


def _opened(entry: StoredEntry, envelope: Envelope, disclosure: Disclosure) -> Mapping[str, Opening]:
    try:
        return {opening.field: opening for opening in disclosure.openings(entry, envelope.type)}
    except msgspec.DecodeError:
        return {}


def _part(field: str, commitment: str, opening: Opening | None) -> SealedPart:
    if opening is None:
        return SealedPart(field, commitment)
    return SealedPart(field, commitment, bytes(opening.value).decode(errors="replace"), opening.seats)


def _data_of(envelope: Envelope) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(envelope.data, type=dict[str, Any])
    return data


class _Folded(msgspec.Struct):
    before: Position | None = None
    after: Position | None = None
    end: Position | None = None
    unfoldable: str = ""


def _folded(match: str, entries: Sequence[StoredEntry], row: EventRow) -> _Folded:
    """Fold a log up to the end of an event's command, as far as that goes."""
    folded = _Folded()
    try:
        for position in positions(beginning(match), entries[: max(row.version, row.last)]):
            if position.version == row.version - 1:
                folded.before = position
            if position.version == row.version:
                folded.after = position
            if position.version == row.last:
                folded.end = position
    except UNFOLDABLE as error:
        folded.unfoldable = type(error).__name__
    return folded


def _changes(before: Position | None, after: Position, disclosure: Disclosure) -> tuple[Difference, ...]:
    # Both sides are seen with the eyes that the later one allows: else the difference would tell who looks.
    version = after.version
    return differences(
        None if before is None else disclosure.view(before, version), disclosure.view(after, version)
    )


def _chained(match: str, entries: Sequence[StoredEntry], version: int, disclosure: Disclosure) -> Chained:
    entry = entries[version - 1]
    previous = entries[version - 2].h if version > 1 else genesis(match)
    computed = link(previous, entry.e)
    verdict = disclosure.told(verify(match, entries, complete=True, rules=True))
    return Chained(previous.hex(), computed.hex(), entry.h.hex(), verdict, version)


def _in_front(entries: Sequence[StoredEntry], row: EventRow) -> EventRow | None:
    version = (row.first or row.version) - 1
    return row_of(entries[version - 1]) if 0 < version <= len(entries) else None


def _behind(later: Sequence[EventRow], row: EventRow) -> EventRow | None:
    return next((one for one in later if one.command != row.command), None)


def caused_job(position: Position, door: str, later: Sequence[EventRow]) -> CausedJob | None:
    """Return the job that a command caused; None if no bot had to move, or a bot's own job plays on.

    It is derived by the rule by which jobs are sent, for the queue forgets those that are done.
    """
    waiting = bots_to_act(position.state)
    if not waiting or door == "bot":
        return None
    seat = waiting[0]
    command = bot_command_id(position.match, position.state.asked_at[seat], seat)
    played = next((row for row in later if row.command == command), None)
    job = bot_job_id(command, 0)
    if played is None:
        return CausedJob(job, seat, command)
    took = milliseconds_between(position.at, played.at)
    return CausedJob(job, seat, command, played.first, played.last, took, played.door, played.note)

"""A match's row: what lists and searches show. Nothing in it was ever sealed."""

import base64
import zlib
from typing import Final, Literal

import msgspec

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from domain.match.due import due_of
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.state import OVER, Match, Seat, bot_player
from services.projections.feats import Feat, feats_in, flat
from services.projections.owed import Owed, owed_of

NAME: Final = "matches"
"""The projection's name in keys, commands and pages."""

LAYOUT: Final = 7
"""The number of the rows' layout. A new number means a new set of rows, built from the log."""

State = Literal["gathering", "playing", "finished", "abandoned"]
STATES: Final[tuple[State, ...]] = ("gathering", "playing", "finished", "abandoned")

ENDED: Final = "ended"
"""Matches that are over, by the instant of their last event, in milliseconds."""

OPEN: Final = "open"
"""The same for all others. Who looks for the one kind never passes the other, however many there are."""

BUCKETS: Final = 256
"""Sorted sets per shard that index matches by player. Many small ones take a fraction of the memory of a large one."""

SHARED: Final = 0
"""The score of a match in a bucket that several of its players have in common; see :func:`place_of_player`."""

_PLACES: Final = 4095
"""Scores up to here take two bytes."""

INDEXES: Final = (OPEN, ENDED, *(f"by{number}" for number in range(BUCKETS)))
"""The names of all indexes: sorted sets of matches."""

_MARK_BYTES: Final = 6

STOOD_IN: Final = 1
"""A bot moved for the person on a seat."""

RESIGNED: Final = 2
"""The person on a seat gave up."""

_FREE: Final = 0
_BOT: Final = 1


class RowPlayer(msgspec.Struct, frozen=True):
    """A seat in a list.

    Attributes:
        seat: Its number, from 0.
        kind: Who holds it: a person, a bot or nobody. A program that somebody brought is a bot.
        player: The opaque id of the person or bot; empty for nobody.
    """

    seat: int
    kind: Literal["person", "bot", "empty"]
    player: str


class MatchRow(msgspec.Struct, frozen=True):
    """A match in a list.

    Attributes:
        match: Its id.
        game: The game's key.
        rules: The rules number.
        state: Its state.
        version: The number of its events.
        made_at: When the table was made.
        changed_at: When the last event was accepted.
        players: The seats in their order around the table.
        asked: The seats that owe a move.
        due: When it next needs somebody, in milliseconds since the epoch; None if it does not.
        round: The round, from 1; None before the first.
        archived: Whether its events have left the store for the archive.
        private: Whether only people at the table may see it.
    """

    match: str
    game: str
    rules: int
    state: State
    version: int
    made_at: Instant
    changed_at: Instant
    players: tuple[RowPlayer, ...]
    asked: tuple[int, ...]
    due: int | None
    round: int | None
    archived: bool
    private: bool


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """The beginning of every row: which log it was made from, up to which version.

    Attributes:
        version: The match's version.
        head: The beginning of its chain hash there: eight characters that tell it from another history.
    """

    version: int
    head: str


class KeptRow(Stamp, frozen=True, array_like=True):
    """A row as it is stored: a short array, because there may be a million.

    Attributes:
        changed_at: The instant of the last event, in milliseconds.
        lasted: Milliseconds from the first event to the last one.
        game: The game's key.
        rules: The rules number.
        state: Its number in :data:`STATES`.
        private: 1 if only people at the table may see it, else 0.
        seats: By seat, a person's id, 1 for a bot, 0 for nobody.
        round: The round; 0 before the first.
        totals: Points by seat so far; empty before the start.
        ranking: Once finished: seats from first place to last, those that share a place in one group.
        marks: By seat, what sets its result apart: :data:`STOOD_IN`, :data:`RESIGNED`, or 0; empty for none.
        friendly: 1 if the result shall not count, else 0.
        numbers: Once over: what of it may be a record (see :func:`services.projections.feats.flat`).
        asked: The seats that owe a move.
        due: When the match next needs somebody, in milliseconds.
        owed: What it waits for from people.
        programs: The seats of programs that people brought.
    """

    changed_at: int
    lasted: int
    game: str
    rules: int
    state: int
    private: int
    seats: tuple[str | int, ...]
    round: int
    totals: tuple[int, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    marks: tuple[int, ...] = ()
    friendly: int = 0
    numbers: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    due: int | None = None
    owed: tuple[Owed, ...] = ()
    programs: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return STATES[self.state] in OVER

    @property
    def feats(self) -> tuple[Feat, ...]:
        """Once over: what of it may be a record."""
        return feats_in(self.numbers)

    @property
    def made_at(self) -> Instant:
        """When the first event was accepted."""
        return instant_from_milliseconds(self.changed_at - self.lasted)


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(KeptRow)
_STAMPS: Final = msgspec.json.Decoder(Stamp)


def row_of(position: Position, made_at: Instant, feats: tuple[Feat, ...] = ()) -> bytes:
    """Return a match's row as it is stored. Pure.

    Args:
        position: The match at its head.
        made_at: When its first event was accepted.
        feats: Once it is over, what :func:`services.projections.feats.feats_of` says.

    Raises:
        ValueError: The match has no event, or a phase that no list knows.
    """
    state = position.state
    if state.terms is None:
        raise ValueError(f"{position.match} has no event yet")
    changed_at = milliseconds_of(position.at)
    kept = KeptRow(
        position.version,
        head_mark(position.head),
        changed_at,
        changed_at - milliseconds_of(made_at),
        state.terms.game,
        state.terms.rules,
        STATES.index(_phase(state)),
        int(state.terms.visibility == "private"),
        tuple(_held(number, seat) for number, seat in enumerate(state.seats)),
        _round(state),
        _totals(state),
        state.lifecycle.ranking,
        _marks(state),
        int(state.terms.friendly),
        flat(feats),
        seats_to_act(state),
        due_of(position),
        owed_of(position),
        tuple(number for number, seat in enumerate(state.seats) if seat.program),
    )
    values = msgspec.structs.astuple(kept)
    # Most matches are over, and many never began: what is empty at the end is left out.
    for empty in reversed(KeptRow.__struct_defaults__):
        if values[-1] != empty:
            break
        values = values[:-1]
    return _ENCODER.encode(values)


def marks_of(row: bytes) -> dict[str, int]:
    """Return a row's score in each index that lists it. Pure."""
    kept = read_row(row)
    marks = {ENDED if kept.is_over else OPEN: kept.changed_at}
    for bucket, score in (place_of_player(held) for held in kept.seats if isinstance(held, str)):
        marks[bucket] = score if marks.get(bucket, score) == score else SHARED
    return marks


def stamp_of(row: bytes) -> Stamp:
    """Return a row's stamp.

    Raises:
        msgspec.DecodeError: It has no stamp.
    """
    return _STAMPS.decode(row)


def head_mark(head: bytes) -> str:
    """Return the part of a chain hash that a row keeps."""
    return base64.urlsafe_b64encode(head[:_MARK_BYTES]).decode()


def place_of_player(player: str) -> tuple[str, int]:
    """Return the index that holds a player's matches, and their score in it, which few others share."""
    rest, bucket = divmod(zlib.crc32(player.encode()), BUCKETS)
    return f"by{bucket}", 1 + rest % _PLACES


def read_row(row: bytes) -> KeptRow:
    """Read a row.

    Raises:
        msgspec.DecodeError: It is not a row.
    """
    return _DECODER.decode(row)


def match_row(match: str, kept: KeptRow, *, archived: bool) -> MatchRow:
    """Return a row as it is shown."""
    return MatchRow(
        match,
        kept.game,
        kept.rules,
        STATES[kept.state],
        kept.version,
        kept.made_at,
        instant_from_milliseconds(kept.changed_at),
        players_of(kept),
        kept.asked,
        kept.due,
        kept.round or None,
        archived,
        bool(kept.private),
    )


def players_of(kept: KeptRow) -> tuple[RowPlayer, ...]:
    """Return who sits where."""
    return tuple(_player(number, held, kept.programs) for number, held in enumerate(kept.seats))


def _phase(state: Match) -> State:
    phase = state.lifecycle.phase
    for known in STATES:
        if phase == known:
            return known
    raise ValueError(f"no list knows the phase {phase!r}")


def _round(state: Match) -> int:
    """Return the round; 0 before the first. Every game's state counts it."""
    number = getattr(state.game, "round", 0)
    return number if isinstance(number, int) else 0


def _totals(state: Match) -> tuple[int, ...]:
    """Return the points by seat; empty before the start. Every game's state counts them."""
    totals = state.lifecycle.totals or getattr(state.game, "totals", ())
    return totals if isinstance(totals, tuple) else ()


def _marks(state: Match) -> tuple[int, ...]:
    marks = tuple(map(_mark, state.seats))
    return marks if any(marks) else ()


def _mark(seat: Seat) -> int:
    if seat.resigned:
        # A bot plays on for them, but their place is settled: giving up must not undo a defeat.
        return RESIGNED
    return STOOD_IN if seat.kind == "person" and (seat.stood_in or seat.stand_in) else 0


def _held(number: int, seat: Seat) -> str | int:
    """Return who holds a seat, as it is stored; usual bots and empty seats are numbers, to save room."""
    if seat.kind == "open":
        return _FREE
    return _BOT if seat.kind == "bot" and seat.player == bot_player(number) else seat.player


def _player(number: int, held: str | int, programs: tuple[int, ...]) -> RowPlayer:
    if isinstance(held, str):
        return RowPlayer(number, "bot" if number in programs else "person", held)
    return RowPlayer(number, "bot", bot_player(number)) if held == _BOT else RowPlayer(number, "empty", "")

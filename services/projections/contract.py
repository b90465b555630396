"""What a projection is: a pure reading of a match, kept as a row and found by indexes."""

import base64
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import msgspec

from domain.instants import Instant
from domain.match.fold import Position

_MARK_BYTES: Final = 6


class Projection(Protocol):
    """One reading of every match.

    Attributes:
        name: Its name in keys.
        layout: The number of its rows' layout: another one is another set of rows, built anew.
    """

    @property
    def name(self) -> str:
        """Its name in keys: letters and digits."""

    @property
    def layout(self) -> int:
        """The number of its rows' layout: rows of another layout are other rows, built anew."""

    def row(self, position: Position, made_at: Instant) -> bytes:
        """Return a match's row, a JSON array that begins with its :class:`Stamp`. Pure.

        Args:
            position: The match at its head.
            made_at: When its first event was accepted.

        Raises:
            ValueError: The match cannot be taken.
        """

    def made_at(self, row: bytes) -> Instant:
        """Return when the first event of a row's match was accepted, as :meth:`row` was told. Pure.

        Raises:
            msgspec.DecodeError: It is no row.
        """

    def marks(self, match: str, row: bytes) -> Mapping[str, int]:
        """Return where a row stands in the indexes: by index, the score. Pure."""

    def indexes(self) -> Sequence[str]:
        """Return the names of all indexes: sorted sets of matches."""


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """The beginning of every row: from which log it was read, and how far.

    Attributes:
        version: The match's version.
        head: The beginning of its chain hash there: eight letters that another history does not have.
    """

    version: int
    head: str


class Taking(msgspec.Struct, frozen=True):
    """What shall be written of one match.

    Attributes:
        match: Its id.
        expected: The version of the row that stands there now; 0 for none.
        row: The new row; empty leaves the old one.
        scores: Its places in the indexes.
        leaves: Indexes in which it stands no longer.
        parked: Why it cannot be taken, as JSON; empty when it can.
    """

    match: str
    expected: int
    row: bytes = b""
    scores: Mapping[str, int] = {}
    leaves: tuple[str, ...] = ()
    parked: bytes = b""


class Failure(msgspec.Struct, frozen=True):
    """Why a match could not be taken.

    Attributes:
        version: The version of the event behind which it failed.
        reason: What was wrong.
        since: Since when.
    """

    version: int
    reason: str
    since: Instant


_STAMPS: Final = msgspec.json.Decoder(Stamp)


def stamp_of(row: bytes) -> Stamp:
    """Return a row's stamp.

    Raises:
        msgspec.DecodeError: It has none.
    """
    return _STAMPS.decode(row)


def head_mark(head: bytes) -> str:
    """Return what a row keeps of a chain hash."""
    return base64.urlsafe_b64encode(head[:_MARK_BYTES]).decode()

"""Answers made from whole long logs, kept over restarts as positions are: as bytes that count for one head."""

from typing import Any, Final, Generic, TypeVar

import msgspec

from domain.match.fold import Position
from services.log.kept_files import KeptFiles
from services.matches.kept_positions import FIRST

T = TypeVar("T")

_ENCODER: Final = msgspec.msgpack.Encoder()


class KeptAnswer(Generic[T]):
    """One kind of answer about a match as it stands.

    The latest of each name is kept. It counts for the very version and head that it was made of.
    """

    def __init__(self, position: Position, name: str, kind: Any) -> None:
        """Take the match at its head, the name of the kind, and the answer's type."""
        self._match: Final = position.match
        self._made_of: Final = position.version, position.head
        self._name: Final = name
        self._decoder: Final[msgspec.msgpack.Decoder[tuple[int, bytes, T]]] = msgspec.msgpack.Decoder(
            tuple[int, bytes, kind]
        )

    def read(self, files: KeptFiles) -> T | None:
        """Return what is kept; None if that is nothing, or of another version."""
        if self._made_of[0] < FIRST:
            return None
        content = files.read(self._match, self._name)
        try:
            version, head, found = self._decoder.decode(content or b"")
        except msgspec.DecodeError:
            return None
        return found if (version, head) == self._made_of else None

    def write(self, files: KeptFiles, answer: T) -> None:
        """Keep an answer, if the match is so long that this saves time."""
        if self._made_of[0] >= FIRST:
            files.write(self._match, self._name, _ENCODER.encode((*self._made_of, answer)))

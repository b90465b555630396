"""Records of a club as they are answered."""

import msgspec

from domain.instants import Instant


class RecordShown(msgspec.Struct, frozen=True):
    """A record, or one of those behind it.

    Attributes:
        record: What it is of: `rounds`, `time` (in seconds), `margin`, or one of the game's questions.
        title: The same, in your language.
        rank: Its rank, from 1; those that are level share it.
        value: Its number.
        text: Its number as people read it.
        member: Whose it is, by their id in the club; empty for the whole table's, and for somebody who has left it.
        name: What they are called; empty for the whole table's.
        match: In which match it was set.
        version: Where in the match it is; null for the match as a whole.
        ended: When the match ended.
    """

    record: str
    title: str
    rank: int
    value: int
    text: str
    member: str
    name: str
    match: str
    version: int | None
    ended: Instant

    @property
    def address(self) -> str:
        """Where it can be looked at."""
        return f"/m/{self.match}/replay?at={self.version}" if self.version else f"/m/{self.match}"

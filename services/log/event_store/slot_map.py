"""Which node of a cluster has which slots, as a node tells it."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

Place = tuple[str, int]
"""Host and port of a node."""


class Range(NamedTuple):
    """Slots that lie side by side and have one primary."""

    first: int
    last: int
    primary: Place


class SlotMap(NamedTuple):
    """All slots that have a primary.

    Attributes:
        ranges: By their first slot.
        nodes: All nodes that are named, replicas among them.
    """

    ranges: tuple[Range, ...]
    nodes: frozenset[Place]

    @classmethod
    def of_reply(cls, reply: Sequence[Any], asked: Place) -> Self:
        """Read a node's reply to ``CLUSTER SLOTS``.

        Args:
            reply: The reply.
            asked: The node. One that does not know its own host leaves it out.
        """
        ranges, nodes = list[Range](), set[Place]()
        for first, last, *served in reply:
            places = [_place(node, asked) for node in served]
            ranges.append(Range(int(first), int(last), places[0]))
            nodes.update(places)
        return cls(tuple(sorted(ranges)), frozenset(nodes))

    @property
    def primaries(self) -> tuple[Place, ...]:
        """The nodes that have slots, in order."""
        return tuple(sorted({one.primary for one in self.ranges}))

    def primary_of(self, slot: int) -> Place | None:
        """Return the primary that has a slot; None if nobody has it."""
        at = bisect_right(self.ranges, slot, key=lambda one: one.first) - 1
        if at < 0 or slot > self.ranges[at].last:
            return None
        return self.ranges[at].primary


def _place(node: Sequence[Any], asked: Place) -> Place:
    host, port = node[0], int(node[1])
    written = host.decode() if isinstance(host, bytes) else str(host or "")
    return (written if written not in {"", "?"} else asked[0]), port

"""The description of one metric."""

from typing import Literal

import msgspec


class Measure(msgspec.Struct, frozen=True):
    """Something that is counted or read.

    Attributes:
        name: Its name, ending in its unit: ``_total`` for what only grows, ``_seconds``, ``_bytes``.
        kind: ``counter`` only grows, ``gauge`` is read, ``histogram`` counts durations by length.
        labels: The names of its labels. Never a match, a player, or anything that a client may choose: their number
            must stay small, and they must give no secret away.
        buckets: For a histogram: the upper bounds, in seconds.
    """

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

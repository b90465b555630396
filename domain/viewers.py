"""Viewers: who looks at a match, and so which sealed parts they may open."""

import msgspec


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a match.

    Attributes:
        seat: The seat they look from; None for a spectator.
        everything: Whether nothing is hidden: the match is over, or the viewer is the server itself.
    """

    seat: int | None = None
    everything: bool = False


SPECTATOR = Viewer()
"""Sees only what lies open on the table."""

EVERYTHING = Viewer(everything=True)
"""Sees all cards. Only for ended matches and inside the server."""


def seat_viewer(seat: int) -> Viewer:
    """Return the viewer who looks from a seat."""
    return Viewer(seat)

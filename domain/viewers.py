"""Viewers: for whom something is shown, and what the sealed parts have to do with it."""

import msgspec


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a match.

    Attributes:
        seat: The seat whose eyes are used; None for a spectator.
        everything: Whether nothing is hidden: the match is over, or the viewer is the server itself.
    """

    seat: int | None = None
    everything: bool = False


SPECTATOR = Viewer()
"""Sees what lies open on the table, nothing more."""

EVERYTHING = Viewer(everything=True)
"""Sees all cards. Only for ended matches, and inside the server."""


def seat_viewer(seat: int) -> Viewer:
    """Return the viewer who sits on a seat."""
    return Viewer(seat)

"""All projections of this release."""

from collections.abc import Mapping
from typing import Final

from services.projections.contract import Projection
from services.projections.errors import NoSuchProjection
from services.projections.matches import MATCHES

PROJECTIONS: Final[Mapping[str, Projection]] = {MATCHES.name: MATCHES}


def projection_named(name: str) -> Projection:
    """Return a projection.

    Raises:
        NoSuchProjection: There is none with this name.
    """
    if name not in PROJECTIONS:
        raise NoSuchProjection(f"There is no projection {name}; there are: {', '.join(PROJECTIONS)}.")
    return PROJECTIONS[name]

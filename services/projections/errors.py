"""Errors of projections.

::

    TableeError
    ├── SetReplaced         the rows that were being written have been given up for others
    ├── AlreadyRebuilding   somebody rebuilds this projection now
    └── NoSuchProjection    there is none with this name
"""

from domain.errors import TableeError


class SetReplaced(TableeError):
    """Other rows have taken the place of those that were being written, or somebody else writes them."""

    code = "projection.set_replaced"


class AlreadyRebuilding(TableeError):
    """Somebody rebuilds this projection now."""

    code = "projection.rebuilding"


class NoSuchProjection(TableeError):
    """There is no projection with this name."""

    code = "projection.unknown"

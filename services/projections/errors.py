"""Errors of projections."""

from domain.errors import TableeError


class SetReplaced(TableeError):
    """Other rows have taken the place of those that were being written, or somebody else writes them."""

    code = "projection.set_replaced"


class AlreadyRebuilding(TableeError):
    """Another rebuild of this projection is under way."""

    code = "projection.rebuilding"

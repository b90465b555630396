"""Errors of projections."""

from domain.errors import TableeError


class SetReplaced(TableeError):
    """Another set of rows has replaced the one being written, or somebody else writes it."""

    code = "projection.set_replaced"


class AlreadyRebuilding(TableeError):
    """Another rebuild of this projection is under way."""

    code = "projection.rebuilding"

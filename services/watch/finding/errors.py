"""Errors of finding."""

from domain.errors import TableeError


class BadExpression(TableeError):
    """An expression is none, or names what there is not."""

    code = "find.bad_expression"

"""Errors of finding.

::

    TableeError
    └── BadExpression   what was asked for cannot be evaluated, whatever the log says
"""

from domain.errors import TableeError


class BadExpression(TableeError):
    """An expression is none, or names what there is not."""

    code = "find.bad_expression"

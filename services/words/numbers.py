"""Numbers as people read them."""

from babel.numbers import format_decimal


def decimal(value: float, language: str) -> str:
    """Return a number with two digits at most behind the point, or behind the comma where one is written."""
    return str(format_decimal(value, "#,##0.##", locale=language))

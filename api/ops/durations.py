"""How long it was from one event to the next, in few letters."""

from typing import Final

_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


def lapse(milliseconds: int | None, language: str) -> str:
    """Return a duration in its two largest units: ``12 ms``, ``3.4 s``, ``2 min 5 s``, ``3 d 4 h``; empty for None.

    Args:
        milliseconds: How long; below zero when the later instant is the earlier one, which only an altered log says.
        language: The language.
    """
    if milliseconds is None:
        return ""
    sign, length = ("-", -milliseconds) if milliseconds < 0 else ("", milliseconds)
    if length < _SECOND:
        return f"{sign}{length} ms"
    if length < _MINUTE:
        said = f"{length / _SECOND:.1f} s"
        return sign + (said.replace(".", ",") if language == "fr" else said)
    if length < _HOUR:
        return sign + _two(length, _MINUTE, "min", _SECOND, "s")
    if length < _DAY:
        return sign + _two(length, _HOUR, "h", _MINUTE, "min")
    return sign + _two(length, _DAY, "j" if language == "fr" else "d", _HOUR, "h")


def _two(length: int, large: int, large_name: str, small: int, small_name: str) -> str:
    rest = length % large // small
    return f"{length // large} {large_name}" + (f" {rest} {small_name}" if rest else "")

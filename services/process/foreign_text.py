"""Text that somebody else has written, made safe to show.

Logs, names, answers and files may hold characters that command a terminal, turn the direction of writing, or begin a
line of their own. Whatever prints such text shows them as escapes, as JSON writes them: the meaning of JSON stays.
"""

import re
from typing import Final

_BREAKS: Final = "\t\n\r"
_CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_UNSEEN: Final = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
"""All that formats and is not seen itself: of the categories Cf, Cs, Zl and Zp."""

_UNSAFE: Final = re.compile(f"[{_BREAKS}{_CONTROLS}{_UNSEEN}]")
_UNSAFE_IN_LINES: Final = re.compile(f"[{_CONTROLS}{_UNSEEN}]")


def visible(text: str) -> str:
    r"""Return a text on one line in which every character is seen: U+202E as ``\u202e``."""
    return _UNSAFE.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Return the same of a text that may have several lines, and tabs."""
    return _UNSAFE_IN_LINES.sub(_escape, text)


def is_safe(text: str) -> bool:
    """Tell whether a text of one line can be shown as it is."""
    return _UNSAFE.search(text) is None


def are_safe_lines(text: str) -> bool:
    """Tell the same of a text that may have several lines."""
    return _UNSAFE_IN_LINES.search(text) is None


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))

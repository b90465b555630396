"""How ids look: what stands in an address or a header goes no further unless it could be one."""

import re
from typing import Final

_MATCH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
_COMMAND: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}").fullmatch


def is_match_id(text: str) -> bool:
    """Tell whether a text can be a match's id."""
    return _MATCH(text) is not None


def is_command_id(text: str) -> bool:
    """Tell whether a text can be a command's id."""
    return _COMMAND(text) is not None

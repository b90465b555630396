"""What command ids look like. Nothing else from a header or a form goes any further."""

import re
from typing import Final

_COMMAND: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}").fullmatch


def is_command_id(text: str) -> bool:
    """Tell whether a text can be a command's id."""
    return _COMMAND(text) is not None

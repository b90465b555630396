"""Small files that are replaced whole or not at all, readable by their owner only."""

import os
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Give a file another content.

    Raises:
        OSError: It cannot be written; the old one is still there.
    """
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise

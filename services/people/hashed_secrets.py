"""The secrets that tokens, sessions and links are: their holders have them, and the store only has their hashes.

Whoever reads the store, or a backup of it, can therefore use none of them. A hash needs neither salt nor slowness:
nobody guesses 256 bits.
"""

import hashlib
import re
import secrets
from typing import Final

is_secret: Final = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch
"""Whether a text may be a secret of ours at all; others are not worth a question to the store."""


def new_secret() -> str:
    """Return 256 bits that nobody has had before, for an address or a cookie."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return what stands for a secret in the store."""
    return hashlib.sha256(secret.encode()).hexdigest()

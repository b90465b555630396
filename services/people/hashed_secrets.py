"""The secrets behind tokens, sessions and links. Only their holders have them; the store has their hashes.

Reading the store, or a backup, therefore lets nobody use one. The hash needs no salt and need not be slow: nobody
guesses 256 bits.
"""

import hashlib
import re
import secrets
from typing import Final

is_secret: Final = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch
"""Whether a text can be a secret of ours; the store is not asked about others."""


def new_secret() -> str:
    """Return 256 random bits as text that fits into an address or a cookie."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return the hash that the store keeps of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()

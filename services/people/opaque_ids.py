"""Opaque ids, written like those of matches and players."""

import base64
import secrets


def new_id(kind: str) -> str:
    """Return an id that nobody has: a letter for its kind, and 100 bits."""
    return kind + base64.b32encode(secrets.token_bytes(20))[:20].decode().lower()

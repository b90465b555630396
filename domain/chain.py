"""The hash chain over public envelopes.

``h(0) = SHA-256("tablee/1 " || match id)``; ``h(n) = SHA-256(h(n-1) || the stored bytes of e(n))``. Only the
public part of an entry is hashed, so a redacted export still verifies and a head tells nothing.
"""

import hashlib


def genesis(match_id: str) -> bytes:
    """Return h(0), 32 bytes, of a match that has no event yet."""
    return hashlib.sha256(b"tablee/1 " + match_id.encode()).digest()


def link(previous: bytes, envelope: bytes) -> bytes:
    """Return h(n) from h(n-1) and the stored bytes of e(n)."""
    return hashlib.sha256(previous + envelope).digest()

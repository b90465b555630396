"""The hash chain over public envelopes.

``h(0) = SHA-256("tablee/1 " || match id)``; ``h(n) = SHA-256(h(n-1) || the stored bytes of e(n))``. Only the
public part of an entry is hashed, so a redacted export still verifies and a head gives nothing away.
"""

from collections.abc import Iterable
from hashlib import sha256

from domain.entries import StoredEntry
from domain.errors import BrokenLog


def genesis(match_id: str) -> bytes:
    """Return a match's h(0), 32 bytes: the chain before its first event."""
    return sha256(b"tablee/1 " + match_id.encode()).digest()


def link(previous: bytes, envelope: bytes) -> bytes:
    """Return h(n) from h(n-1) and the stored bytes of e(n)."""
    return sha256(previous + envelope).digest()


def next_head(head: bytes, stored: StoredEntry, version: int) -> bytes:
    """Return the head after a stored entry.

    Raises:
        BrokenLog: The entry's hash does not follow from the head.
    """
    found = link(head, stored.e)
    if found != stored.h:
        detail = f"its bytes hash to {found.hex()}, but {stored.h.hex()} is stored"
        raise BrokenLog("log.chain_broken", version, detail)
    return found


def follow_chain(head: bytes, entries: Iterable[StoredEntry], version: int = 0) -> bytes:
    """Return the head after entries that follow on a version.

    Raises:
        BrokenLog: An entry's hash does not follow from the one before it; names the first.
    """
    for stored in entries:
        version += 1
        # Repeats next_head without its calls, because every event that is read passes here.
        if sha256(head + stored.e).digest() != stored.h:
            next_head(head, stored, version)
        head = stored.h
    return head

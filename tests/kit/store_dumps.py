"""All that a store holds, kept and put back."""

from typing import Any

Dump = dict[bytes, bytes]
"""Values as the server serialises them, by key."""


def dumped(store: Any) -> Dump:
    return {key: store.dump(key) for key in store.keys("*")}


def put_back(store: Any, kept: Dump) -> None:
    """Make a store hold what it held, and nothing else."""
    store.flushdb()
    for key, value in kept.items():
        store.restore(key, 0, value)

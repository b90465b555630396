"""Texts as the log's server returns them: bytes, or nothing."""

from collections.abc import Mapping


def text_of(stored: object) -> str:
    """Return a stored text; empty for nothing."""
    return stored.decode() if isinstance(stored, bytes) else str(stored or "")


def fields_of(stored: Mapping[bytes | str, bytes | str]) -> dict[str, str]:
    """Return a Redis hash of texts."""
    return {text_of(name): text_of(value) for name, value in stored.items()}

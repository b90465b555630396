"""Errors of proofs and digests."""

from domain.errors import Malformed
from services.errors import NoSuchMatch


class DigestUnreadable(Malformed):
    """A file is no digest, or not a whole one."""

    def __init__(self, detail: str) -> None:
        """Explain."""
        super().__init__("digest.unreadable", detail)


class NoSuchDigest(NoSuchMatch):
    """There is no digest with this number (yet)."""

    code = "digest.unknown"

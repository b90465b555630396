"""The tokens in the forms of pages, without which other sites cannot post in a session's name. Nothing is stored."""

import hmac


class FormTokens:
    """Makes the form tokens of sessions, and recognises them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of(self, session: str) -> str:
        """Return the token in a session's forms."""
        return hmac.digest(self._secret, f"tablee form\n{session}".encode(), "sha256").hex()

    def fits(self, session: str, given: str) -> bool:
        """Tell whether a form comes from a page of this session."""
        return hmac.compare_digest(self.of(session).encode(), given.encode())

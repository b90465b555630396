"""As whom browsers keep passkeys: for the host name of a page, never for an address in numbers."""

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

import msgspec

_HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*").fullmatch
_THIS_MACHINE: Final = "localhost"
"""The one name that browsers trust without HTTPS."""


class RelyingParty(msgspec.Struct, frozen=True):
    """The side that takes passkeys, as WebAuthn calls it.

    Attributes:
        id: The host name for which a device keeps a passkey.
        origin: Where pages come from that may ask for it, such as ``https://cards.example.org``.
    """

    id: str
    origin: str


def relying_party(origin: str) -> RelyingParty | None:
    """Return as whom pages of an origin may ask for passkeys; None where browsers let no page ask."""
    try:
        parts = urlsplit(origin)
        name = parts.hostname or ""
    except ValueError:
        return None
    if not _HOST_NAME(name) or _is_number(name):
        return None
    if parts.scheme != "https" and name != _THIS_MACHINE:
        return None
    return RelyingParty(name, origin)


def _is_number(name: str) -> bool:
    if name.rpartition(".")[2].isdigit():
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

"""As whom a request may ask for passkeys."""

from api.parts import Http
from api.requests.addresses import is_secure
from domain.errors import Refused
from services.people.passkeys.relying_party import RelyingParty, relying_party


def possible_party(request: Http) -> RelyingParty | None:
    """Return as whom pages at the address of a request may ask for passkeys; None where browsers let none ask."""
    scheme = "https" if is_secure(request) else "http"
    return relying_party(f"{scheme}://{request.headers.get('host', '').lower()}")


def party_of(request: Http) -> RelyingParty:
    """Return as whom a request asks for passkeys.

    Raises:
        Refused: Browsers keep none for this address (``passkey.not_here``).
    """
    party = possible_party(request)
    if party is None:
        raise Refused("passkey.not_here", "passkeys")
    return party

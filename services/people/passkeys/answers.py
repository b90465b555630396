"""What a device answers, read and checked by ``webauthn``; nothing here is stored.

The package is loaded with the first passkey: most processes never need it, and it takes a sixth of a second.
"""

import base64
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from domain.errors import Refused
from services.people.passkeys.kept import Passkey
from services.people.passkeys.relying_party import RelyingParty

if TYPE_CHECKING:
    from webauthn.registration.verify_registration_response import VerifiedRegistration

HOUSE: Final = "Tablée"

_LONGEST_ID: Final = 1023
"""Bytes, by the standard."""

_LONGEST_KEY: Final = 4096

T = TypeVar("T")


class Owner(NamedTuple):
    """Whose passkey a device is asked to make.

    Attributes:
        handle: What the device remembers them by; it tells nobody who they are.
        name: What the device shows.
    """

    handle: bytes
    name: str


class Claim(NamedTuple):
    """What an answer says of itself, before anything of it is believed.

    Attributes:
        credential: What the device calls the passkey, in base64url.
        challenge: Which challenge it answers.
        handle: By what the device remembers the owner, in base64url; empty if it does not say.
    """

    credential: str
    challenge: bytes
    handle: str


def written(content: bytes) -> str:
    """Return bytes as answers hold them: base64url without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def creation_options(
    party: RelyingParty, owner: Owner, challenge: bytes, present: Sequence[Passkey], seconds: int
) -> str:
    """Return as JSON what a page hands to ``navigator.credentials.create``; a device makes one for each person."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AttestationConveyancePreference,
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=party.id,
        rp_name=HOUSE,
        user_id=owner.handle,
        user_name=owner.name or HOUSE,
        challenge=challenge,
        timeout=seconds * 1000,
        # Nobody needs to know which make of device somebody has.
        attestation=AttestationConveyancePreference.NONE,
        # Kept on the device with its owner, so that whoever comes back types no name.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.credential)) for one in present
        ],
    )
    return options_to_json(options)


def request_options(party: RelyingParty, challenge: bytes, seconds: int) -> str:
    """Return as JSON what a page hands to ``navigator.credentials.get``; the device knows who its owners are."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=seconds * 1000,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


def claim_of_new(given: str) -> Claim:
    """Return what the answer of a device that has made a passkey says of itself.

    Raises:
        Refused: It cannot be read (``passkey.unverified``).
    """
    from webauthn.helpers import parse_client_data_json, parse_registration_credential_json

    def read() -> Claim:
        answer = parse_registration_credential_json(given)
        return Claim(answer.id, parse_client_data_json(answer.response.client_data_json).challenge, "")

    return _checked(read)


def claim_of(given: str) -> Claim:
    """Return what the answer of a device whose owner comes back says of itself.

    Raises:
        Refused: It cannot be read (``passkey.unverified``).
    """
    from webauthn.helpers import parse_authentication_credential_json, parse_client_data_json

    def read() -> Claim:
        answer = parse_authentication_credential_json(given)
        handle = answer.response.user_handle
        challenge = parse_client_data_json(answer.response.client_data_json).challenge
        return Claim(answer.id, challenge, written(handle) if handle else "")

    return _checked(read)


def new_passkey(given: str, party: RelyingParty, challenge: bytes) -> tuple[str, str, int]:
    """Return what a device calls its new passkey, its public key, both in base64url, and its count.

    Raises:
        Refused: The answer does not prove it (``passkey.unverified``).
    """
    from webauthn import verify_registration_response

    def verified() -> "VerifiedRegistration":
        answer = verify_registration_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
        if len(answer.credential_id) > _LONGEST_ID or len(answer.credential_public_key) > _LONGEST_KEY:
            raise ValueError("too long")
        return answer

    answer = _checked(verified)
    named, key = answer.credential_id, answer.credential_public_key
    return written(named), written(key), answer.sign_count


def count_of_use(given: str, passkey: Passkey, party: RelyingParty, challenge: bytes) -> int:
    """Return how often a device says that it has signed, once its signature is proved.

    Whether the count goes on from the last one is for the caller to see.

    Raises:
        Refused: The answer does not prove it (``passkey.unverified``).
    """
    from webauthn import base64url_to_bytes, verify_authentication_response

    def verified() -> int:
        answer = verify_authentication_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            # The package refuses a count that went back as it refuses a wrong signature; we tell them apart.
            credential_current_sign_count=0,
        )
        return answer.new_sign_count

    return _checked(verified)


def _checked(read: Callable[[], T]) -> T:
    try:
        return read()
    except Exception as error:
        # Strangers' bytes, read by several packages: whatever they make of them, it is no proof.
        raise Refused("passkey.unverified", "passkeys") from error

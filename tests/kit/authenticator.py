"""A device that makes passkeys and proves them, as browsers and their owners do together."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

_PRESENT_AND_VERIFIED = 0x05
_WITH_A_NEW_KEY = 0x40


class Authenticator:
    """Keeps secret keys, and signs what pages of one origin ask.

    Attributes:
        count: How often it has signed; at 0 it never counts, as devices that copy their keys do.
    """

    def __init__(self, origin: str = "https://cards.example.org", *, counts: bool = True) -> None:
        self.origin = origin
        self.count = 0
        self._counts = counts
        self._keys: dict[str, tuple[ec.EllipticCurvePrivateKey, str]] = {}

    def create(self, options: str) -> dict[str, Any]:
        """Make a passkey, as ``navigator.credentials.create`` does."""
        asked = json.loads(options)
        name, key = secrets.token_bytes(16), ec.generate_private_key(ec.SECP256R1())
        self._keys[_text(name)] = key, asked["user"]["id"]
        numbers = key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + len(name).to_bytes(2, "big") + name + cbor2.dumps(public)
        said = self._said(asked["rp"]["id"], _PRESENT_AND_VERIFIED | _WITH_A_NEW_KEY) + made
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": said})
        client = self._client("webauthn.create", asked["challenge"])
        return _answer(_text(name), clientDataJSON=client, attestationObject=attested)

    def get(self, options: str) -> dict[str, Any]:
        """Prove the newest passkey, as ``navigator.credentials.get`` does."""
        asked = json.loads(options)
        name, (key, owner) = list(self._keys.items())[-1]
        said = self._said(asked["rpId"], _PRESENT_AND_VERIFIED)
        client = self._client("webauthn.get", asked["challenge"])
        signature = key.sign(said + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        given = {"clientDataJSON": client, "authenticatorData": said, "signature": signature}
        return _answer(name, **given, userHandle=urlsafe_b64decode(owner + "=="))

    def _said(self, party: str, flags: int) -> bytes:
        self.count += self._counts
        return hashlib.sha256(party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()


def _answer(name: str, **response: bytes) -> dict[str, Any]:
    said = {field: _text(content) for field, content in response.items()}
    return {"id": name, "rawId": name, "type": "public-key", "response": said}


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")

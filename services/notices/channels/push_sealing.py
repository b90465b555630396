"""What Web Push asks of a sender: encryption for one device (RFC 8291) and a signature of the house (RFC 8292).

Written on the primitives of ``cryptography``. The packages made for it bring two HTTP clients that would post past the
guard of ``posting.py``, and a part that can only be installed by running its build.
"""

import base64
import hmac
import os
from typing import Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD: Final = 4096
"""Bytes of a record; a push has one, and push services take no more."""

LONGEST: Final = RECORD - 16 - 4 - 1 - 65 - 16 - 1
"""Bytes of content: a record less its header, the tag and the mark of the last record."""

_ORDER: Final = int("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)
_AUTH: Final = 16
_NUMBER: Final = 32


class DeviceKeys(msgspec.Struct, frozen=True):
    """The keys of a browser's subscription.

    Attributes:
        p256dh: Its public key, as it gives it.
        auth: Its secret, as it gives it.
    """

    p256dh: str
    auth: str

    def read(self) -> tuple[EllipticCurvePublicKey, bytes]:
        """Return the keys themselves.

        Raises:
            ValueError: They are none.
        """
        secret = decoded(self.auth)
        if len(secret) != _AUTH:
            raise ValueError("the secret has another length")
        try:
            return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(self.p256dh)), secret
        except UnsupportedAlgorithm as error:
            raise ValueError("the key is of another kind") from error


def encrypted(
    content: bytes, keys: DeviceKeys, key: EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return content that only one device can read. Key and salt are new each time unless a test gives them.

    Raises:
        ValueError: The device's keys are none, or the content is longer than :data:`LONGEST`.
    """
    if len(content) > LONGEST:
        raise ValueError("the content is too long")
    device, secret = keys.read()
    key, salt = key or generate_private_key(SECP256R1()), salt or os.urandom(16)
    ours, theirs = point_of(key.public_key()), point_of(device)
    shared = _expanded(
        _extracted(secret, key.exchange(ECDH(), device)), b"WebPush: info\0" + theirs + ours, 32
    )
    drawn = _extracted(salt, shared)
    cipher = AESGCM(_expanded(drawn, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _expanded(drawn, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + cipher.encrypt(nonce, content + b"\x02", None)


class HouseKey:
    """The key by which push services know the house; the same for ever, since subscriptions are made for it."""

    def __init__(self, seed: bytes) -> None:
        """Take bytes that only this installation has, 48 of them."""
        number = int.from_bytes(seed, "big") % (_ORDER - 1) + 1
        self._key = derive_private_key(number, SECP256R1())

    @property
    def public(self) -> str:
        """What browsers are told when they subscribe."""
        return encoded(point_of(self._key.public_key()))

    def authorization(self, audience: str, subject: str, until: int) -> str:
        """Return the header that signs a push.

        Args:
            audience: The origin of the push service.
            subject: Where its operators reach the house's.
            until: In seconds of the epoch; at most a day ahead.
        """
        head = encoded(b'{"typ":"JWT","alg":"ES256"}')
        claims = encoded(msgspec.json.encode({"aud": audience, "exp": until, "sub": subject}))
        signed = f"{head}.{claims}"
        pair = decode_dss_signature(self._key.sign(signed.encode(), ECDSA(SHA256())))
        signature = b"".join(number.to_bytes(_NUMBER, "big") for number in pair)
        return f"vapid t={signed}.{encoded(signature)}, k={self.public}"


def point_of(key: EllipticCurvePublicKey) -> bytes:
    """Return a public key as 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(content: bytes) -> str:
    """Return bytes as text for addresses, without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Return the bytes of such a text.

    Raises:
        ValueError: It is none.
    """
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)


def _extracted(salt: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt, secret, "sha256")


def _expanded(drawn: bytes, info: bytes, length: int) -> bytes:
    # One block of HKDF is enough for all lengths here.
    return hmac.digest(drawn, info + b"\x01", "sha256")[:length]

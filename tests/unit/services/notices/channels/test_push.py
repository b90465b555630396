"""Web Push: encrypted so that one device can read it, signed so that its push service knows the house."""

import base64
import json
from collections.abc import AsyncIterator

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from domain.instants import Instant
from services.notices.channels.contract import ContactGone, DeliveryFailed
from services.notices.channels.posting import Poster, allowed_of
from services.notices.channels.push import Push, shown, topic_of
from services.notices.channels.push_sealing import (
    LONGEST,
    DeviceKeys,
    HouseKey,
    decoded,
    encoded,
    encrypted,
    point_of,
)
from services.notices.messages import Item, Message
from services.people.contacts import Contact
from tests.kit.receiver import Post, Receiver, receiver

NOW = Instant("2026-11-30T12:00:00.000Z")
HOUSE = HouseKey(b"s" * 48)
ITEM = Item(
    "m1",
    "turn",
    "turn-7",
    "Your turn: L.A.M.A.",
    people="Bert",
    round="Round 3",
    lines=("Bert played a 4.",),
    deadline="Tuesday 18:00",
    until=Instant("2026-11-30T13:00:00.000Z"),
    address="https://cards.example.org/m/m1",
)
MESSAGE = Message(
    "0123abcd", "u1", "push", "en", "Your turn: L.A.M.A.", (ITEM,), NOW, "https://x/stop/push/s"
)


class Device:
    """A browser that was subscribed, and reads what is pushed as RFC 8188 and RFC 8291 say."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"
        self.keys = DeviceKeys(encoded(point_of(self.key.public_key())), encoded(self.auth))

    def read(self, body: bytes) -> bytes:
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + point_of(self.key.public_key()) + sender
        secret = HKDF(SHA256(), 32, self.auth, info).derive(self.key.exchange(ec.ECDH(), theirs))
        cipher = AESGCM(HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret))
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        content, mark, padding = cipher.decrypt(nonce, record, None).rpartition(b"\x02")
        assert (mark, padding) == (b"\x02", b"")
        return content


@pytest.fixture
async def there() -> AsyncIterator[Receiver]:
    async with receiver() as running:
        running.answer = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
        yield running


async def pushed(there: Receiver, device: Device, message: Message = MESSAGE) -> Post:
    details = {"p256dh": device.keys.p256dh, "auth": device.keys.auth}
    contact = Contact(
        "push", "1", f"http://127.0.0.1:{there.port}/push/x", NOW, confirmed=True, details=details
    )
    push = Push(Poster(allowed_of("127.0.0.1")), lambda: HOUSE, "mailto:cards@example.org", lambda: NOW)
    await push.deliver(message, contact)
    return there.posts[-1]


def test_the_example_of_the_standard_comes_out():
    """RFC 8291, section 5."""
    private = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    keys = DeviceKeys(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    made = encrypted(
        b"When I grow up, I want to be a watermelon",
        keys,
        ec.derive_private_key(private, ec.SECP256R1()),
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def test_only_the_device_reads_what_is_pushed(there):
    device = Device()
    post = await pushed(there, device)
    assert b"L.A.M.A." not in post.content
    assert json.loads(device.read(post.content)) == {
        "id": "0123abcd",
        "title": "Your turn: L.A.M.A.",
        "text": "Round 3 · With Bert\nUntil Tuesday 18:00\n• Bert played a 4.",
        "tag": topic_of(MESSAGE),
        "address": "https://cards.example.org/m/m1",
        "language": "en",
    }
    assert post.headers["content-encoding"] == "aes128gcm"
    assert post.headers["ttl"] == "3600"
    assert post.headers["topic"] == topic_of(MESSAGE)


async def test_no_two_pushes_look_alike(there):
    device = Device()
    first, second = [(await pushed(there, device)).content for _ in range(2)]
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


async def test_the_push_service_can_check_who_pushes(there):
    post = await pushed(there, Device())
    scheme, _, rest = post.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    token, key = (part.partition("=")[2] for part in rest.split(", "))
    head, claims, signature = token.split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decoded(claims)) == {
        "aud": f"http://127.0.0.1:{there.port}",
        "exp": 1796040000 + 12 * 3600,
        "sub": "mailto:cards@example.org",
    }
    raw = decoded(signature)
    assert len(raw) == 64
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    public.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        public.verify(pair, f"{head}.{claims}x".encode(), ec.ECDSA(SHA256()))


def test_the_house_has_one_key_for_ever():
    assert HouseKey(b"s" * 48).public == HOUSE.public != HouseKey(b"t" * 48).public
    assert len(base64.urlsafe_b64decode(HOUSE.public + "=")) == 65


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_unsubscribed_is_gone(there, status):
    there.answer = f"HTTP/1.1 {status} Gone\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(ContactGone):
        await pushed(there, Device())


async def test_a_busy_push_service_is_tried_again(there):
    there.answer = b"HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n"
    with pytest.raises(DeliveryFailed) as failed:
        await pushed(there, Device())
    assert not isinstance(failed.value, ContactGone)


async def test_the_longest_message_fits(there):
    device = Device()
    many = tuple(msgspec.structs.replace(ITEM, match=f"m{n}", lines=("é🂡" * 500,)) for n in range(30))
    message = msgspec.structs.replace(MESSAGE, items=many)
    said = json.loads(device.read((await pushed(there, device, message)).content))
    assert said["address"] == "/"
    assert len(msgspec.json.encode(shown(message))) <= LONGEST


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        ("nonsense!", "AAAAAAAAAAAAAAAAAAAAAA"),
        (encoded(b"\x04" + b"\x01" * 64), "AAAAAAAAAAAAAAAAAAAAAA"),
        (HOUSE.public, "AAAA"),
        (HOUSE.public, "é"),
    ],
)
def test_keys_that_are_none_are_refused(p256dh, auth):
    with pytest.raises(ValueError):  # noqa: PT011 - whichever of the layers below finds out
        DeviceKeys(p256dh, auth).read()

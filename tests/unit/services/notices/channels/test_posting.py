"""Posting to addresses that people give: each attack on the house, tried with real servers."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address

import pytest

from services.notices.channels import posting
from services.notices.channels.contract import ContactGone, DeliveryFailed
from services.notices.channels.posting import Allowed, Poster, allowed_of, is_public
from tests.kit.receiver import Receiver, receiver

HERE = allowed_of("127.0.0.1")


@pytest.fixture
async def there() -> AsyncIterator[Receiver]:
    async with receiver() as running:
        yield running


class Names:
    """Answers about names, one after the other; the last for ever."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        del port
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def post(address: str, poster: Poster | None = None) -> None:
    await (poster or Poster(Allowed())).post(address, b"{}", {})


PRIVATE = [
    "127.0.0.1",
    "127.8.9.10",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_of_a_house_is_public(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "162.159.135.232", "2606:4700:4700::1111", "64:ff9b::101:101"]
)
def test_addresses_of_the_internet_are_public(address):
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_name_that_leads_into_a_house_is_refused_before_anything_is_sent(address):
    with pytest.raises(ContactGone, match="private network"):
        await post("https://hooks.example.org/x", Poster(Allowed(), Names([address])))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "[::1]",
        "[::ffff:7f00:1]",
        "169.254.169.254",
        "LOCALHOST",
        "0",
    ],
)
async def test_this_machine_is_not_reached_under_any_of_its_names(host, there):
    with pytest.raises(DeliveryFailed):
        await post(f"http://{host}:{there.port}/")
    with pytest.raises(DeliveryFailed):
        await post(f"https://{host}:{there.port}/")
    assert there.connections == 0


async def test_a_name_with_one_address_in_the_house_is_refused(there):
    names = Names(["1.1.1.1", "127.0.0.1"])
    with pytest.raises(ContactGone, match="private network"):
        await post(f"https://hooks.example.org:{there.port}/", Poster(Allowed(), names))


async def test_a_name_that_changes_its_answer_is_asked_once(there):
    """First an address that is allowed, then one that is not: the connection goes to the first."""
    names = Names(["127.0.0.1"], ["169.254.169.254"])
    poster = Poster(HERE, names)
    await post(f"http://hooks.example.org:{there.port}/x", poster)
    assert names.asked == ["hooks.example.org"]
    (arrived,) = there.posts
    assert arrived.headers["host"] == f"hooks.example.org:{there.port}"
    with pytest.raises(ContactGone):
        await post(f"http://hooks.example.org:{there.port}/x", poster)
    assert len(there.posts) == 1


async def test_a_redirect_is_not_followed(there):
    async with receiver() as inside:
        for status in (301, 302, 303, 307, 308):
            location = f"http://127.0.0.1:{inside.port}/latest/meta-data/"
            there.answer = (
                f"HTTP/1.1 {status} There\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
            )
            with pytest.raises(DeliveryFailed, match="another address"):
                await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))
        assert inside.connections == 0


async def hang(writer: asyncio.StreamWriter) -> None:
    del writer
    await asyncio.sleep(60)


async def drip(writer: asyncio.StreamWriter) -> None:
    """Answer with one byte at a time, each of them in time."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 10_000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.02)


async def pour(writer: asyncio.StreamWriter) -> None:
    """Answer with a body without end."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"a" * 65_536)
        await writer.drain()


async def pour_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-More: " + b"a" * 8000 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize("behave", [hang, drip])
async def test_who_answers_slowly_or_never_is_given_up(there, behave, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.3)
    there.behave = behave
    began = time.monotonic()
    with pytest.raises(DeliveryFailed, match="no answer in time"):
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))
    assert time.monotonic() - began < 5


async def test_a_body_without_end_is_not_read(there):
    there.behave = pour
    await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))


async def test_headers_without_end_are_given_up(there):
    there.behave = pour_headers
    with pytest.raises(DeliveryFailed):
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))


async def test_what_is_no_http_is_a_failure(there):
    there.answer = b"220 mail.example.org ESMTP\r\n"
    with pytest.raises(DeliveryFailed):
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_server_that_says_that_it_is_gone_is_believed(there, status):
    there.answer = f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(ContactGone, match=str(status)):
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))


@pytest.mark.parametrize("status", [400, 429, 500, 503])
async def test_other_answers_are_failures(there, status):
    there.answer = f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises(DeliveryFailed, match=str(status)) as failed:
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))
    assert not isinstance(failed.value, ContactGone)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "//hooks.example.org/",
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_FLUSHALL",
        "https://",
        "https://user:pass@hooks.example.org/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org/\r\nX: y",
        "https://" + "a" * 2000 + ".org/",
    ],
)
async def test_what_is_no_address_of_a_web_server_is_refused(address):
    with pytest.raises(ContactGone, match="no address"):
        await post(address, Poster(Allowed(), Names(["1.1.1.1"])))


async def test_the_internet_is_posted_to_by_https_only():
    with pytest.raises(ContactGone, match="https"):
        await post("http://hooks.example.org/", Poster(Allowed(), Names(["1.1.1.1"])))


async def test_an_operator_allows_hosts_and_networks(there):
    for allowed in ("127.0.0.0/8", "10.0.0.0/8, localhost", "LOCALHOST"):
        await post(f"http://localhost:{there.port}/", Poster(allowed_of(allowed), Names(["127.0.0.1"])))
    assert len(there.posts) == 3
    with pytest.raises(ContactGone):
        await post(f"http://localhost:{there.port}/", Poster(allowed_of("10.0.0.0/8"), Names(["127.0.0.1"])))


async def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(certificate):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    async with receiver(context) as there:
        names = Names(["127.0.0.1"])
        await post(f"https://hooks.example.org:{there.port}/", Poster(HERE, names, trusting))
        assert len(there.posts) == 1
        with pytest.raises(DeliveryFailed, match="not trusted"):
            await post(f"https://other.example.org:{there.port}/", Poster(HERE, names, trusting))
        with pytest.raises(DeliveryFailed, match="not trusted"):
            await post(f"https://hooks.example.org:{there.port}/", Poster(HERE, names))
        assert len(there.posts) == 1


async def test_a_proxy_of_the_environment_is_not_asked(there, monkeypatch):
    async with receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        await post(f"http://127.0.0.1:{there.port}/", Poster(HERE))
        assert proxy.connections == 0


async def test_a_name_that_nobody_knows_is_tried_again():
    with pytest.raises(DeliveryFailed, match="no such host") as failed:
        await post("https://nowhere.invalid/")
    assert not isinstance(failed.value, ContactGone)


async def test_no_address_is_written_into_the_log(there, caplog):
    caplog.set_level("DEBUG")
    await post(f"http://127.0.0.1:{there.port}/secret-of-a-chat", Poster(HERE))
    assert "secret-of-a-chat" not in caplog.text

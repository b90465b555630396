"""What is posted, in which shape, and how its receiver knows from whom."""

import hmac
import json
from collections.abc import AsyncIterator

import msgspec
import pytest

from domain.instants import Instant
from services.notices.channels.posting import Poster, allowed_of
from services.notices.channels.shapes import SHAPES
from services.notices.channels.webhook import Webhooks
from services.notices.messages import Item, Message
from services.people.contacts import Contact
from tests.kit.receiver import Receiver, receiver

NOW = Instant("2026-11-30T12:00:00.000Z")
TABLE = "https://cards.example.org/m/m1"
NASTY = "@everyone <!channel> [free](https://evil.example) *Bert* & co"
ITEM = Item(
    "m1",
    "turn",
    "turn-7",
    "Your turn: L.A.M.A.",
    people=NASTY,
    round="Round 3",
    lines=(f"{NASTY} played a 4.",),
    deadline="Tuesday 18:00, 23 hours left",
    until=Instant("2026-12-01T17:00:00.000Z"),
    address=TABLE,
)
MESSAGE = Message(
    "0123abcd", "u1", "webhook", "en", "Your turn: L.A.M.A.", (ITEM,), NOW, "https://x/stop/webhook/s"
)


@pytest.fixture
async def there() -> AsyncIterator[Receiver]:
    async with receiver() as running:
        yield running


async def posted(there: Receiver, shape: str, path: str = "/hook?token=t", message: Message = MESSAGE):
    address = f"http://127.0.0.1:{there.port}{path}"
    details = {"shape": shape, "secret": "s3cret"}
    contact = Contact("webhook", "1", address, NOW, confirmed=True, details=details)
    await Webhooks(Poster(allowed_of("127.0.0.1")), lambda: NOW).deliver(message, contact)
    return there.posts[-1]


async def test_a_post_is_signed_with_its_time_and_named_by_its_message(there):
    first, second = [await posted(there, "json") for _ in range(2)]
    seconds, digest = (part.partition("=")[2] for part in first.headers["tablee-signature"].split(","))
    assert seconds == "1796040000"
    assert hmac.new(b"s3cret", f"{seconds}.".encode() + first.content, "sha256").hexdigest() == digest
    assert first.headers["tablee-message"] == second.headers["tablee-message"] == "0123abcd"
    assert first.headers["content-type"] == "application/json"


async def test_plain_json_says_all_of_it_and_not_who_it_is_for(there):
    post = await posted(there, "json")
    assert post.path == "/hook?token=t"
    assert post.body == {
        "id": "0123abcd",
        "at": NOW,
        "language": "en",
        "subject": "Your turn: L.A.M.A.",
        "items": [
            {
                "match": "m1",
                "kind": "turn",
                "title": "Your turn: L.A.M.A.",
                "people": NASTY,
                "round": "Round 3",
                "lines": [f"{NASTY} played a 4."],
                "until": "2026-12-01T17:00:00.000Z",
                "address": TABLE,
            }
        ],
        "stop": "https://x/stop/webhook/s",
    }


async def test_discord_calls_nobody_and_makes_no_link_of_a_name(there):
    body = (await posted(there, "discord")).body
    assert body["allowed_mentions"] == {"parse": []}
    text = body["content"]
    assert text.startswith("**Your turn: L.A.M.A.**\nRound 3 · With ")
    assert text.endswith(TABLE)
    assert "@everyone" not in text
    assert "[free](" not in text
    assert "\\*Bert\\*" in text


async def test_mattermost_calls_nobody(there):
    text = (await posted(there, "mattermost")).body["text"]
    assert "@everyone" not in text
    assert TABLE in text


async def test_slack_calls_nobody(there):
    text = (await posted(there, "slack")).body["text"]
    assert "<!channel>" not in text
    assert "&lt;!channel&gt;" in text
    assert f"<{TABLE}|Go to the table>" in text


async def test_ntfy_gets_topic_title_and_a_click(there):
    post = await posted(there, "ntfy", "/push/zoe-plays?auth=x")
    assert post.path == "/push/?auth=x"
    assert post.body["topic"] == "zoe-plays"
    assert post.body["title"] == "Your turn: L.A.M.A."
    assert post.body["click"] == TABLE
    assert "Until Tuesday 18:00" in post.body["message"]


@pytest.mark.parametrize("path", ["/message?token=t", "/?token=t", "/message/?token=t"])
async def test_gotify_gets_a_title_and_a_click(there, path):
    post = await posted(there, "gotify", path)
    assert post.path == "/message?token=t"
    assert post.body["title"] == "Your turn: L.A.M.A."
    assert post.body["extras"]["client::notification"]["click"]["url"] == TABLE


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_shape_grows_beyond_what_a_chat_takes(there, shape):
    many = tuple(msgspec.structs.replace(ITEM, match=f"m{n}", lines=("é" * 900,)) for n in range(20))
    body = (await posted(there, shape, message=msgspec.structs.replace(MESSAGE, items=many))).body
    if shape != "json":
        assert max(len(value) for value in body.values() if isinstance(value, str)) <= 2000


@pytest.mark.parametrize("shape", SHAPES)
async def test_every_shape_speaks_french(there, shape):
    french = msgspec.structs.replace(MESSAGE, language="fr")
    body = (await posted(there, shape, message=french)).body
    assert shape == "json" or "Avec" in json.dumps(body, ensure_ascii=False)

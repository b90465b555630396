"""Where a person wants to be told, said by a program."""

import hmac
from collections.abc import AsyncIterator

import pytest

from services.process.settings import Settings
from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, fresh_key
from tests.kit.post_office import PostOffice, code_in, post_office
from tests.kit.receiver import Receiver, receiver

MAILBOX = {"channel": "mail", "address": "zoe@example.com"}


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as running:
        yield running


@pytest.fixture
async def there() -> AsyncIterator[Receiver]:
    async with receiver() as running:
        yield running


@pytest.fixture
async def house(office: PostOffice) -> AsyncIterator[Api]:
    settings = Settings(smtp_url=office.address, mail_from="cards@example.org", webhook_allow="127.0.0.1")
    async with running_api(settings) as api:
        yield api


async def person(api: Api) -> str:
    answer = await api.post("/me", key=fresh_key(), json={"name": "Zoë", "language": "fr"})
    token: str = answer.json()["token"]
    return token


async def test_a_mailbox_is_given_confirmed_and_taken_away(house: Api, office: PostOffice):
    zoe = await person(house)
    given = await house.post("/me/contacts", token=zoe, json=MAILBOX)
    assert (given.status_code, given.json()["confirmed"]) == (201, False)
    assert office.mails[0]["Subject"].endswith("ton code pour confirmer cette adresse")
    path = f"/me/contacts/mail/{given.json()['number']}"
    wrong = await house.post(f"{path}/confirm", token=zoe, json={"code": "x"})
    assert (wrong.status_code, wrong.json()["code"], wrong.json()["arguments"]) == (
        422,
        "proof.wrong_code",
        {"left": 4},
    )
    for _ in range(2):  # an answer that was lost
        right = await house.post(f"{path}/confirm", token=zoe, json={"code": code_in(office.mails[0])})
        assert (right.status_code, right.json()["confirmed"]) == (200, True)
    assert len((await house.get("/me/contacts", token=zoe)).json()["contacts"]) == 1
    left = await house.ask("DELETE", path, token=zoe)
    assert (left.status_code, left.json()) == (200, {"contacts": []})
    assert (await house.ask("DELETE", path, token=zoe)).json()["code"] == "contact.unknown"


async def test_a_webhook_is_tested_and_signed_with_its_secret(house: Api, there: Receiver):
    zoe = await person(house)
    body = {"channel": "webhook", "address": f"http://127.0.0.1:{there.port}/zoe", "shape": "json"}
    given = await house.post("/me/contacts", token=zoe, json=body)
    assert (given.status_code, given.json()["confirmed"], given.json()["shape"]) == (201, True, "json")
    (post,) = there.posts
    seconds, digest = (part.partition("=")[2] for part in post.headers["tablee-signature"].split(","))
    secret = given.json()["secret"].encode()
    assert hmac.new(secret, f"{seconds}.".encode() + post.content, "sha256").hexdigest() == digest
    again = await house.post("/me/contacts", token=zoe, json=body)
    assert again.json()["secret"] == given.json()["secret"]
    assert len((await house.get("/me/contacts", token=zoe)).json()["contacts"]) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"channel": "mail", "address": "zoe"}, "contact.mail_malformed"),
        ({"channel": "webhook", "address": "https://localhost/x"}, "contact.not_reached"),
        ({"channel": "webhook", "address": "https://169.254.169.254/latest/"}, "contact.not_reached"),
        ({"channel": "webhook", "address": "nonsense"}, "contact.not_reached"),
    ],
)
async def test_what_leads_nowhere_is_refused_and_not_kept(house: Api, body: dict[str, str], code: str):
    zoe = await person(house)
    refused = await house.post("/me/contacts", token=zoe, json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert (await house.get("/me/contacts", token=zoe)).json() == {"contacts": []}


async def test_what_cannot_be_read_is_told(house: Api):
    zoe = await person(house)
    for body in ({"channel": "fax", "address": "1"}, {"channel": "mail"}, {}, {**MAILBOX, "shape": "fax"}):
        assert (await house.post("/me/contacts", token=zoe, json=body)).status_code == 400


async def test_nobody_has_more_than_a_few(house: Api, there: Receiver):
    zoe = await person(house)
    for number in range(8):
        body = {"channel": "webhook", "address": f"http://127.0.0.1:{there.port}/{number}"}
        assert (await house.post("/me/contacts", token=zoe, json=body)).status_code == 201
    body = {"channel": "webhook", "address": f"http://127.0.0.1:{there.port}/9"}
    refused = await house.post("/me/contacts", token=zoe, json=body)
    assert (refused.json()["code"], refused.json()["arguments"]) == ("contact.too_many", {"most": 8})
    assert len(there.posts) == 8


async def test_a_house_without_a_mail_server_says_so(api: Api):
    zoe = await person(api)
    assert (await api.post("/me/contacts", token=zoe, json=MAILBOX)).json()["code"] == "contact.mail_off"


async def test_a_host_gives_the_club_a_channel_that_nobody_else_sees(house: Api, there: Receiver):
    hanna, max_ = await person(house), await person(house)
    club = (await house.post("/clubs", token=hanna, json={"name": "Thursday"})).json()["id"]
    code = (await house.post(f"/clubs/{club}/invitations", token=hanna, json={})).json()["code"]
    assert (await house.post(f"/invitations/{code}", token=max_, json={})).status_code == 200
    path, address = f"/clubs/{club}/channel", f"http://127.0.0.1:{there.port}/chat"
    assert (await house.get(path, token=hanna)).json()["address"] == ""
    body = {"address": address, "shape": "discord"}
    for method, given in (("GET", None), ("PUT", body), ("PATCH", {}), ("DELETE", None)):
        refused = await house.ask(method, path, token=max_, json=given)
        assert (refused.status_code, refused.json()["code"]) == (403, "club.role_needed")
    for forbidden in ("https://localhost/x", "https://169.254.169.254/latest/"):
        refused = await house.ask("PUT", path, token=hanna, json={**body, "address": forbidden})
        assert (refused.status_code, refused.json()["code"]) == (422, "contact.not_reached")
    assert (await house.ask("PATCH", path, token=hanna, json={})).json()["code"] == "contact.unknown"
    kept = await house.ask("PUT", path, token=hanna, json=body)
    assert (kept.status_code, kept.json()["tells"]) == (200, ["opened", "result"])
    assert there.posts[0].body["allowed_mentions"] == {"parse": []}
    other = {"address": f"{address}2", "shape": "json", "tells": ["awaited"]}
    assert (await house.ask("PUT", path, token=hanna, json=other)).json()["tells"] == ["awaited"]
    shown = (await house.get(path, token=hanna)).json()
    assert (shown["address"], shown["shape"], len(there.posts)) == (f"{address}2", "json", 2)
    changed = await house.ask("PATCH", path, token=hanna, json={"tells": ["result", "awaited"]})
    assert changed.json()["tells"] == ["result", "awaited"]
    assert (await house.ask("DELETE", path, token=hanna)).status_code == 204
    assert (await house.get(path, token=hanna)).json()["address"] == ""

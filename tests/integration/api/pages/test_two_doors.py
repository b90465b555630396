"""The same command of the same person through the API and through a page: one effect, and the same answer twice."""

from typing import Any, NamedTuple

import httpx
import pytest

from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader

SECRET_KEY = "0123456789abcdef0123456789abcdef"
DOORS = (("api", "page"), ("page", "api"))


class Said(NamedTuple):
    """One command, as each door is told it."""

    path: str
    body: dict[str, Any]
    action: str
    fields: dict[str, str]


DRAW = Said("moves", {"type": "draw"}, "move", {"move": "draw"})
RUNNING = (
    DRAW,
    Said("resign", {}, "resign", {}),
    Said("hand-to-bot", {}, "hand-to-bot", {}),
    Said("ask-to-end", {}, "ask-to-end", {}),
)


class Person:
    """Somebody at a table for two, with a client of the API and with a browser that proved the same seat."""

    def __init__(self, pages: Pages, match: str, token: str, browser: Reader, other: Reader) -> None:
        self.match = match
        self.browser = browser
        self.other = other
        self._reader = pages.application.reader
        self._token = token

    async def version(self) -> int:
        return (await self._reader.head(self.match)).version

    async def begun(self) -> "Person":
        await self.say("page", Said("ready", {}, "ready", {}), "ready")
        return self

    async def say(self, door: str, said: Said, key: str, based_on: int = 0) -> httpx.Response:
        client = self.browser.client
        if door == "api":
            headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": key}
            headers |= {"If-Match": f'"{based_on}"'} if based_on else {}
            address = f"/api/v1/matches/{self.match}/{said.path}"
            return await client.post(address, json=said.body, headers=headers)
        await self.browser.get(f"/m/{self.match}")
        token = dict(self.browser.form("/language")["fields"])["form"]
        fields = {"form": token, "key": key, "version": str(based_on), **said.fields}
        return await self.browser.post(f"/m/{self.match}/{said.action}", fields.items())


@pytest.fixture
async def bert(pages: Pages) -> Person:
    anna, browser = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", name="Anna", **{"option-first": "1"})
    address, headers = f"/api/v1/matches/{match}/seats", {"Idempotency-Key": SECRET_KEY}
    seated = await anna.client.post(address, json={}, headers=headers)
    token = seated.json()["seat_token"]
    await browser.get(f"/m/{match}/sit")
    await browser.submit("/me/tokens", token=token)
    return Person(pages, match, token, browser, anna)


@pytest.mark.parametrize("doors", DOORS)
@pytest.mark.parametrize("said", RUNNING, ids=lambda said: said.path)
async def test_a_command_in_a_running_match_counts_once(bert: Person, said: Said, doors):
    await bert.begun()
    before = await bert.version()
    first = await bert.say(doors[0], said, "once", before)
    after = await bert.version()
    again = await bert.say(doors[1], said, "once", before)
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert after > before
    assert await bert.version() == after
    if doors[1] == "api":
        assert again.json()["duplicate"] is True
        assert again.json()["version"] == after


@pytest.mark.parametrize("doors", DOORS)
async def test_being_ready_counts_once_and_begins_the_match(bert: Person, doors):
    ready = Said("ready", {}, "ready", {})
    first = await bert.say(doors[0], ready, "once")
    after = await bert.version()
    again = await bert.say(doors[1], ready, "once")
    assert [first.status_code, again.status_code] == [200, 200], again.text
    assert await bert.version() == after
    assert (await bert._reader.head(bert.match)).state.lifecycle.phase == "playing"


@pytest.mark.parametrize("doors", DOORS)
async def test_an_answer_to_a_request_counts_once(bert: Person, doors):
    await bert.begun()
    await bert.other.get(f"/m/{bert.match}")
    await bert.other.submit("/ask-to-end")
    (request,) = (await bert._reader.head(bert.match)).state.requests
    refusal = Said(
        f"requests/{request.id}/answer", {"agree": False}, "answer", {"request": request.id, "agree": "no"}
    )
    answers = [await bert.say(door, refusal, "once") for door in doors]
    assert [answer.status_code for answer in answers] == [200, 200], answers[1].text


@pytest.mark.parametrize("doors", DOORS)
async def test_another_command_under_the_same_id_is_refused_at_either_door(bert: Person, doors):
    await bert.begun()
    before = await bert.version()
    await bert.say(doors[0], DRAW, "once", before)
    after = await bert.version()
    other = await bert.say(doors[1], Said("resign", {}, "resign", {}), "once")
    # A page shows the table as it stands, and that nothing was done.
    assert other.status_code == (422 if doors[1] == "api" else 412)
    assert await bert.version() == after


async def test_a_seat_is_taken_once_with_one_key(pages: Pages):
    clara = pages.reader()
    match = await clara.make_table("lama", "me", "person", name="Clara")
    other = pages.reader()
    await other.sit(match, key=SECRET_KEY, seat="")
    version = (await pages.application.reader.head(match)).version
    # The browser's session is the person's token at the other door.
    headers = {"Idempotency-Key": SECRET_KEY, "Authorization": f"Bearer {other.client.cookies['tablee']}"}
    seated = await other.client.post(f"/api/v1/matches/{match}/seats", json={}, headers=headers)
    assert (seated.status_code, seated.json()["seat"]) == (201, 1), seated.text
    assert (await pages.application.reader.head(match)).version == version


async def test_a_table_is_made_once_with_one_key(pages: Pages):
    clara = pages.reader()
    match = await clara.make_table("lama", "person", "person", key=SECRET_KEY)
    position = await pages.application.reader.head(match)
    body = {"game": "lama", "seats": [{}, {}]}
    again = await clara.client.post("/api/v1/matches", json=body, headers={"Idempotency-Key": SECRET_KEY})
    assert again.status_code == 201, again.text
    assert again.json()["match"] == match
    assert (await pages.application.reader.head(match)).version == position.version

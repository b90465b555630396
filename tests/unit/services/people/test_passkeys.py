"""Passkeys: what a device proves lets its owner in, once, in time, from the browser that asked; nothing else does."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.instants import after
from services.errors import NoSuchPasskey
from services.people.passkeys.challenges import SECONDS
from services.people.passkeys.kept import Passkey
from services.people.passkeys.passkeys import MOST, Passkeys
from services.people.passkeys.relying_party import RelyingParty, relying_party
from tests.kit.authenticator import Authenticator
from tests.kit.instants import NOON
from tests.kit.parts import SECRET

HOUSE = RelyingParty("cards.example.org", "https://cards.example.org")
HERE, ELSEWHERE = "a browser", "another browser"


class Desk:
    """Where Anna's phone and the house meet."""

    def __init__(self, client: FakeAsyncRedis) -> None:
        self.passkeys = Passkeys(SECRET, client)
        self.phone = Authenticator()

    async def keep(self, person: str = "anna", name: str = "My phone") -> Passkey:
        options = await self.passkeys.ask_to_keep(person, "Anna", HOUSE, HERE, NOON)
        return await self.hand_over(self.phone.create(options), person, name)

    async def hand_over(
        self, answer: dict[str, Any], person: str = "anna", name: str = "", browser: str = HERE
    ) -> Passkey:
        return await self.passkeys.keep(person, json.dumps(answer), name, HOUSE, browser, NOON)

    def proof(self, seconds: float = 0) -> dict[str, Any]:
        return self.phone.get(self.passkeys.ask_to_return(HOUSE, HERE, after(NOON, seconds)))

    async def come_back(
        self, proof: dict[str, Any], seconds: float = 0, party: RelyingParty = HOUSE, browser: str = HERE
    ) -> Passkey:
        now = after(NOON, seconds)
        return await self.passkeys.returned(json.dumps(proof), party, browser, now)


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with FakeAsyncRedis() as client:
        yield Desk(client)


def refused(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


async def test_the_owner_comes_back(desk: Desk):
    kept = await desk.keep()
    assert (kept.name, kept.party, kept.used) == ("My phone", "cards.example.org", "")
    used = await desk.come_back(desk.proof(), 60)
    assert (used.person, used.id, used.used) == ("anna", kept.id, after(NOON, 60))


async def test_what_a_device_is_asked_names_nobody(desk: Desk):
    await desk.keep()
    asked = json.loads(desk.passkeys.ask_to_return(HOUSE, HERE, NOON))
    assert not asked.get("allowCredentials")
    made = json.loads(await desk.passkeys.ask_to_keep("anna", "Anna", HOUSE, HERE, NOON))
    assert "anna" not in made["user"]["id"]
    assert len(made["excludeCredentials"]) == 1


async def test_a_challenge_is_answered_once(desk: Desk):
    await desk.keep()
    proof = desk.proof()
    answers = await asyncio.gather(*(desk.come_back(proof) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(answer, Passkey) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, Refused)} == {"passkey.challenge_over"}


@pytest.mark.parametrize("case", ["late", "another browser", "made up", "of another kind"])
async def test_a_challenge_is_good_for_one_browser_and_a_while(desk: Desk, case: str):
    await desk.keep()
    proof, seconds, browser = desk.proof(), 0, HERE
    if case == "late":
        seconds = SECONDS
    if case == "another browser":
        browser = ELSEWHERE
    if case == "made up":
        proof = desk.phone.get(json.dumps({"rpId": HOUSE.id, "challenge": "bWFkZSB1cA"}))
    if case == "of another kind":
        options = json.loads(await desk.passkeys.ask_to_keep("anna", "Anna", HOUSE, HERE, NOON))
        proof = desk.phone.get(json.dumps({"rpId": HOUSE.id, "challenge": options["challenge"]}))
    with refused("passkey.challenge_over"):
        await desk.come_back(proof, seconds, browser=browser)


async def test_nobody_keeps_a_passkey_for_somebody_else(desk: Desk):
    options = await desk.passkeys.ask_to_keep("anna", "Anna", HOUSE, HERE, NOON)
    answer = desk.phone.create(options)
    for person, browser in (("ben", HERE), ("anna", ELSEWHERE)):
        with refused("passkey.challenge_over"):
            await desk.hand_over(answer, person, browser=browser)
    assert (await desk.hand_over(answer)).person == "anna"


def another_signature(proof: dict[str, Any]) -> None:
    proof["response"]["signature"] = "MEUCIQ"


def another_owner(proof: dict[str, Any]) -> None:
    proof["response"]["userHandle"] = "YmVu"


def nothing(proof: dict[str, Any]) -> None:
    proof.clear()


def no_text(proof: dict[str, Any]) -> None:
    proof["response"]["clientDataJSON"] = "////"


def a_list(proof: dict[str, Any]) -> None:
    proof["response"] = ["x"]


@pytest.mark.parametrize("spoil", [another_signature, another_owner, nothing, no_text, a_list])
async def test_what_proves_nothing_lets_nobody_in(desk: Desk, spoil: Callable[[dict[str, Any]], None]):
    await desk.keep()
    proof = desk.proof()
    spoil(proof)
    with refused("passkey.unverified"):
        await desk.come_back(proof)


async def test_a_page_of_another_origin_proves_nothing(desk: Desk):
    await desk.keep()
    desk.phone.origin = "https://cards.example.org.evil.example"
    with refused("passkey.unverified"):
        await desk.come_back(desk.proof())


async def test_a_copy_is_found_by_its_count(desk: Desk):
    await desk.keep()
    await desk.come_back(desk.proof())
    desk.phone.count -= 1
    with refused("passkey.doubted"):
        await desk.come_back(desk.proof(), 9)
    (kept,) = await desk.passkeys.of("anna")
    assert kept.doubted == after(NOON, 9)


async def test_a_device_that_does_not_count_comes_back_again_and_again(desk: Desk):
    desk.phone = Authenticator(counts=False)
    await desk.keep()
    for _ in range(2):
        assert (await desk.come_back(desk.proof())).person == "anna"


async def test_a_passkey_that_was_removed_lets_nobody_in(desk: Desk):
    kept = await desk.keep()
    with pytest.raises(NoSuchPasskey):
        await desk.passkeys.remove("ben", kept.id)
    with pytest.raises(NoSuchPasskey):
        await desk.passkeys.rename("ben", kept.id, "mine")
    assert (await desk.passkeys.rename("anna", kept.id, "  Old phone ")).name == "Old phone"
    await desk.passkeys.remove("anna", kept.id)
    with pytest.raises(NoSuchPasskey):
        await desk.come_back(desk.proof())


async def test_passkeys_go_along_when_two_persons_are_one_and_are_forgotten_with_them(desk: Desk):
    await desk.keep("anna")
    await desk.passkeys.move("anna", "ben")
    assert (await desk.come_back(desk.proof())).person == "ben"
    await desk.passkeys.erase("ben")
    assert await desk.passkeys.of("ben") == []
    with pytest.raises(NoSuchPasskey):
        await desk.come_back(desk.proof())


async def test_nobody_keeps_more_than_is_good_for_a_list(desk: Desk):
    for _ in range(MOST):
        await desk.keep()
    with refused("passkey.too_many"):
        await desk.keep()


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("https://cards.example.org", "cards.example.org"),
        ("https://cards.example.org:8443", "cards.example.org"),
        ("http://localhost:8000", "localhost"),
        ("http://cards.example.org", None),
        ("https://192.168.1.7", None),
        ("https://[::1]", None),
        ("https://", None),
        ("https://[", None),
        ("https://0x7f.1", None),
    ],
)
def test_browsers_keep_passkeys_for_host_names_under_https(origin: str, name: str | None):
    party = relying_party(origin)
    assert (party.id if party else None) == name

"""Coming back in by links, tokens of seats, and recovery codes; and what opens nothing any more."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from domain.instants import Instant, after
from services.errors import LinkExpired, LinkRevoked, LinkUsed, NoSuchCode, NoSuchLink
from services.people.hashed_secrets import hash_of, new_secret
from services.people.links import PERSON_SECONDS, RETRY_SECONDS, SEAT_SECONDS
from services.people.memberships import Held
from services.people.recovery_codes import ALPHABET, read, written
from services.people.ways_back import Visitor
from tests.kit.instants import NOON
from tests.kit.memory_store import MemoryEventStore
from tests.kit.parts import people_over


def at(seconds: float = 0) -> Instant:
    return after(NOON, seconds)


class People:
    def __init__(self, client: FakeAsyncRedis) -> None:
        self.client = client
        self.known = people_over(client, MemoryEventStore(), at)
        self.identity, self.ways = self.known.identity, self.known.ways_back

    async def somebody(self, name: str) -> tuple[str, str]:
        person, session = await self.known.persons.create(at(), name), new_secret()
        await self.known.sessions.begin(session, person.id, at(), "Firefox, Linux")
        return person.id, session

    async def person(self, session: str) -> str:
        return await self.known.sessions.person(session, at())

    async def link(self, person: str, seconds: float = 0) -> str:
        token = new_secret()
        await self.known.links.make_for_person(token, person, at(seconds))
        return token

    async def code(self, person: str) -> str:
        code = self.identity.for_recovery(person, new_secret())
        await self.known.codes.give(person, code, at())
        return code


@pytest.fixture
async def people() -> AsyncIterator[People]:
    async with FakeAsyncRedis() as client:
        yield People(client)


class TestPersonalLinks:
    async def test_a_link_lets_one_other_device_in_once(self, people: People):
        anna, laptop = await people.somebody("Anna")
        token, phone = await people.link(anna), new_secret()
        arrival = await people.ways.enter(token, Visitor(phone, "Chrome, Android"), at(60))
        assert (arrival.person, await people.person(arrival.session)) == (anna, anna)
        assert arrival.session != phone  # whoever planted a session in the phone is not let in
        assert await people.person(laptop) == anna
        with pytest.raises(LinkUsed):
            await people.ways.enter(token, Visitor(new_secret()), at(61))
        devices = {session.device for session in await people.known.sessions.of(anna)}
        assert devices == {"Firefox, Linux", "Chrome, Android"}

    async def test_looking_uses_nothing_up(self, people: People):
        anna, _ = await people.somebody("Anna")
        token = await people.link(anna)
        before = {key: await people.client.dump(key) for key in await people.client.keys("*")}
        for _ in range(5):
            assert (await people.ways.find(token)).person == anna
        assert {key: await people.client.dump(key) for key in await people.client.keys("*")} == before

    async def test_of_several_at_once_one_gets_in(self, people: People):
        anna, _ = await people.somebody("Anna")
        token = await people.link(anna)
        answers = await asyncio.gather(
            *(people.ways.enter(token, Visitor(new_secret()), at(1)) for _ in range(5)),
            return_exceptions=True,
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Arrival", *["LinkUsed"] * 4]
        assert len(await people.known.sessions.of(anna)) == 2

    async def test_an_answer_that_was_lost_comes_again_for_a_while(self, people: People):
        anna, _ = await people.somebody("Anna")
        token, phone = await people.link(anna), Visitor(new_secret())
        first = await people.ways.enter(token, phone, at(1))
        assert await people.ways.enter(token, phone, at(5)) == first
        with pytest.raises(LinkUsed):
            await people.ways.enter(token, phone, at(2 + RETRY_SECONDS))

    async def test_who_is_in_already_uses_nothing_up(self, people: People):
        anna, laptop = await people.somebody("Anna")
        token = await people.link(anna)
        assert (await people.ways.enter(token, Visitor(laptop), at(1))).session == laptop
        assert (await people.ways.enter(token, Visitor(new_secret()), at(2))).person == anna

    async def test_a_link_ends_by_time_by_being_taken_back_and_by_a_newer_one(self, people: People):
        anna, _ = await people.somebody("Anna")
        old = await people.link(anna)
        with pytest.raises(LinkExpired):
            await people.ways.enter(old, Visitor(new_secret()), at(PERSON_SECONDS))
        newer = await people.link(anna, 1)
        with pytest.raises(LinkRevoked):
            await people.ways.enter(old, Visitor(new_secret()), at(2))
        await people.known.links.revoke(anna)
        with pytest.raises(LinkRevoked):
            await people.ways.enter(newer, Visitor(new_secret()), at(3))
        with pytest.raises(NoSuchLink):
            await people.ways.enter(new_secret(), Visitor(new_secret()), at(4))

    async def test_links_go_away_by_themselves(self, people: People):
        anna, _ = await people.somebody("Anna")
        token = await people.link(anna)
        await people.ways.enter(token, Visitor(new_secret()), at(1))
        for key in await people.client.keys("*link*"):
            assert await people.client.pttl(key) > 0

    async def test_only_hashes_are_stored(self, people: People):
        anna, _ = await people.somebody("Anna")
        secrets = [await people.link(anna), await people.code(anna)]
        stored = [repr((key, await people.client.dump(key))) for key in await people.client.keys("*")]
        assert not any(secret in text for secret in secrets for text in stored)


class TestSomebodyElse:
    async def test_a_device_switches_and_its_tables_stay_with_who_it_was(self, people: People):
        anna, _ = await people.somebody("Anna")
        bert, phone = await people.somebody("Bert")
        arrival = await people.ways.enter(await people.link(anna), Visitor(phone), at(1))
        assert await people.person(arrival.session) == anna
        assert await people.person(phone) == ""
        assert await people.known.persons.of(bert) is not None

    async def test_a_device_brings_its_tables_along_and_who_it_was_is_no_more(self, people: People):
        anna, _ = await people.somebody("Anna")
        other, phone = await people.somebody("Anna's phone")
        code = await people.code(other)
        issued = people.identity.for_person("m1", other, "key")
        await people.identity.remember(issued, "seat")
        holder = await people.identity.holder(issued.token, "m1")
        await people.known.memberships.collect(other, holder, at())
        await people.ways.enter(await people.link(anna), Visitor(phone, joins=True), at(1))
        assert await people.known.memberships.held(anna, "m1") == Held(holder.player, "", anna)
        assert await people.known.persons.of(other) is None
        # What is printed still leads somewhere.
        assert (await people.ways.recover(code, Visitor(new_secret()), at(2))).person == anna


class TestSeats:
    async def test_the_token_of_a_seat_gives_that_seat_and_stays_good(self, people: People):
        issued = people.identity.for_seat("m1", "key")
        await people.identity.remember(issued, "seat")
        for _ in range(2):
            arrival = await people.ways.enter(issued.token, Visitor(new_secret()), at())
            assert arrival.match == "m1"
            assert (await people.known.memberships.held(arrival.person, "m1")).seat == issued.player

    async def test_a_seat_that_was_given_back_is_one_persons_and_old_tokens_open_nothing(
        self, people: People
    ):
        issued = people.identity.for_seat("m1", "key")
        await people.identity.remember(issued, "seat")
        thief = await people.ways.enter(issued.token, Visitor(new_secret()), at())
        holder = await people.identity.holder(issued.token, "m1")
        token = new_secret()
        await people.known.links.make_for_seat(token, holder, at())
        anna, phone = await people.somebody("Anna")
        assert (await people.ways.enter(token, Visitor(phone), at(SEAT_SECONDS - 1))).person == anna
        assert (await people.known.memberships.held(anna, "m1")).seat == issued.player
        assert (await people.known.memberships.held(thief.person, "m1")).seat == ""
        assert await people.identity.find(issued.token) is None
        with pytest.raises(NoSuchLink):
            await people.ways.enter(issued.token, Visitor(new_secret()), at())


class TestRecoveryCodes:
    async def test_a_code_lets_in_however_it_is_typed_until_it_is_replaced(self, people: People):
        anna, _ = await people.somebody("Anna")
        code = await people.code(anna)
        typed = " " + code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
        for given in (code, typed):
            arrival = await people.ways.recover(given, Visitor(new_secret(), "Safari, Mac"), at(1))
            assert (arrival.person, await people.person(arrival.session)) == (anna, anna)
        known = await people.known.codes.of(anna)
        assert known is not None
        assert (known.since, known.used) == (at(), at(1))
        other = await people.code(anna)
        with pytest.raises(NoSuchCode):
            await people.ways.recover(code, Visitor(new_secret()), at(2))
        await people.known.codes.erase(anna)
        with pytest.raises(NoSuchCode):
            await people.ways.recover(other, Visitor(new_secret()), at(3))

    @pytest.mark.parametrize(
        "given", ["", "-", "ABCDE", "A" * 21, "U" * 20, "\N{CYRILLIC CAPITAL LETTER A}" * 20]
    )
    async def test_what_cannot_be_a_code_is_none(self, people: People, given: str):
        assert read(given) == ""
        with pytest.raises(NoSuchCode):
            await people.ways.recover(given, Visitor(new_secret()), at())

    def test_a_code_is_four_groups_of_a_hundred_bits(self):
        code = written(hash_of("something").encode())
        assert re.fullmatch(f"(?:[{ALPHABET}]{{5}}-){{3}}[{ALPHABET}]{{5}}", code)
        assert written(bytes(32)) == "-".join(["00000"] * 4)
        assert read(code) == code.replace("-", "")

    async def test_the_same_request_makes_one_code(self, people: People):
        anna, _ = await people.somebody("Anna")
        code = people.identity.for_recovery(anna, "a key")
        first = await people.known.codes.give(anna, code, at())
        assert await people.known.codes.give(anna, code, at(5)) == first

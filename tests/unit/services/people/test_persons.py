"""Persons, their tables and their devices."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from domain.instants import Instant, instant_from_milliseconds
from services.people.hashed_secrets import hash_of, new_secret
from services.people.identity import Holder
from services.people.memberships import Held, Memberships
from services.people.persons import PROVISIONAL_SECONDS, Person, Persons, Wish
from services.people.player_names import PlayerNames
from services.people.sessions import LASTING_SECONDS, Sessions

NOW = 1_764_445_583_123
DAY = 24 * 3600 * 1000


def at(milliseconds: int = 0) -> Instant:
    return instant_from_milliseconds(NOW + milliseconds)


class People:
    def __init__(self, client: FakeAsyncRedis) -> None:
        self.client = client
        self.persons, self.memberships = Persons(client), Memberships(client)
        self.sessions = Sessions(client, self.persons, self.memberships, PlayerNames(client))

    async def anna(self) -> tuple[Person, str]:
        person, session = await self.persons.create(at(), "Anna"), new_secret()
        await self.sessions.begin(session, person.id, at(), "Firefox, Linux")
        return person, session


@pytest.fixture
async def people() -> AsyncIterator[People]:
    async with FakeAsyncRedis() as client:
        yield People(client)


class TestWishes:
    async def test_what_is_not_wished_for_stays(self, people: People):
        anna, _ = await people.anna()
        await people.persons.change(anna.id, Wish(time_zone="Europe/Paris", preferences={"theme": "dark"}))
        changed = await people.persons.change(anna.id, Wish("  Anna\u202e  B. "))
        assert changed is not None
        assert (changed.name, changed.time_zone, changed.preferences) == (
            "Anna B.",
            "Europe/Paris",
            {"theme": "dark"},
        )
        assert await people.persons.of(anna.id) == changed

    async def test_two_devices_change_different_things_at_once(self, people: People):
        anna, _ = await people.anna()
        wishes = [Wish(preferences={f"choice-{number}": "yes"}) for number in range(8)]
        await asyncio.gather(*(people.persons.change(anna.id, wish) for wish in wishes))
        known = await people.persons.of(anna.id)
        assert known is not None
        assert len(known.preferences) == 8

    async def test_an_empty_preference_is_taken_away(self, people: People):
        anna, _ = await people.anna()
        await people.persons.change(anna.id, Wish(preferences={"theme": "dark", "sound": "on"}))
        changed = await people.persons.change(anna.id, Wish(preferences={"theme": ""}))
        assert changed is not None
        assert changed.preferences == {"sound": "on"}

    async def test_nobody_is_changed_who_is_not_there(self, people: People):
        assert await people.persons.change("u-nobody", Wish("Anna")) is None


class TestSessions:
    async def test_two_forms_of_one_browser_make_one_person(self, people: People):
        session = new_secret()
        made = [await people.persons.create(at()) for _ in range(2)]
        owners = await asyncio.gather(*(people.sessions.begin(session, one.id, at()) for one in made))
        assert len(set(owners)) == 1
        assert await people.sessions.person(session, at()) == owners[0]

    async def test_a_device_that_is_shut_out_knows_nobody(self, people: People):
        anna, laptop = await people.anna()
        phone = new_secret()
        await people.sessions.begin(phone, anna.id, at(1), "Safari, iPhone")
        assert [one.device for one in await people.sessions.of(anna.id)] == [
            "Safari, iPhone",
            "Firefox, Linux",
        ]
        assert await people.sessions.end(anna.id, hash_of(phone))
        assert await people.sessions.person(phone, at()) == ""
        assert await people.sessions.person(laptop, at()) == anna.id
        assert not await people.sessions.end(anna.id, hash_of(phone))

    async def test_nobody_ends_the_sessions_of_others(self, people: People):
        anna, session = await people.anna()
        bert = await people.persons.create(at(), "Bert")
        assert not await people.sessions.end(bert.id, hash_of(session))
        assert await people.sessions.person(session, at()) == anna.id

    async def test_all_devices_but_this_one_are_shut_out_at_once(self, people: People):
        anna, session = await people.anna()
        for _ in range(3):
            await people.sessions.begin(new_secret(), anna.id, at())
        assert await people.sessions.end_all(anna.id, but=hash_of(session)) == 3
        assert [one.id for one in await people.sessions.of(anna.id)] == [hash_of(session)]

    async def test_who_comes_back_another_day_is_kept(self, people: People):
        anna, session = await people.anna()
        assert await people.persons.forgotten(at(PROVISIONAL_SECONDS * 1000), 9) == [anna.id]
        assert await people.sessions.person(session, at(DAY)) == anna.id
        assert await people.client.ttl(f"tb:people:session:{hash_of(session)}") == LASTING_SECONDS
        assert await people.persons.forgotten(at(PROVISIONAL_SECONDS * 1000), 9) == []

    async def test_a_session_that_expired_is_no_longer_listed(self, people: People):
        anna, session = await people.anna()
        await people.client.delete(f"tb:people:session:{hash_of(session)}")
        assert await people.sessions.of(anna.id) == []
        assert await people.client.smembers(f"tb:people:person:{anna.id}:sessions") == set()


class TestMemberships:
    async def test_a_seat_is_one_persons(self, people: People):
        anna, _ = await people.anna()
        bert = await people.persons.create(at(), "Bert")
        seat = Holder("m1", "p1", "seat")
        await people.memberships.collect(anna.id, seat, at())
        await people.memberships.collect(bert.id, seat, at(1))
        assert await people.memberships.held(anna.id, "m1") == Held(person=anna.id)
        assert await people.memberships.held(bert.id, "m1") == Held("p1", person=bert.id)
        assert await people.memberships.persons_of(["p1"]) == [bert.id]

    async def test_what_somebody_gave_up_later_stays_with_who_has_it_now(self, people: People):
        anna, _ = await people.anna()
        bert = await people.persons.create(at(), "Bert")
        seat = Holder("m1", "p1", "seat")
        await people.memberships.collect(bert.id, seat, at())
        await people.memberships.drop(anna.id, seat)
        assert await people.memberships.persons_of(["p1"]) == [bert.id]

    async def test_nothing_leads_to_an_erased_person(self, people: People):
        anna, _ = await people.anna()
        for number in range(3):
            await people.memberships.collect(anna.id, Holder(f"m{number}", f"p{number}", "seat"), at())
        assert len(await people.memberships.erase(anna.id)) == 3
        await people.sessions.end_all(anna.id)
        await people.persons.erase(anna.id)
        assert await people.client.keys() == []

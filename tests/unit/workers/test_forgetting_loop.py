"""Who never came back is forgotten after thirty days, and nobody else."""

from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from domain.instants import after
from services.bootstrap.people import PeopleParts
from services.people.hashed_secrets import new_secret
from services.people.persons import PROVISIONAL_SECONDS
from tests.kit.instants import NOON
from tests.kit.memory_store import MemoryEventStore
from tests.kit.parts import people_over
from workers.forgetting_loop import ForgettingLoop

LATER = after(NOON, PROVISIONAL_SECONDS)


@pytest.fixture
async def people() -> AsyncIterator[PeopleParts]:
    async with FakeAsyncRedis() as client:
        yield people_over(client, MemoryEventStore())


async def come(people: PeopleParts, name: str) -> str:
    person = await people.persons.create(NOON, name)
    await people.sessions.begin(new_secret(), person.id, NOON)
    return person.id


async def test_who_never_came_back_is_forgotten_and_leaves_nothing(people: PeopleParts):
    persons = [await come(people, f"Somebody {number}") for number in range(5)]
    assert await ForgettingLoop(people.dossiers, people.clubs, lambda: after(LATER, -1)).step() == 0
    assert await ForgettingLoop(people.dossiers, people.clubs, lambda: LATER).step() == 5
    assert await people.persons.of_many(persons) == [None] * 5
    assert await people.log_client.keys("tb:people:*") == []


@pytest.mark.parametrize("way", ["link", "code", "move"])
async def test_who_took_a_way_back_or_moved_is_kept(people: PeopleParts, way: str):
    person = await come(people, "Anna")
    if way == "link":
        arrival = await people.links.make_for_person(new_secret(), person, NOON)
        assert arrival.person == person
    elif way == "code":
        await people.codes.give(person, people.identity.for_recovery(person, "key"), NOON)
    await people.persons.keep(person)
    assert await ForgettingLoop(people.dossiers, people.clubs, lambda: LATER).step() == 0
    assert await people.persons.of(person) is not None


async def test_who_comes_back_while_others_are_erased_stays(people: PeopleParts):
    persons = [await come(people, f"Somebody {number}") for number in range(2)]
    forgotten = await people.persons.forgotten(LATER, 10)
    assert set(forgotten) == set(persons)
    await people.persons.keep(persons[0])
    assert not await people.persons.is_forgotten(persons[0], LATER)
    await ForgettingLoop(people.dossiers, people.clubs, lambda: LATER).step()
    assert [one is None for one in await people.persons.of_many(persons)] == [False, True]

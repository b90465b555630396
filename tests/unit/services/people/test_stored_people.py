"""What installations have stored about people keeps its meaning: keys and values are written here by hand."""

import hashlib
from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from domain.instants import instant_from_milliseconds
from services.people.identity import Holder, Identity
from services.people.memberships import Held, Memberships
from services.people.operators import LINK_SECONDS, SESSION_SECONDS, Operators
from services.people.persons import Persons
from services.people.player_names import PlayerNames
from services.people.sessions import FIRST_SECONDS, Sessions

INSTALLATION = b"secret of this installation"
SECRET = "k3jv0Xy-_" + "a" * 34
HASH = hashlib.sha256(SECRET.encode()).hexdigest()
NOW = 1_764_445_583_123
DAY = 24 * 3600 * 1000


def identity_of(client: FakeAsyncRedis) -> Identity:
    return Identity(INSTALLATION, client)


def sessions_of(client: FakeAsyncRedis) -> Sessions:
    return Sessions(client, Persons(client), Memberships(client), PlayerNames(client))


def operators_of(client: FakeAsyncRedis) -> Operators:
    return Operators(client)


@pytest.fixture
async def client() -> AsyncIterator[FakeAsyncRedis]:
    async with FakeAsyncRedis() as one:
        yield one


async def test_a_stored_token_opens_its_seat(client):
    await client.set(f"tb:people:token:{HASH}", b'{"match":"m1","player":"p7","role":"seat"}')
    assert await identity_of(client).holder(SECRET, "m1") == Holder("m1", "p7", "seat")


async def test_a_token_is_stored_under_its_hash(client):
    identity = identity_of(client)
    issued = identity.for_new_match("key 1")
    await identity.remember(issued, "host")
    token_hash = hashlib.sha256(issued.token.encode()).hexdigest()
    assert await client.keys() == [f"tb:people:token:{token_hash}".encode()]
    stored = await client.get(f"tb:people:token:{token_hash}")
    assert stored == f'{{"match":"{issued.match}","player":"{issued.player}","role":"host"}}'.encode()
    assert await client.ttl(f"tb:people:token:{token_hash}") == -1


async def test_a_session_of_an_earlier_version_becomes_a_persons_with_all_that_it_held(client):
    host = b'{"holder":{"match":"m1","player":"h1","role":"host"},"since":"2025-11-29T19:46:23.123Z"}'
    seat = b'{"holder":{"match":"m2","player":"p2","role":"seat"},"since":"2025-11-29T19:46:24.000Z"}'
    await client.hset(f"tb:people:session:{HASH}", mapping={"host:m1": host, "seat:m2": seat})
    await client.set("tb:people:name:p2", "Zoë".encode())
    now, memberships = instant_from_milliseconds(NOW), Memberships(client)
    person = await sessions_of(client).person(SECRET, now)
    assert await memberships.held(person, "m1") == Held(host="h1", person=person)
    assert await memberships.held(person, "m2") == Held(seat="p2", person=person)
    assert [one.holder.match for one in await memberships.of(person)] == ["m2", "m1"]
    assert await memberships.persons_of(["h1", "p2", "p3"]) == [person, person, ""]
    known = await Persons(client).of(person)
    assert known is not None
    assert known.name == "Zoë"
    assert await sessions_of(client).person(SECRET, now) == person
    assert await client.hkeys(f"tb:people:session:{HASH}") == [b"person", b"since", b"seen", b"device"]
    # They came back, so they are nobody to forget.
    assert await Persons(client).forgotten(instant_from_milliseconds(NOW + 1000 * DAY), 9) == []


async def test_a_person_is_stored_beside_their_session_and_their_tables(client):
    now = instant_from_milliseconds(NOW)
    person = await Persons(client).create(now, "Zoë")
    assert await sessions_of(client).begin(SECRET, person.id, now, "Firefox, Android") == person.id
    await Memberships(client).collect(person.id, Holder("m1", "p1", "seat"), now)
    assert await client.get(f"tb:people:person:{person.id}") == (
        f'{{"id":"{person.id}","since":"2025-11-29T19:46:23.123Z","name":"Zoë"}}'.encode()
    )
    assert await client.hgetall(f"tb:people:person:{person.id}:tables") == {
        b"seat:m1": b'{"holder":{"match":"m1","player":"p1","role":"seat"},"since":"2025-11-29T19:46:23.123Z"}'
    }
    assert await client.get("tb:people:player:p1") == person.id.encode()
    assert await client.hgetall(f"tb:people:session:{HASH}") == {
        b"person": person.id.encode(),
        b"since": str(NOW).encode(),
        b"seen": str(NOW).encode(),
        b"device": b"Firefox, Android",
    }
    assert await client.ttl(f"tb:people:session:{HASH}") == FIRST_SECONDS
    assert await client.smembers(f"tb:people:person:{person.id}:sessions") == {HASH.encode()}
    assert await client.zscore("tb:people:persons:provisional", person.id) == NOW + 30 * DAY


async def test_a_stored_link_opens_one_session(client):
    await client.zadd("tb:people:operators:links", {HASH: NOW + 1})
    operators = operators_of(client)
    now = instant_from_milliseconds(NOW)
    session = await operators.enter(SECRET, now)
    assert session is not None
    assert await operators.enter(SECRET, now) is None
    assert await client.zrange("tb:people:operators:links", 0, -1) == []
    session_hash = hashlib.sha256(session.encode()).hexdigest().encode()
    assert await client.zrange("tb:people:operators:sessions", 0, -1, withscores=True) == [
        (session_hash, NOW + SESSION_SECONDS * 1000)
    ]


async def test_a_stored_link_opens_nothing_from_its_end_on(client):
    await client.zadd("tb:people:operators:links", {HASH: NOW})
    assert await operators_of(client).enter(SECRET, instant_from_milliseconds(NOW)) is None


async def test_a_stored_operators_session_lasts_to_its_end(client):
    await client.zadd("tb:people:operators:sessions", {HASH: NOW})
    operators = operators_of(client)
    assert await operators.knows(SECRET, instant_from_milliseconds(NOW - 1))
    assert not await operators.knows(SECRET, instant_from_milliseconds(NOW))
    await operators.leave(SECRET)
    assert not await operators.knows(SECRET, instant_from_milliseconds(NOW - 1))


async def test_an_installation_that_made_a_link_makes_no_first_one(client):
    await client.set("tb:people:operators:begun", 1)
    assert await operators_of(client).make_first_link(instant_from_milliseconds(NOW)) is None


async def test_a_new_link_is_stored_with_its_end_and_takes_the_place_of_expired_ones(client):
    await client.zadd("tb:people:operators:links", {"long ago": NOW - DAY, "just now": NOW, "later": NOW + 1})
    link = await operators_of(client).make_link(instant_from_milliseconds(NOW))
    link_hash = hashlib.sha256(link.encode()).hexdigest().encode()
    assert await client.zrange("tb:people:operators:links", 0, -1, withscores=True) == [
        (b"later", NOW + 1),
        (link_hash, NOW + LINK_SECONDS * 1000),
    ]
    assert await client.get("tb:people:operators:begun") == b"1"


async def test_only_what_lasts_is_counted_when_everything_is_ended(client):
    await client.zadd("tb:people:operators:links", {"old": NOW, "one": NOW + 1, "two": NOW + 2})
    await client.zadd("tb:people:operators:sessions", {"old": NOW - 1, "one": NOW + 1})
    assert await operators_of(client).end_all(instant_from_milliseconds(NOW)) == (1, 2)
    assert await client.keys() == []


async def test_a_stored_name_is_shown(client):
    await client.set("tb:people:name:p1", "Zoë".encode())
    assert await PlayerNames(client).of(["p1", "p2"]) == ["Zoë", ""]


async def test_a_name_is_stored_as_it_is_shown(client):
    await PlayerNames(client).give("p1", "  Zoë\n Martin ")
    assert await client.keys() == [b"tb:people:name:p1"]
    assert await client.get("tb:people:name:p1") == "Zoë Martin".encode()

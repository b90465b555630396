"""Clubs as they are kept: what leads to them, who is quicker, what is left of them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.instants import Instant, after
from services.errors import NoSuchClub, NoSuchInvitation
from services.people.clubs.changes import begun, closed, invited, left, removed, revoked, with_terms
from services.people.clubs.club import MOST_CLUBS, UNUSED_DAYS, Club, Member
from services.people.clubs.club_tables import MOST_OPEN
from services.people.clubs.clubs import Clubs
from services.people.clubs.invitations import invitation_for
from services.people.clubs.member_names import member_names
from services.people.hashed_secrets import hash_of, new_secret
from services.people.persons import Persons, Wish
from services.people.stored_text import text_of

NOW = Instant("2026-11-30T12:00:00.000Z")
DAY = 24 * 3600


def member(person: str, role="member") -> Member:
    return Member(f"n-{person}", person, role, NOW)


class House:
    def __init__(self, client: FakeAsyncRedis) -> None:
        self.client = client
        self.clubs, self.persons = Clubs(client), Persons(client)

    async def club(self, name: str = "c1", host: str = "hanna") -> Club:
        return await self.clubs.create(begun(name, "Thursday", NOW, member(host, "host")), NOW)

    async def code(self, club: str = "c1", uses: int = 9, host: str = "hanna") -> str:
        code = new_secret()
        made = invitation_for(code, "member", uses, 7, NOW)
        await self.clubs.change(club, lambda present: invited(present, host, made, NOW))
        return code

    async def join(self, code: str, person: str) -> Club:
        return await self.clubs.join(code, member(person), NOW)

    async def content(self) -> bytes:
        return b"".join([await self.client.dump(key) or b"" for key in await self.client.keys()])

    async def kept(self) -> set[str]:
        return {text_of(key) for key in await self.client.keys()}


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with FakeAsyncRedis() as client:
        yield House(client)


async def test_a_club_is_found_by_its_id_its_people_and_its_codes(house: House):
    await house.club()
    code = await house.code()
    joined = await house.join(code, "max")
    assert joined.role("max") == "member"
    assert await house.clubs.of("c1") == joined == await house.clubs.invited_to(code)
    assert await house.clubs.of_person("max") == [joined] == await house.clubs.of_person("hanna")
    assert await house.clubs.of_person("") == []
    assert [club async for club in house.clubs.all()] == [joined]


async def test_the_store_does_not_hold_what_opens_a_club(house: House):
    await house.club()
    code = await house.code()
    assert code.encode() not in await house.content()
    assert f"tb:people:invitation:{hash_of(code)}" in await house.kept()
    assert await house.client.ttl(f"tb:people:invitation:{hash_of(code)}") > 0


async def test_of_many_who_take_the_last_place_one_gets_it(house: House):
    await house.club()
    code = await house.code(uses=1)
    outcomes = await asyncio.gather(
        *(house.join(code, f"p{number}") for number in range(8)), return_exceptions=True
    )
    refused = [one.code for one in outcomes if isinstance(one, Refused)]
    assert refused == ["invitation.used_up"] * 7
    club = await house.clubs.of("c1")
    assert club is not None
    assert len(club.members) == 2
    assert [one.used for one in club.invitations] == [1]
    listed = [person for person in range(8) if await house.clubs.of_person(f"p{person}")]
    assert len(listed) == 1


async def test_what_is_done_at_once_is_all_done(house: House):
    await house.club()
    code = await house.code(uses=20)
    await asyncio.gather(
        *(house.join(code, f"p{number}") for number in range(12)),
        house.clubs.change("c1", lambda present: with_terms(present, "hanna", "Friday", None)),
    )
    club = await house.clubs.of("c1")
    assert club is not None
    assert (club.name, len(club.members), club.invitations[0].used) == ("Friday", 13, 12)


async def test_one_person_is_in_a_limited_number_of_clubs(house: House):
    for number in range(MOST_CLUBS):
        await house.club(f"c{number}")
    with pytest.raises(Refused, match=r"club\.too_many"):
        await house.club("one more")
    await house.club("another", host="max")
    code = await house.code("another", host="max")
    with pytest.raises(Refused, match=r"club\.too_many"):
        await house.join(code, "hanna")
    club = await house.clubs.of("another")
    assert club is not None
    assert club.role("hanna") is None
    assert (await house.club("c0")).id == "c0"  # the same request again


async def test_nothing_is_left_of_a_closed_club(house: House):
    await house.club()
    code = await house.code()
    await house.join(code, "max")
    await house.clubs.tables.record("c1", "m1", NOW)
    await house.clubs.tables.record("c1", "m2", NOW)
    await house.clubs.tables.settle("c1", {"m2": NOW})
    await house.clubs.change("c1", lambda present: closed(present, "hanna"))
    assert await house.kept() == set()
    for question in (house.clubs.invited_to(code), house.join(code, "zoe")):
        with pytest.raises(NoSuchInvitation):
            await question
    with pytest.raises(NoSuchClub):
        await house.clubs.change("c1", lambda present: left(present, "max"))


async def test_the_last_who_leaves_closes_the_club(house: House):
    await house.club()
    assert await house.clubs.change("c1", lambda present: left(present, "hanna")) is None
    assert await house.kept() == set()


async def test_whoever_was_removed_is_led_nowhere(house: House):
    await house.club()
    code = await house.code()
    await house.join(code, "max")
    await house.clubs.change("c1", lambda present: removed(present, "hanna", "n-max", NOW))
    assert await house.clubs.of_person("max") == []


async def test_an_erased_person_is_in_no_club(house: House):
    await house.club()
    await house.join(await house.code(), "max")
    await house.club("c2", host="max")
    await house.clubs.erase("max")
    assert b"max" not in await house.content()
    assert await house.clubs.of("c2") is None
    assert await house.clubs.of("c1") is not None


async def test_two_persons_who_turn_out_to_be_one_have_one_place(house: House):
    await house.club()
    await house.club("c2", host="max")
    await house.join(await house.code(), "max")
    await house.clubs.move("hanna", "max")
    first, second = [await house.clubs.of(one) for one in ("c1", "c2")]
    assert first is not None
    assert second is not None
    assert [(one.person, one.role) for one in first.members] == [("max", "host")]
    await house.clubs.move("max", "zoe")
    assert await house.clubs.of_person("max") == []
    assert {club.role("zoe") for club in await house.clubs.of_person("zoe")} == {"host"}


class TestExpiry:
    async def test_a_club_that_nobody_used_closes_when_another_is_made(self, house: House):
        await house.club()
        assert await house.clubs.closes_at("c1") == after(NOW, UNUSED_DAYS * DAY)
        await house.clubs.create(
            begun("c2", "Friday", NOW, member("max", "host")), after(NOW, UNUSED_DAYS * DAY)
        )
        assert await house.clubs.of("c1") is None

    async def test_a_club_with_two_people_or_a_table_stays(self, house: House):
        await house.club()
        await house.join(await house.code(), "max")
        await house.club("c2", host="zoe")
        await house.clubs.tables.record("c2", "m1", NOW)
        assert await house.clubs.close_unused(after(NOW, 9999 * DAY), 10) == 0
        assert await house.clubs.closes_at("c1") is None

    async def test_an_invitation_says_for_a_while_why_it_is_over(self, house: House):
        await house.club()
        code = await house.code()
        club = await house.clubs.invited_to(code)
        await house.clubs.change("c1", lambda present: revoked(present, "hanna", club.invitations[0].id))
        with pytest.raises(Refused, match=r"invitation\.revoked"):
            await house.join(code, "max")
        with pytest.raises(NoSuchInvitation):
            await house.clubs.invited_to("no code")


class TestTables:
    async def test_a_table_is_one_clubs(self, house: House):
        await house.club()
        await house.club("c2", host="max")
        await house.clubs.tables.record("c1", "m1", NOW)
        await house.clubs.tables.record("c1", "m1", NOW)
        with pytest.raises(Refused, match=r"match\.exists"):
            await house.clubs.tables.record("c2", "m1", NOW)
        assert [table.match for table in await house.clubs.tables.open("c1")] == ["m1"]
        assert await house.clubs.tables.open("c2") == []

    async def test_it_is_its_peoples_and_nobody_elses(self, house: House):
        await house.club()
        await house.clubs.tables.record("c1", "m1", NOW)
        assert await house.clubs.has_at("m1", "hanna") == "theirs"
        assert await house.clubs.has_at("of no club", "hanna") == ""
        for stranger in ("max", ""):
            assert await house.clubs.has_at("m1", stranger) == "others"

    async def test_open_tables_are_limited(self, house: House):
        await house.club()
        for number in range(MOST_OPEN):
            await house.clubs.tables.require_room("c1")
            await house.clubs.tables.record("c1", f"m{number}", NOW)
        with pytest.raises(Refused, match=r"club\.too_many_tables"):
            await house.clubs.tables.require_room("c1")
        await house.clubs.tables.drop("c1", ["m0"])
        await house.clubs.tables.require_room("c1")
        assert await house.clubs.tables.club_of("m0") == ""


async def test_members_with_one_name_are_told_apart(house: House):
    people = [await house.persons.create(NOW, name) for name in ("Anna", "anna", "", "Anna")]
    club = Club("c1", "Thursday", NOW, tuple(member(one.id) for one in people))
    names = await member_names(house.persons, club, "en")
    assert [names[f"n-{one.id}"] for one in people] == ["Anna", "anna (2)", "Member 3", "Anna (3)"]
    await house.persons.change(people[0].id, Wish("Zoë"))
    assert (await member_names(house.persons, club, "en"))[f"n-{people[1].id}"] == "anna"

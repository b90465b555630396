"""What is kept about a person: shown to them, joined with another's, erased from everything but the logs."""

from typing import Any

import pytest
from fakeredis import FakeAsyncRedis

from services.bootstrap import present_instant
from services.log.proof import prove
from services.people.dossiers import SitsTwice
from services.people.hashed_secrets import hash_of
from services.words.kept_data import KEPT_DATA
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader

NAME = "Zoë Quince"


async def person_of(pages: Pages, reader: Reader) -> str:
    return await pages.application.sessions.person(reader.client.cookies["tablee"], present_instant())


async def kept(pages: Pages) -> str:
    """Everything that the server keeps beside the logs, as one text."""
    found: list[str] = []
    client: Any = FakeAsyncRedis(server=pages.people)
    async for key in client.scan_iter(match="*"):
        kind, value = await client.type(key), None
        match kind:
            case b"string":
                value = await client.get(key)
            case b"hash":
                value = await client.hgetall(key)
            case b"set":
                value = await client.smembers(key)
            case b"zset":
                value = await client.zrange(key, 0, -1)
            case b"list":
                value = await client.lrange(key, 0, -1)
        assert value is not None, kind
        found.append(f"{key.decode()} {value!r}")
    await client.aclose()
    # As Python shows bytes.
    return "\n".join(found).replace("\\xc3\\xab", "ë")


async def three_tables(pages: Pages) -> tuple[Reader, list[str]]:
    """Somebody at a table that waits, at one that is played with another person, and at one with bots."""
    zoe, bert = pages.reader(), pages.reader()
    waiting = await zoe.make_table("lama", "me", "person", "person", name=NAME)
    await bert.sit(waiting, name="Bert")
    played = await zoe.make_table("odin", "me", "person", "bot", name=NAME)
    await bert.sit(played, name="Bert")
    await bert.submit("/ready")
    alone = await zoe.make_table("skyjo", "me", "bot", name=NAME)
    return zoe, [waiting, played, alone]


async def test_the_dossier_shows_all_kinds_and_no_secret(pages: Pages):
    zoe, matches = await three_tables(pages)
    shown = await pages.application.dossiers.of(await person_of(pages, zoe))
    assert set(shown) == set(KEPT_DATA)
    assert shown["person"]["name"] == NAME
    assert {row["match"] for row in shown["tables"]} == set(matches)
    assert shown["names_at_tables"] == dict.fromkeys(matches, NAME)
    assert zoe.client.cookies["tablee"] not in repr(shown)


async def test_an_erased_person_is_gone_from_everything_but_the_logs_which_still_prove_themselves(
    pages: Pages,
):
    zoe, matches = await three_tables(pages)
    person, session = await person_of(pages, zoe), zoe.client.cookies["tablee"]
    before = await kept(pages)
    assert all(one in before for one in (person, hash_of(session), NAME))
    await pages.application.dossiers.erase(person, present_instant())
    left = await kept(pages)
    assert [one for one in (person, hash_of(session), NAME) if one in left] == []
    states = [(await pages.application.reader.head(match)).state for match in matches]
    assert [state.lifecycle.phase for state in states] == ["gathering", "playing", "finished"]
    assert states[0].seats[0].kind == "open"
    assert states[1].seats[0].resigned
    for match in matches:
        assert (await prove(pages.application.store, match)).good, match
    page = await zoe.get("/")
    assert "/m/" not in page.text


async def test_an_erasure_that_broke_off_is_carried_on_by_the_sweep(pages: Pages, monkeypatch):
    zoe, _ = await three_tables(pages)
    person, dossiers = await person_of(pages, zoe), pages.application.dossiers

    async def broken(_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(dossiers.kinds[-2], "erase", broken)
        with pytest.raises(ConnectionError):
            await dossiers.erase(person, present_instant())
    assert await dossiers.sweep(present_instant(), 10) == 1
    assert person not in await kept(pages)
    assert await dossiers.sweep(present_instant(), 10) == 0


async def test_two_persons_become_one_with_all_their_tables_and_devices(pages: Pages):
    zoe, matches = await three_tables(pages)
    elsewhere = pages.reader()
    other = await elsewhere.make_table("lama", "me", "bot", name="Z.")
    ids = [await person_of(pages, reader) for reader in (zoe, elsewhere)]
    await pages.application.dossiers.join(ids[1], ids[0], present_instant())
    assert [await person_of(pages, reader) for reader in (zoe, elsewhere)] == [ids[0], ids[0]]
    assert ids[1] not in await kept(pages)
    for match in (*matches, other):
        assert "/m/" + match in (await zoe.get("/")).text
    state = (await pages.application.reader.head(other)).state
    assert state.lifecycle.phase == "playing"


async def test_who_sits_at_one_table_twice_does_not_become_one(pages: Pages):
    zoe, bert = pages.reader(), pages.reader()
    match = await zoe.make_table("lama", "me", "person", name=NAME)
    await bert.sit(match, name="Bert")
    ids = [await person_of(pages, reader) for reader in (zoe, bert)]
    before = await kept(pages)
    with pytest.raises(SitsTwice):
        await pages.application.dossiers.join(ids[1], ids[0], present_instant())
    assert await kept(pages) == before

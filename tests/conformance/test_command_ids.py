"""No command has two effects, however often it is sent, and nobody meets another one's command."""

import pytest

from services.bootstrap.clients import LOOKING, blocking_client
from services.log.event_store.contract import (
    ACTORS_KEPT,
    COMMANDS_KEPT,
    Appended,
    CommandReused,
    Conflict,
    Duplicate,
    KnownCommand,
)
from services.log.event_store.known_commands import has_accepted
from tests.conformance.backends import REAL, database_of
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))


async def test_the_same_command_again_has_its_first_answer_and_no_effect(store):
    ada = Journal()
    append = await ada.write(store, 2)
    for _ in range(3):
        assert await store.append(append) == Duplicate(1, 2)
    assert await ada.matches(store)


async def test_it_keeps_its_answer_when_others_have_gone_on(store):
    ada = Journal()
    append = await ada.write(store, 2)
    for number in range(3 * COMMANDS_KEPT):
        await ada.write(store, actor=f"p_{number % 3}")
    assert await store.append(append) == Duplicate(1, 2)


async def test_the_same_id_for_another_command_is_refused(store):
    ada = Journal()
    await ada.write(store, 2, command_id="c", fingerprint="one")
    assert await store.append(ada.command(command_id="c", fingerprint="two")) == CommandReused(1, 2)
    # Fingerprints are compared whole.
    assert await store.append(ada.command(command_id="c", fingerprint="on")) == CommandReused(1, 2)
    assert await store.append(ada.command(command_id="c", fingerprint="one1")) == CommandReused(1, 2)


async def test_two_actors_with_the_same_id_do_not_meet(store):
    ada = Journal()
    await ada.write(store, actor="p_ada", command_id="c", fingerprint="one")
    await ada.write(store, actor="p_eve", command_id="c", fingerprint="two")
    await ada.write(store, actor="p_ada.", command_id="c", fingerprint="three")
    assert await store.command("m", "p_ada", "c") == KnownCommand("one", 1, 1)
    assert await store.command("m", "p_eve", "c") == KnownCommand("two", 2, 2)
    assert await store.command("m", "p_ada.", "c") == KnownCommand("three", 3, 3)


async def test_the_same_id_in_two_matches_does_not_meet(store):
    await Journal("m").write(store, command_id="c", fingerprint="one")
    await Journal("n").write(store, command_id="c", fingerprint="two")
    assert await store.command("m", "p_ada", "c") == KnownCommand("one", 1, 1)


async def test_ids_that_hold_each_other_do_not_meet(store):
    ada = Journal()
    ids = ("c", "c1", "1", "11", "-", ".", "..", "a+b", "x=y/z~", "bot-m-12-0", "0", "C")
    for one in ids:
        await ada.write(store, command_id=one, fingerprint="print")
    for version, one in enumerate(ids, 1):
        assert await store.append(ada.command(command_id=one, fingerprint="print")) == Duplicate(
            version, version
        )


async def test_a_fingerprint_or_a_number_is_no_command_id(store):
    ada = Journal()
    await ada.write(store, command_id="c", fingerprint="f")
    await ada.write(store, command_id="f", fingerprint="g")
    await ada.write(store, command_id="1", fingerprint="h")
    assert await store.append(ada.command(command_id="f", fingerprint="g")) == Duplicate(2, 2)
    assert await store.append(ada.command(command_id="1", fingerprint="h")) == Duplicate(3, 3)
    assert await store.append(ada.command(command_id="g", fingerprint="h")) == Appended(4, 4)


@pytest.mark.parametrize("fingerprint", ["f", "f" * 64])
async def test_the_last_commands_of_each_actor_are_remembered(store, fingerprint):
    ada = Journal()
    ids = [f"c{number}" for number in range(COMMANDS_KEPT + 1)]
    for number, one in enumerate(ids):
        await ada.write(store, 2, command_id=one, fingerprint=fingerprint)
        await ada.write(store, 1, actor="p_eve", command_id=f"e{number}")

    # The 17th has made room for itself.
    assert await store.command("m", "p_ada", ids[0]) is None
    for number, one in enumerate(ids[1:], 1):
        assert await store.command("m", "p_ada", one) == KnownCommand(
            fingerprint, 3 * number + 1, 3 * number + 2
        )


async def test_a_forgotten_command_is_still_stopped_by_its_version(store):
    ada = Journal()
    forgotten = await ada.write(store)
    for _ in range(COMMANDS_KEPT):
        await ada.write(store)
    assert await store.append(forgotten) == Conflict(ada.version, ada.head)


async def test_a_refused_command_may_be_sent_again_with_its_id(store):
    ada, eve = Journal(), Journal()
    await ada.write(store)
    assert isinstance(await store.append(eve.command(command_id="c")), Conflict)
    eve.entries = ada.entries[:]
    await eve.write(store, command_id="c", fingerprint="decided-anew")


@pytest.mark.backends(*REAL, shards=(1, 16))
async def test_whether_a_command_was_accepted_can_be_asked_without_a_store(store, server):
    ada = Journal()
    for number in (1, 12):
        await ada.write(store, command_id=f"bot-m-{number}-0", actor="bot-0")

    log = server.url(database_of(store.shards))

    def accepted(command_id: str, actor: str = "bot-0", match: str = "m", *, url: str = log) -> bool:
        with blocking_client(url, LOOKING) as client:
            return has_accepted(client, store.shards, match, actor, command_id)

    assert accepted("bot-m-1-0")
    assert accepted("bot-m-12-0")
    assert not accepted("bot-m-2-0")
    assert not accepted("bot-m-1")
    assert not accepted("bot-m-1-0", actor="bot-1")
    assert not accepted("bot-m-1-0", match="m2")
    assert not accepted("bot-m-1-0", url="unix:///nowhere.sock")


@pytest.mark.backends(*REAL, shards=(16,))
@pytest.mark.parametrize("ending", ["kill", "stop"])
async def test_commands_are_remembered_after_the_server_was_restarted(store, server, ending):
    ada = Journal()
    appends = [await ada.write(store, 2, due=number) for number in range(COMMANDS_KEPT)]
    await store.record_refusal("m", b"{}")
    assert await store.advance("lobby", 0, None, 3)
    before = await everything(store)

    getattr(server, ending)()
    server.start()

    assert await everything(store) == before
    assert await store.checkpoint("lobby", 0) == 3
    for number, append in enumerate(appends):
        assert await store.append(append) == Duplicate(2 * number + 1, 2 * number + 2)
    assert isinstance(
        await store.append(ada.command(command_id=appends[0].command_id, text="x")), CommandReused
    )
    await ada.write(store)
    assert await ada.matches(store)


async def test_actors_who_hold_nothing_are_forgotten_once_there_are_too_many(store):
    ada, holders = Journal(), ("p_host", "p_seat")
    for actor in holders:
        await ada.write(store, actor=actor, command_id="sat", holders=holders)
    strangers = [f"p_{number}" for number in range(3 * ACTORS_KEPT)]
    for actor in strangers:
        await ada.write(store, actor=actor, command_id="came", holders=holders)
        await ada.write(store, actor=actor, command_id="went", holders=holders)

    remembered = [actor for actor in strangers if await store.command("m", actor, "went") is not None]
    assert remembered == strangers[len(holders) - ACTORS_KEPT :]
    for actor in holders:
        assert await store.command("m", actor, "sat") is not None
    assert await ada.matches(store)


async def test_who_was_silent_for_longest_is_forgotten_first(store):
    ada = Journal()
    actors = [f"p_{number}" for number in range(ACTORS_KEPT)]
    for actor in actors:
        await ada.write(store, actor=actor, command_id="came")
    await ada.write(store, actor=actors[0], command_id="spoke")
    await ada.write(store, actor="p_new", command_id="came")
    assert await store.command("m", actors[0], "came") is not None
    assert await store.command("m", actors[1], "came") is None
    assert await store.command("m", "p_new", "came") is not None


async def test_holders_are_remembered_even_if_they_are_too_many(store):
    ada = Journal()
    actors = tuple(f"p_{number}" for number in range(ACTORS_KEPT + 3))
    for actor in actors:
        await ada.write(store, actor=actor, command_id="came", holders=actors)
    assert [actor for actor in actors if await store.command("m", actor, "came") is None] == []

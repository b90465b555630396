"""Ids and tokens follow from the caller's secret key: a retry gets the same ones, and nobody can guess another's."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fakeredis import FakeAsyncRedis

from services.errors import Unauthenticated
from services.people.identity import HOLDERS_KEPT, Holder, Identity


class WatchedClient(FakeAsyncRedis):
    """Counts the questions."""

    asked = 0

    async def execute_command(self, *arguments: Any, **options: Any) -> Any:
        self.asked += arguments[0] == "GET"
        return await super().execute_command(*arguments, **options)


@pytest.fixture
async def client() -> AsyncIterator[WatchedClient]:
    async with WatchedClient() as one:
        yield one


@pytest.fixture
def identity(client) -> Identity:
    return Identity(b"secret of this installation", client)


def test_the_same_key_gives_the_same_match_host_token_and_command(identity):
    assert identity.for_new_match("key 1") == identity.for_new_match("key 1")
    assert identity.for_seat("m1", "key 1") == identity.for_seat("m1", "key 1")


def test_another_key_another_match_or_another_installation_give_others(identity):
    other = Identity(b"another secret", FakeAsyncRedis())
    issued = [
        identity.for_new_match("key 1"),
        identity.for_new_match("key 2"),
        other.for_new_match("key 1"),
        identity.for_seat("m1", "key 1"),
        identity.for_seat("m1", "key 2"),
        identity.for_seat("m2", "key 1"),
        other.for_seat("m1", "key 1"),
    ]
    for part in ("player", "token", "command_id"):
        assert len({getattr(one, part) for one in issued}) == len(issued)
    assert len({one.match for one in issued[:3]}) == 3


def test_what_goes_into_the_log_does_not_give_the_key_or_the_token_away(identity):
    issued = identity.for_seat("m1", "my secret key")
    public = issued.match + issued.player + issued.command_id
    assert "secret" not in public
    assert issued.token not in public


def test_ids_can_be_written_into_a_log_and_an_address(identity):
    issued = identity.for_new_match("key 1")
    for text in (issued.match, issued.player, issued.command_id, issued.token):
        assert all(letter.isalnum() or letter in "-_" for letter in text)
        assert len(text) <= 64


def test_tokens_of_host_and_seat_differ_though_the_key_is_the_same(identity):
    host = identity.for_new_match("key 1")
    assert identity.for_seat(host.match, "key 1").token != host.token


async def test_who_holds_a_token_is_known_by_its_hash_alone(identity, client):
    issued = identity.for_seat("m1", "key 1")
    await identity.remember(issued, "seat")
    assert await identity.holder(issued.token, "m1") == Holder("m1", issued.player, "seat")
    (key,) = await client.keys()
    assert issued.token not in f"{key} {await client.get(key)}"


async def test_a_token_that_nobody_holds_opens_nothing(identity):
    with pytest.raises(Unauthenticated):
        await identity.holder("made up", "m1")


async def test_a_token_opens_its_own_match_only(identity):
    issued = identity.for_seat("m1", "key 1")
    await identity.remember(issued, "seat")
    await identity.holder(issued.token, "m1")
    with pytest.raises(Unauthenticated):
        await identity.holder(issued.token, "m2")


async def test_a_holder_is_asked_for_once(identity, client):
    issued = identity.for_seat("m1", "key 1")
    await identity.remember(issued, "seat")
    for _ in range(5):
        await identity.holder(issued.token, "m1")
    assert client.asked == 1


async def test_an_unknown_token_is_asked_for_every_time_for_it_may_come_to_be_held(identity, client):
    issued = identity.for_seat("m1", "key 1")
    for _ in range(2):
        with pytest.raises(Unauthenticated):
            await identity.holder(issued.token, "m1")
    await identity.remember(issued, "seat")
    await identity.holder(issued.token, "m1")
    assert client.asked == 3


async def test_memory_is_bounded(identity, client):
    issued = [identity.for_seat("m1", f"key {number}") for number in range(HOLDERS_KEPT + 1)]
    for one in issued:
        await identity.remember(one, "seat")
        await identity.holder(one.token, "m1")
    asked = client.asked
    await identity.holder(issued[-1].token, "m1")
    assert client.asked == asked
    await identity.holder(issued[0].token, "m1")
    assert client.asked == asked + 1


def test_a_bots_chance_is_its_own_and_the_same_in_every_process(identity):
    again = Identity(b"secret of this installation", FakeAsyncRedis())
    seed = identity.bot_seed("bot-m1-7-0")
    assert seed == again.bot_seed("bot-m1-7-0") != identity.bot_seed("bot-m1-7-1")
    assert len(bytes.fromhex(seed)) == 32

"""Many ask on one connection: everybody gets their own replies, and nobody suffers for somebody else's."""

import asyncio
import os
import signal

import pytest

from services.log.event_store.connections import Connections, NoReply, StoreRefused
from services.log.event_store.patience import Patience
from services.log.event_store.scripts import SECURE


@pytest.fixture
async def connections(server):
    made = Connections.to_url(server.url(), Patience(connect=20, reply=20, resolve=20))
    yield made
    await made.close()


def _opened(connections):
    return connections._sharing.connection


async def test_many_who_ask_at_once_get_their_own_replies_over_one_connection(connections):
    async def ask(number):
        return await connections.ask(("ECHO", f"{number}"), ("ECHO", f"again {number}"))

    found = await asyncio.gather(*map(ask, range(200)))
    assert found == [[b"%d" % number, b"again %d" % number] for number in range(200)]
    assert len(connections._pool._in_use_connections) == 1
    assert not connections._pool._available_connections


async def test_a_refusal_is_told_to_whoever_asked_and_to_nobody_else(connections):
    asking = connections.ask(("ECHO",), ("ECHO", "mine")), connections.ask(("ECHO", "yours"))
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(found[0], StoreRefused)
    assert found[1] == [b"yours"]


async def test_who_is_cancelled_leaves_the_others_their_replies(connections):
    await connections.ask(("PING",))
    asking = [asyncio.create_task(connections.ask(("ECHO", f"{number}"))) for number in range(9)]
    await asyncio.sleep(0)
    for task in asking[::2]:
        task.cancel()
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert [one for one in found if isinstance(one, list)] == [[b"1"], [b"3"], [b"5"], [b"7"]]
    assert _opened(connections).is_open


async def test_what_cannot_be_sent_hurts_nobody(connections):
    with pytest.raises(Exception, match="must be str"):
        await connections.ask(("ECHO", None))
    assert await connections.ask(("ECHO", "next")) == [b"next"]


async def test_after_somebody_has_waited_in_vain_others_go_on_a_new_connection(server, connections):
    await connections.ask(("PING",))
    before = _opened(connections)
    os.kill(server.pid, signal.SIGSTOP)
    try:
        patient = asyncio.create_task(connections.ask(("ECHO", "patient")))
        with pytest.raises(NoReply, match="in time"):
            await connections.ask(("ECHO", "hasty"), within=0.05)
        others = asyncio.create_task(connections.ask(("ECHO", "others")))
        await asyncio.sleep(0)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    assert (await patient, await others) == ([b"patient"], [b"others"])
    assert _opened(connections) is not before


async def test_a_connection_on_which_all_have_given_up_is_closed(server, connections):
    await connections.ask(("PING",))
    before = _opened(connections)
    os.kill(server.pid, signal.SIGSTOP)
    try:
        with pytest.raises(NoReply):
            await connections.ask(("PING",), within=0.05)
        await asyncio.wait([before._serving])
    finally:
        os.kill(server.pid, signal.SIGCONT)
    assert not connections._pool._in_use_connections
    assert await connections.ask(("ECHO", "again")) == [b"again"]


async def test_when_the_connection_breaks_all_who_wait_are_told(server, connections):
    await connections.ask(("PING",))
    asking = [connections.ask(("BLPOP", "nothing", "0")), connections.ask(("ECHO", "behind it"))]
    waiting = asyncio.gather(*asking, return_exceptions=True)
    while len(_opened(connections)._questions) < 2:
        await asyncio.sleep(0)
    server.kill()
    found = await waiting
    server.start()
    assert all(isinstance(one, NoReply) for one in found)


async def test_commands_that_make_the_server_wait_go_on_their_own(connections):
    waiting = asyncio.create_task(connections.ask(("BLPOP", "nothing", "5"), line="waiting"))
    assert await connections.ask(("ECHO", "meanwhile"), within=2) == [b"meanwhile"]
    waiting.cancel()


async def test_who_waits_for_replicas_holds_nobody_up(connections):
    waits = ("WAIT", 1, 60_000)
    waiting = asyncio.create_task(connections.run_before([waits], SECURE, ("k",), ("field", "1"), 60))
    while not connections._pool._in_use_connections:
        await asyncio.sleep(0)
    assert await connections.ask(("ECHO", "meanwhile"), within=5) == [b"meanwhile"]
    assert not waiting.done()
    waiting.cancel()


async def test_closing_ends_all_questions(connections):
    await connections.ask(("PING",))
    waiting = asyncio.create_task(connections.ask(("BLPOP", "nothing", "0")))
    while not _opened(connections)._questions:
        await asyncio.sleep(0)
    await connections.close()
    with pytest.raises(NoReply, match="closed"):
        await waiting

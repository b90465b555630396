"""The checker finds every kind of damage that is planted in a whole log."""

import hashlib
import json

import pytest
from redis import Redis

from tests.conformance.servers import running, valkey_program
from tests.faults.ledger import Acknowledged
from tests.faults.log_check import check_log

MATCH = "m1"
EVENTS, META = f"tb:{{s03}}:m:{MATCH}:ev", f"tb:{{s03}}:m:{MATCH}:meta"
FEED, SHARD = "tb:{s03}:feed", "tb:{s03}:shard"

COMMANDS = (("host", "create", 1, 1), ("ada", "a1", 2, 3), ("bot-1", "bot-m1-3-1", 4, 4), ("ada", "a2", 5, 6))
PROMISES = (
    Acknowledged(MATCH, "", 1, 1, 0.0),
    Acknowledged(MATCH, "a1", 2, 3, 0.0),
    Acknowledged(MATCH, "a2", 5, 6, 0.0),
)


@pytest.fixture(scope="module")
def server():
    with running(valkey_program()) as started:
        yield started


@pytest.fixture
def log(server):
    """Write a match of four commands."""
    with Redis.from_url(server.url()) as client:
        client.flushall()
        write(client, COMMANDS)
        yield client


def write(client, commands) -> None:
    client.delete(EVENTS, META, FEED, SHARD)
    head, seconds = hashlib.sha256(f"tablee/1 {MATCH}".encode()).digest(), 0
    for position, (actor, command_id, first, last) in enumerate(commands, 1):
        seconds += 7
        for version in range(first, last + 1):
            command = {"id": command_id, "from": first, "to": last}
            at = f"2026-11-29T10:00:{seconds:02}.000Z"
            envelope = json.dumps({"v": version, "at": at, "actor": actor, "door": "api", "command": command})
            head = hashlib.sha256(head + envelope.encode()).digest()
            client.xadd(EVENTS, {"e": envelope, "h": head}, id=f"{version}-0")
        client.xadd(FEED, {"m": MATCH, "f": first, "t": last, "y": "Played"}, id=f"{position}-0")
    client.hset(META, mapping={"version": commands[-1][3], "head": head})
    client.hset(SHARD, "position", len(commands))


def findings(server, promises=PROMISES):
    return check_log(server.url(), promises)


@pytest.mark.usefixtures("log")
def test_a_whole_log_is_found_whole(server):
    found = findings(server)
    assert (found.matches, found.events) == (1, 6)
    assert (found.lost, found.doubled, found.broken) == ([], [], [])
    (turn,) = found.bot_turns
    assert (turn.asked_at, turn.played_at, turn.seconds, turn.forced) == (3, 4, 7.0, False)


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(
    "promise",
    [
        Acknowledged(MATCH, "a3", 7, 7, 0.0),
        Acknowledged(MATCH, "a3", 5, 6, 0.0),
        Acknowledged(MATCH, "a2", 6, 6, 0.0),
        Acknowledged(MATCH, "", 2, 2, 0.0),
        Acknowledged("m2", "a1", 2, 3, 0.0),
    ],
    ids=["behind the end", "another command", "another range", "inside a command", "unknown match"],
)
def test_an_acknowledged_command_that_is_missing_is_lost(server, promise):
    assert len(findings(server, (promise,)).lost) == 1


def test_a_command_that_occurs_twice_is_doubled(server, log):
    write(log, (*COMMANDS, ("ada", "a1", 7, 8)))
    assert len(findings(server).doubled) == 1


def test_the_same_id_of_another_actor_is_another_command(server, log):
    write(log, (*COMMANDS, ("bea", "a1", 7, 8)))
    assert findings(server).doubled == []


def test_a_removed_event_is_found(server, log):
    log.xdel(EVENTS, "4-0")
    assert findings(server).broken


def test_a_removed_end_is_found(server, log):
    log.xdel(EVENTS, "5-0", "6-0")
    assert findings(server).broken
    assert len(findings(server).lost) == 1


def test_an_altered_event_is_found(server, log):
    ((_, fields),) = log.xrange(EVENTS, "6-0", "6-0")
    log.xdel(EVENTS, "6-0")
    log.xadd(EVENTS, {**fields, b"e": fields[b"e"].replace(b"ada", b"eve")}, id="6-1")
    assert any("chain" in line for line in findings(server).broken)


def test_a_torn_command_is_found(server, log):
    log.delete(EVENTS)
    head = hashlib.sha256(f"tablee/1 {MATCH}".encode()).digest()
    envelope = json.dumps({"v": 1, "actor": "ada", "command": {"id": "a1", "from": 1, "to": 2}}).encode()
    log.xadd(EVENTS, {"e": envelope, "h": hashlib.sha256(head + envelope).digest()}, id="1-0")
    assert any("says 1 to 2" in line for line in findings(server).broken)


def test_a_pointer_to_nothing_is_found(server, log):
    log.xadd(FEED, {"m": MATCH, "f": 7, "t": 7, "y": "Played"}, id="5-0")
    log.hset(SHARD, "position", 5)
    assert any("no command" in line for line in findings(server).broken)


def test_a_gap_in_the_feed_is_found(server, log):
    log.xdel(FEED, "2-0")
    assert findings(server).broken

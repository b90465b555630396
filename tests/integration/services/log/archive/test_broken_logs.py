"""What operators are told of logs that were altered in the store, of archived matches, of seats that are not there."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from redis import Redis

from api.command_line.purposes import STORE
from services.log.embedded.session import running_stores
from services.log.event_store.contract import Status
from services.log.event_store.keys import Keyspace
from services.log.event_store.redis_store import RedisEventStore
from tests.kit.logs import Log, finished, put, running
from tests.kit.tampering import changed

Tablee = Callable[..., Result]
ALTERED = 6


class Installation(NamedTuple):
    """A data folder with running stores."""

    folder: Path
    url: str

    def holds(self, match: str, log: Log, status: Status) -> Log:
        async def placed() -> Log:
            store = await RedisEventStore.open(self.url)
            try:
                return await put(store, match, log, status)
            finally:
                await store.close()

        return asyncio.run(placed())

    def overwrite(self, match: str, change: Callable[[bytes], bytes]) -> None:
        """Write another event in the place of one, as any client of the server could."""
        events = Keyspace(16).of_match(match).events
        with Redis.from_url(self.url) as client:
            entries = client.xrange(events)
            client.delete(events)
            for number, (entry, fields) in enumerate(entries, 1):
                if number == ALTERED:
                    fields[b"e"] = change(fields[b"e"])
                client.xadd(events, fields, id=entry)

    def length(self, match: str) -> int:
        with Redis.from_url(self.url) as client:
            return int(client.xlen(Keyspace(16).of_match(match).events))


@pytest.fixture(scope="module")
def installation(tmp_path_factory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("t") / "d"
    with running_stores(folder, purpose=STORE) as stores:
        yield Installation(folder, stores.log_store_url)


@pytest.fixture
def tablee(tablee_at, installation) -> Tablee:
    run: Tablee = tablee_at(installation.folder)
    return run


@pytest.fixture(scope="module", params=["garbage", "another actor"])
def broken(request, installation) -> str:
    """A running match with an event that somebody has written over."""
    match: str = "broken-" + request.param.replace(" ", "-")
    installation.holds(match, running(), Status.OPEN)
    changes: dict[str, Callable[[bytes], bytes]] = {
        "garbage": lambda _: b"garbage",
        "another actor": lambda e: e.replace(b'"actor":"', b'"actor":"x', 1),
    }
    installation.overwrite(match, changes[request.param])
    return match


def test_a_broken_log_is_printed_and_the_bad_event_named(tablee, installation, broken):
    printed = tablee("log", broken, code=1)
    assert len(printed.stdout.splitlines()) == installation.length(broken)
    assert printed.stderr.startswith(f"tablee: event {ALTERED}: log.chain_broken: ")
    assert len(tablee("tail", broken, "-n", 99).stdout.splitlines()) == installation.length(broken)


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "MATCH"),
        ("diff", "MATCH", "2"),
        ("replay", "MATCH", "--as", "everything", "--unseal", "a look"),
        ("who-knew", "MATCH", "L", "--unseal", "a look"),
        ("log", "MATCH", "--unseal", "a look"),
        ("hand-over", "MATCH", "0", "--reason", "gone"),
        ("void", "MATCH", "--reason", "stuck"),
        ("end", "MATCH", "--reason", "stuck"),
    ],
    ids=" ".join,
)
def test_nothing_is_told_of_or_put_on_top_of_a_broken_log(tablee, installation, broken, command):
    before = installation.length(broken)
    refused = tablee(*(broken if part == "MATCH" else part for part in command), code=2)
    assert refused.stderr.startswith(f"tablee: event {ALTERED}: log.chain_broken: ")
    assert installation.length(broken) == before


def test_what_stands_in_front_of_a_bad_event_can_be_looked_at(tablee, broken):
    for command in (("replay", broken, "--at", ALTERED - 1), ("diff", broken, 2, ALTERED - 1)):
        told = tablee(*command, "--json")
        assert json.loads(told.stdout)["match"] == broken
        assert told.stderr.startswith(f"tablee: event {ALTERED}: log.chain_broken: ")
    tablee("replay", broken, "--at", ALTERED, code=2)
    tablee("diff", broken, ALTERED, 2, code=2)
    tablee("replay", broken, "--at", ALTERED - 1, "--as", "everything", "--unseal", "a look", code=2)


@pytest.mark.parametrize(
    "command", [("replay", "MATCH", "--at", "4"), ("diff", "MATCH", "2"), ("export", "MATCH")], ids=" ".join
)
@pytest.mark.parametrize("eyes", [(), ("--as", "spectator")], ids=["nobody", "spectator"])
def test_a_reason_to_unseal_without_eyes_is_refused_and_not_passed_over(tablee, installation, command, eyes):
    match = f"seen-{command[0]}-{len(eyes)}"
    log = installation.holds(match, running(), Status.OPEN)
    given = [match if part == "MATCH" else part for part in command]
    assert "--unseal needs --as" in tablee(*given, *eyes, "--unseal", "x", code=2).stderr
    assert installation.length(match) == len(log)


@pytest.mark.parametrize("command", ["log", "replay", "diff", "who-knew", "hand-over"])
def test_an_event_that_is_none_is_named_also_where_all_hashes_fit(tablee, installation, command):
    log, match = list(running()), f"rewritten-{command}"
    log[ALTERED - 1] = changed(log[ALTERED - 1], lambda plain: plain.update(data={}))
    installation.holds(match, tuple(log), Status.OPEN)
    more = {"diff": ["2"], "who-knew": ["L", "--unseal", "a look"], "hand-over": ["0", "--reason", "gone"]}
    told = tablee(command, match, *more.get(command, []), code=1 if command == "log" else 2).stderr
    assert told.startswith(f"tablee: event {ALTERED}: ")
    assert installation.length(match) == len(log)


@pytest.mark.parametrize(
    "eyes", [(), ("--as", "everything", "--unseal", "moving")], ids=["spectator", "everything"]
)
def test_a_broken_log_is_not_exported(tablee, installation, broken, eyes):
    before = installation.length(broken)
    refused = tablee("export", broken, *eyes, code=1)
    assert f"not exported: {broken}: event {ALTERED}: log.chain_broken" in refused.stderr
    assert json.loads(refused.stdout) == {"kind": "file", "matches": 0}
    assert installation.length(broken) == before


def test_a_seat_that_is_not_there_is_not_exported_and_nothing_is_unsealed(tablee, installation):
    installation.holds("live", running(), Status.OPEN)
    before = installation.length("live")
    refused = tablee("export", "live", "--as", "seat7", "--unseal", "x", code=2)
    assert "no seat7 at live, only seat0 to seat1" in refused.stderr
    assert installation.length("live") == before
    assert '"seat":1' in tablee("export", "live", "--as", "seat1", "--unseal", "x").stdout


def test_what_cannot_be_archived_is_told_in_a_line_and_by_the_exit_code(tablee, installation):
    installation.holds("closed", finished(), Status.CLOSED)
    installation.overwrite("closed", lambda _: b"garbage")
    tablee("archive", "--scan", "--now", code=1)
    told = tablee("archive", "--retry", "--now", code=1)
    assert "could not be archived: closed, " in told.stdout
    assert "Traceback" not in told.output
    assert json.loads(tablee("archive", "--json", code=1).stdout)["parked"][0]["match"] == "closed"
    with Redis.from_url(installation.url) as client:
        client.delete(*client.scan_iter("*archive:parked"), Keyspace(16).of_match("closed").events)


def test_an_archived_match_has_a_tail_players_and_a_time(tablee, installation):
    log = installation.holds("archived", finished(), Status.CLOSED)
    tablee("archive", "archived")
    lines = tablee("log", "archived", "--json").stdout.splitlines()
    assert len(lines) == len(log)
    assert tablee("tail", "archived", "--json", "-n", 3).stdout.splitlines() == lines[-3:]
    assert tablee("tail", "archived", "--follow", "--json").stdout.splitlines() == lines[-10:]
    installation.holds("unlisted", running(), Status.OPEN)
    installation.overwrite("unlisted", lambda _: b"garbage")
    # What was altered cannot be listed.
    assert "Traceback" not in tablee("rebuild", code=1).output
    rows = [json.loads(row) for row in tablee("matches", "--phase", "archived", "--json").stdout.splitlines()]
    (row,) = rows
    assert (row["people"], row["bots"], row["version"]) == (1, 1, len(log))
    assert row["at"] == json.loads(lines[-1])["at"]
    assert "1 person, 1 bot" in tablee("matches", "--phase", "archived").stdout

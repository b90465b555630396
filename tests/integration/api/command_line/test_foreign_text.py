"""No outlet of the command line prints what somebody has hidden in a log, a name or a refusal as it stands there."""

import json

import pytest
from msgspec.structs import replace
from redis import Redis

from domain.entries import StoredEntry
from services.log.event_store.keys import Keyspace
from services.process.foreign_text import are_safe_lines
from tests.kit.intruder import Installation
from tests.kit.log import rechained

MATCH = "finished-lama"
EVIL = "evil\u202e\u2066\u2028\ufeff\u200f\x1b[2J\x9b\r\x07\U000e0041"

COMMANDS = [
    ("log", MATCH),
    ("log", MATCH, "--json"),
    ("log", MATCH, "--unseal", "looking"),
    ("tail", MATCH),
    ("tail", MATCH, "--json"),
    ("matches",),
    ("matches", "--json"),
    ("find",),
    ("find", "--json"),
    ("find", "--event", "CardPlayed"),
    ("find", "--event", "CardPlayed", "--json"),
    ("find", "--where", "actor != ''", "--json"),
    ("inspect", MATCH),
    ("inspect", MATCH, "--json"),
    ("replay", MATCH),
    ("replay", MATCH, "--json"),
    ("refusals", MATCH),
    ("refusals", MATCH, "--json"),
    ("trace", "a-trace"),
    ("trace", "a-trace", "--json"),
    ("diff", MATCH, "1", "5"),
    ("verify", MATCH),
    ("verify", "--all", "--json"),
    ("verify", "--all"),
    ("doctor", "--deep"),
    ("doctor", "--deep", "--json"),
    ("who-knew", MATCH, EVIL),
    ("replay", EVIL),
    ("verify", "nobody"),
]


@pytest.fixture(scope="module")
def planted(played):
    """A match in whose envelopes, record and refusals everything is written that may command a terminal."""
    with Redis.from_url(played.url) as store:
        kept = {key: store.dump(key) for key in store.keys("*")}
        one = Installation(store, played.folder / "archive")
        log: list[StoredEntry] = []
        for entry in one.log(MATCH):
            plain = json.loads(entry.e)
            if entry.version > 3:
                plain |= {"actor": EVIL, "trace": EVIL, "note": EVIL, "door": EVIL}
                plain["command"]["id"] += EVIL
            text = json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
            log.append(replace(entry, e=text))
        one.write(MATCH, rechained(MATCH, log))
        keys = Keyspace(16).of_match(MATCH)
        refusal = dict.fromkeys(("at", "actor", "door", "kind", "code", "command", "trace", "field"), EVIL)
        store.rpush(keys.refused, json.dumps({**refusal, "details": {}}, ensure_ascii=False))
        store.hset(keys.meta, EVIL, EVIL)
        store.hset(keys.meta, f"by:{EVIL}", "\nk f 1 1")
        yield
        store.flushdb()
        for key, value in kept.items():
            store.restore(key, 0, value)


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_printed_is_seen(tablee, played, command):
    result = tablee(*command, "--data", played.folder)
    assert are_safe_lines(result.stdout.replace("\r\x1b[K", "")), result.stdout
    assert are_safe_lines(result.stderr.replace("\r\x1b[K", "")), result.stderr
    assert "\r" not in result.stdout
    if "--json" in command:
        for line in result.stdout.splitlines():
            json.loads(line)

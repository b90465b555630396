"""No outlet of the command line prints what somebody has hidden in a log, a name or a refusal as it stands there."""

import json
from typing import Any

import pytest

from services.log.event_store.keys import Keyspace
from services.process.foreign_text import are_safe_lines
from tests.integration.api.command_line.conftest import as_before
from tests.kit.intruder import Installation
from tests.kit.log import rechained
from tests.kit.tampering import changed

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
    with as_before(played) as store:
        one = Installation(store, played.folder / "archive")
        log = one.log(MATCH)
        one.write(MATCH, rechained(MATCH, [*log[:3], *(changed(entry, _plant) for entry in log[3:])]))
        keys = Keyspace(16).of_match(MATCH)
        refusal = dict.fromkeys(("at", "actor", "door", "kind", "code", "command", "trace", "field"), EVIL)
        store.rpush(keys.refused, json.dumps({**refusal, "details": {}}, ensure_ascii=False))
        store.hset(keys.meta, EVIL, EVIL)
        store.hset(keys.meta, f"by:{EVIL}", "\nk f 1 1")
        yield


def _plant(envelope: dict[str, Any]) -> None:
    envelope |= {"actor": EVIL, "trace": EVIL, "note": EVIL, "door": EVIL}
    envelope["command"]["id"] += EVIL


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

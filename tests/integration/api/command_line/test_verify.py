"""``verify`` names what was done to a stored log."""

import json

import pytest
from msgspec.structs import replace
from redis import Redis

from domain.entries import StoredEntry
from services.log.event_store.keys import Keyspace
from tests.kit.forging import forged
from tests.kit.games import GAME_KEYS

MATCH = "finished-skyjo"
KEYS = Keyspace(16).of_match(MATCH)
EVENT = 20


@pytest.fixture
def store(played):
    """The store, put back as it was after the test."""
    with Redis.from_url(played.url) as client:
        kept = {key: client.dump(key) for key in (KEYS.events, KEYS.meta)}
        yield client
        for key, value in kept.items():
            client.restore(key, 0, value, replace=True)


def rewrite(store, change):
    """Write the stream anew with some entries changed, as somebody with a Redis client can."""
    entries = store.xrange(KEYS.events)
    store.delete(KEYS.events)
    for entry_id, fields in change(entries):
        store.xadd(KEYS.events, fields, id=entry_id)


def alter_field(name, old, new):
    def change(entries):
        entry_id, fields = entries[EVENT - 1]
        assert old in fields[name]
        entries[EVENT - 1] = entry_id, {**fields, name: fields[name].replace(old, new, 1)}
        return entries

    return change


def swap_contents(entries):
    (one, first), (two, second) = entries[EVENT - 1], entries[EVENT]
    entries[EVENT - 1 : EVENT + 1] = [(one, second), (two, first)]
    return entries


def insert(entries):
    _, fields = entries[EVENT - 1]
    entries.insert(EVENT, (f"{EVENT}-1", fields))
    return entries


def cut_last_command(entries):
    first = json.loads(entries[-1][1][b"e"])["command"]["from"]
    return entries[: first - 1]


def forge(entries):
    """Alter an event and mend all hashes behind it: a good chain, but not the one on record."""
    from domain.chain import genesis, link

    head, forged = genesis(MATCH), []
    for entry_id, fields in entries:
        e = fields[b"e"].replace(b'"door":"bot"', b'"door":"api"')
        head = link(head, e)
        forged.append((entry_id, {**fields, b"e": e, b"h": head}))
    return forged


TAMPERINGS = {
    "altered": (alter_field(b"e", b'"seat":', b'"seat": '), EVENT, "log.chain_broken"),
    "hash altered": (alter_field(b"h", b"", b"x"), EVENT, "log.chain_broken"),
    "removed": (lambda entries: entries[: EVENT - 1] + entries[EVENT:], EVENT, "log.not_dense"),
    "exchanged": (swap_contents, EVENT, "log.chain_broken"),
    "inserted": (insert, EVENT + 1, "log.not_dense"),
    "end cut off": (cut_last_command, None, "meta.version_differs"),
    "end cut off within a command": (lambda entries: entries[:-1], None, "log.command_torn"),
    "field removed": (
        lambda entries: [
            (entry_id, {b"e": fields[b"e"]} if number == EVENT else fields)
            for number, (entry_id, fields) in enumerate(entries, 1)
        ],
        EVENT,
        "log.entry_malformed",
    ),
    "chain forged": (forge, None, "meta.head_differs"),
}


def scored_otherwise(entries):
    """Turn the points of a round round, seal and chain everything anew."""
    log = [
        StoredEntry(version, fields[b"e"], fields.get(b"s", b""), fields[b"h"])
        for version, (_, fields) in enumerate(entries, 1)
    ]
    scored = next(entry.version for entry in log if b'"type":"RoundScored"' in entry.e)
    log = forged(log, scored, lambda event: replace(event, totals=tuple(reversed(event.totals))), MATCH)
    return scored, log


def verdict_on(tablee, played):
    result = tablee("verify", MATCH, "--json", "--data", played.folder)
    return result.exit_code, json.loads(result.stdout)


def test_good_logs_are_good(tablee, played):
    result = tablee("verify", "--all", "--data", played.folder)
    assert result.exit_code == 0
    assert f"{len(GAME_KEYS) + 1} verified: {len(GAME_KEYS) + 1} good, 0 bad." in result.stdout


def test_a_finished_match_has_all_its_deals_recomputed(tablee, played):
    code, verdict = verdict_on(tablee, played)
    assert (code, verdict["good"], verdict["sealed"], verdict["sealed_deals"]) == (0, True, 0, 0)
    assert verdict["deals"] >= 1
    assert verdict["commands"] > 10
    told = tablee("verify", MATCH, "--data", played.folder).stdout
    assert f"{verdict['commands']} commands decided again" in told


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_what_was_done_to_a_log_is_named_with_the_first_bad_event(tablee, played, store, tampering):
    change, version, code = TAMPERINGS[tampering]
    rewrite(store, change)
    exit_code, verdict = verdict_on(tablee, played)
    assert (exit_code, verdict["good"], verdict["code"]) == (1, False, code)
    if version is not None:
        assert verdict["bad_version"] == version
    told = tablee("verify", MATCH, "--redis", played.url)
    assert told.exit_code == 1
    assert f"BAD   {MATCH}  event {verdict['bad_version']}: {code}" in told.stdout
    assert "0 good, 1 bad" in told.stdout


def test_an_altered_opening_is_named_although_the_chain_does_not_cover_it(tablee, played, store):
    drawn = next(
        number
        for number, (_, fields) in enumerate(store.xrange(KEYS.events), 1)
        if b'"type":"CardDrawn"' in fields[b"e"]
    )

    def change(entries):
        entry_id, fields = entries[drawn - 1]
        opening = json.loads(fields[b"s"])
        opening[0]["value"] = 12 if opening[0]["value"] != 12 else 11
        entries[drawn - 1] = entry_id, {**fields, b"s": json.dumps(opening).encode()}
        return entries

    rewrite(store, change)
    _, verdict = verdict_on(tablee, played)
    assert (verdict["code"], verdict["bad_version"]) == ("seal.differs", drawn)


def test_a_result_against_the_rules_is_named_although_log_and_record_fit(tablee, played, store):
    scored, log = scored_otherwise(store.xrange(KEYS.events))
    rewrite(
        store,
        lambda entries: [
            (entry_id, {**fields, b"e": entry.e, b"h": entry.h})
            for (entry_id, fields), entry in zip(entries, log, strict=True)
        ],
    )
    store.hset(KEYS.meta, "head", log[-1].h)
    exit_code, verdict = verdict_on(tablee, played)
    assert (exit_code, verdict["code"], verdict["bad_version"]) == (1, "rules.differs", scored)
    assert tablee("doctor", "--deep", "--redis", played.url).stdout.count("rules.differs") == 1


def test_the_earlier_of_two_faults_is_named(tablee, played, store):
    rewrite(store, alter_field(b"e", b'"seat":', b'"seat": '))
    store.xdel(KEYS.events, f"{EVENT + 5}-0")
    _, verdict = verdict_on(tablee, played)
    assert (verdict["code"], verdict["bad_version"]) == ("log.chain_broken", EVENT)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("version", "7", "meta.version_differs"),
        ("head", b"\0" * 32, "meta.head_differs"),
        ("status", "sleeping", "meta.unreadable"),
    ],
)
def test_a_record_that_contradicts_the_log_is_named(tablee, played, store, field, value, code):
    store.hset(KEYS.meta, field, value)
    exit_code, verdict = verdict_on(tablee, played)
    assert (exit_code, verdict["code"]) == (1, code)


def test_a_log_without_a_record_is_named(tablee, played, store):
    store.delete(KEYS.meta)
    exit_code, verdict = verdict_on(tablee, played)
    assert (exit_code, verdict["code"]) == (1, "meta.missing")


def test_a_record_without_a_log_is_named(tablee, played, store):
    store.delete(KEYS.events)
    exit_code, verdict = verdict_on(tablee, played)
    assert (exit_code, verdict["code"], verdict["bad_version"]) == (1, "meta.version_differs", 1)


def test_one_bad_match_does_not_hide_the_others(tablee, played, store):
    rewrite(store, alter_field(b"e", b'"seat":', b'"seat": '))
    result = tablee("verify", "--all", "--json", "--data", played.folder)
    verdicts = {verdict["match"]: verdict["good"] for verdict in map(json.loads, result.stdout.splitlines())}
    assert result.exit_code == 1
    assert [match for match, good in verdicts.items() if not good] == [MATCH]
    assert len(verdicts) == len(GAME_KEYS) + 1
    listed = tablee("matches", "--data", played.folder).stdout
    assert listed.count("finished") >= 3


def test_an_archived_match_that_the_archive_does_not_have_is_named(tablee, played, store):
    store.delete(KEYS.events)
    store.hset(KEYS.meta, "status", "archived")
    result = tablee("verify", MATCH, "--data", played.folder)
    assert result.exit_code == 1
    assert "archive.missing" in result.stdout
    assert "archived" in tablee("matches", "--data", played.folder).stdout
    assert tablee("replay", MATCH, "--data", played.folder).exit_code == 2


def test_a_stopped_store_is_opened_for_the_command_and_names_what_was_done_meanwhile(
    tablee, played, start, data
):
    """As an operator would: start only the stores, change an event with a Redis client, stop them, verify."""
    with Redis.from_url(played.url) as source:
        kept = {key: source.dump(key) for key in (KEYS.events, KEYS.meta, "tb:installation")}
    process = start(data, "store", "--data", data, "--json")
    running = process.wait_until_it_runs()
    with Redis.from_url(running.log_store_url) as store:
        for key, value in kept.items():
            store.restore(key, 0, value)
        rewrite(store, alter_field(b"e", b'"seat":', b'"seat": '))
    status, out, _ = process.end(2)
    assert (status, json.loads(out)["log_store_url"]) == (0, running.log_store_url)
    assert not (data / "running.json").exists()
    code, verdict = verdict_on(tablee, played._replace(folder=data))
    assert (code, verdict["code"], verdict["bad_version"]) == (1, "log.chain_broken", EVENT)
    assert not (data / "running.json").exists()

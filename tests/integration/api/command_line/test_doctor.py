"""``tablee doctor`` on a real store: faults are planted as somebody could who holds it, found, named and mended."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
import redis.asyncio

from api.command_line import doctoring
from services.bootstrap import present_instant
from services.errors import StoreUnavailable
from services.log.archive.shelf import name_of
from services.log.event_store.keys import Keyspace, shard_of
from services.log.event_store.redis_store import RedisEventStore
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.projections.rebuilding import Rebuilder
from services.watch.doctor import rounds
from services.watch.doctor.visits import FILE_NAME, FullLook, Visits
from tests.integration.api.command_line.conftest import SECRET, as_before
from tests.kit.games import GAME_KEYS
from tests.kit.store_dumps import dumped, put_back

LIVE = "live-lama"
DONE = "finished-skyjo"
KEYSPACE = Keyspace(16)
FINE, LOOK, ACT = 0, 1, 2


@pytest.fixture
def store(played):
    """The store with its projections built, put back as it was after the test."""
    with as_before(played) as client:
        asyncio.run(_built(played.url))
        yield client


async def _built(url: str) -> None:
    log = await RedisEventStore.open(url)
    async with redis.asyncio.Redis.from_url(url) as client:
        ledger = Ledger(client, log.shards)
        await Rebuilder(ledger, Generations(client, log.shards), log, present_instant).rebuild()
    await log.close()


@pytest.fixture
def doctor(tablee, played, monkeypatch):
    """Runs the doctor; returns the exit code and what is not fine, by code."""
    monkeypatch.setenv("TABLEE_SECRET", SECRET)

    def run(*options: str):
        result = tablee("doctor", "--json", "--data", played.folder, *options)
        told = [json.loads(line) for line in result.stdout.splitlines()]
        wrong = {one["code"]: one for one in told if one.get("severity") in {"look", "act"}}
        return result.exit_code, wrong, [one for one in told if "repair" in one and "done" in one]

    return run


def test_a_good_store_is_well_and_looking_leaves_no_trace(doctor, store):
    before = dumped(store)
    assert doctor()[:2] == (FINE, {})
    assert doctor("--deep")[:2] == (FINE, {})
    assert dumped(store) == before


def test_what_is_urgent_comes_first_and_many_of_a_kind_are_one(tablee, played, store):
    store.zadd(KEYSPACE.of_shard(0).due, {f"nobody{number:02}": 5 for number in range(12)})
    store.hset(KEYSPACE.of_match(DONE).meta, "version", "7")
    lines = tablee("doctor", "--data", played.folder).stdout.splitlines()
    severities = [line.split()[0] for line in lines if line[:4].strip()][:-1]
    assert severities == sorted(severities, key=["ACT", "LOOK", "ok"].index)
    assert sum("LOOK  due.orphaned" in line for line in lines) == 1
    (more,) = [line for line in lines if "… and 11 more of due.orphaned" in line]
    assert "nobody05, " in more
    start = next(number for number, line in enumerate(lines) if "LOOK  due.orphaned" in line)
    assert lines.index(more) == start + 3


def test_people_read_sentences_and_what_to_do(tablee, played, store):
    store.zrem(KEYSPACE.of_shard_of(LIVE).due, LIVE)
    store.zadd(KEYSPACE.of_shard(0).due, {"nobody": 5})
    result = tablee("doctor", "--data", played.folder)
    assert "LOOK  due.orphaned: nobody stands in the due index" in result.stdout
    assert "What it means:" in result.stdout
    assert "What to do:" in result.stdout
    assert "tablee doctor --repair" in result.stdout.splitlines()[-1]


class TestMatches:
    def test_an_altered_event_is_found_named_and_never_repaired(self, doctor, store):
        events = KEYSPACE.of_match(DONE).events
        entries = store.xrange(events)
        store.delete(events)
        for number, (entry_id, fields) in enumerate(entries, 1):
            if number == 12:
                fields[b"e"] = fields[b"e"].replace(b'"seat":', b'"seat": ', 1)
            store.xadd(events, fields, id=entry_id)
        altered = store.dump(events)
        code, wrong, repairs = doctor("--repair")
        assert code == ACT
        assert set(wrong) == {"log.chain_broken"}
        found = wrong["log.chain_broken"]
        assert (found["match"], found["version"]) == (DONE, 12)
        assert f"tablee verify {DONE}" in found["do"]
        assert "`--repair` never touches it" in found["do"]
        assert repairs == []
        assert store.dump(events) == altered

    def test_an_altered_seal_is_found_by_a_deep_look(self, doctor, store):
        events = KEYSPACE.of_match(DONE).events
        entries = store.xrange(events)
        store.delete(events)
        sealed = next(number for number, (_, fields) in enumerate(entries) if b"s" in fields)
        for number, (entry_id, fields) in enumerate(entries):
            if number == sealed:
                opening = json.loads(fields[b"s"])
                opening[0]["salt"] = "00" * 32
                fields[b"s"] = json.dumps(opening).encode()
            store.xadd(events, fields, id=entry_id)
        assert doctor()[0] == FINE
        code, wrong, _ = doctor("--deep")
        assert (code, set(wrong)) == (ACT, {"seal.differs"})
        assert wrong["seal.differs"]["version"] == sealed + 1

    def test_a_due_entry_that_was_removed_is_found_and_set_again_from_the_log(
        self, tablee, played, doctor, store
    ):
        tablee("hand-over", LIVE, "0", "--reason", "gone", "--data", played.folder)
        due = KEYSPACE.of_shard_of(LIVE).due
        wanted = store.zscore(due, LIVE)
        assert wanted is not None
        store.zrem(due, LIVE)
        code, wrong, _ = doctor()
        assert code == ACT
        assert wrong["due.missing"]["match"] == LIVE
        assert "waits for ever" in wrong["due.missing"]["means"]
        _, _, (repair,) = doctor("--repair")
        assert (repair["repair"], repair["match"], repair["done"]) == ("due.missing", LIVE, True)
        assert store.zscore(due, LIVE) == wanted
        assert "due.missing" not in doctor()[1]

    def test_a_stray_in_the_due_index_is_removed(self, doctor, store):
        for match in ("nobody", DONE):
            store.zadd(KEYSPACE.of_shard_of(match).due, {match: 5})
        code, wrong, _ = doctor()
        assert (code, set(wrong)) == (LOOK, {"due.orphaned"})
        _, _, repairs = doctor("--repair")
        assert {one["match"] for one in repairs if one["done"]} == {"nobody", DONE}
        assert doctor()[:2] == (FINE, {})

    @pytest.mark.parametrize(("match", "status"), [(DONE, "open"), (LIVE, "closed")])
    def test_a_wrong_status_is_written_anew_from_the_log(self, doctor, store, match, status):
        meta = KEYSPACE.of_match(match).meta
        right = store.hget(meta, "status")
        store.hset(meta, "status", status)
        code, wrong, _ = doctor()
        assert (code, wrong["meta.contradicts_log"]["match"]) == (ACT, match)
        doctor("--repair")
        assert store.hget(meta, "status") == right
        assert doctor()[:2] == (FINE, {})

    @pytest.mark.parametrize(
        ("field", "value"), [("version", "7"), ("head", b"\0" * 32), ("status", "asleep")]
    )
    def test_a_record_that_is_forged_is_named_and_left_alone(self, doctor, store, field, value):
        meta = KEYSPACE.of_match(DONE).meta
        store.hset(meta, field, value)
        code, wrong, repairs = doctor("--repair")
        assert code == ACT
        assert [one["match"] for one in wrong.values() if one["code"].startswith("meta.")] == [DONE]
        assert repairs == []
        assert store.hget(meta, field) == (value if isinstance(value, bytes) else value.encode())

    def test_events_without_a_record_are_found(self, doctor, store):
        store.delete(KEYSPACE.of_match(DONE).meta)
        code, wrong, _ = doctor()
        assert (code, wrong["meta.missing"]["match"]) == (ACT, DONE)


class TestProjections:
    def test_an_altered_row_is_found_and_built_anew(self, doctor, store):
        (rows,) = store.keys(f"tb:{{s{shard_of(LIVE, 16):02}}}:p:matches:*:rows")
        row = store.hget(rows, LIVE)
        store.hset(rows, LIVE, row.replace(b"lama", b"odin"))
        code, wrong, _ = doctor()
        assert (code, set(wrong)) == (LOOK, {"rows.differ"})
        assert wrong["rows.differ"]["match"] == LIVE
        _, _, (repair,) = doctor("--repair")
        assert repair["done"]
        assert f"{len(GAME_KEYS) + 1} rows built anew" in repair["told"]
        assert doctor()[:2] == (FINE, {})

    def test_a_match_that_stands_in_the_wrong_list_is_found(self, doctor, store):
        (index,) = store.keys(f"tb:{{s{shard_of(DONE, 16):02}}}:p:matches:*:ended")
        store.zadd(index.replace(b"ended", b"open"), {DONE: 5})
        assert set(doctor()[1]) == {"rows.misplaced"}


class TestThePast:
    def test_a_store_that_is_older_than_its_last_digest_is_found_by_it(self, tablee, played, doctor, store):
        kept = dumped(store)
        tablee("hand-over", LIVE, "0", "--reason", "gone fishing", "--data", played.folder)
        assert tablee("digest", "--make", "--data", played.folder).exit_code == 0
        assert "store.in_the_past" not in doctor()[1]
        put_back(store, kept)
        code, wrong, _ = doctor()
        assert code == ACT
        found = wrong["store.in_the_past"]
        assert found["match"] == LIVE
        assert "digest 1" in found["found"]
        assert "Stop the service now" in found["do"]

    def test_a_feed_that_ends_before_a_checkpoint(self, doctor, store):
        shard = KEYSPACE.of_shard_of(LIVE).shard
        store.hset(shard, "at:bots", int(store.hget(shard, "position")) + 3)
        code, wrong, _ = doctor()
        assert (code, "store.went_back" in wrong) == (ACT, True)

    def test_a_lost_file_of_the_archive_and_a_tombstone_that_is_gone(self, tablee, played, doctor, store):
        kept = dumped(store)
        tablee("archive", DONE, "--data", played.folder)
        assert doctor("--deep")[:2] == (FINE, {})
        (file,) = (played.folder / "archive" / "matches").rglob("*.gz")
        content = file.read_bytes()
        file.unlink()
        code, wrong, _ = doctor()
        assert (code, wrong["archive.missing"]["match"]) == (ACT, DONE)
        file.write_bytes(content[:-20])
        code, wrong, _ = doctor("--deep")
        assert (code, [one["match"] for one in wrong.values()]) == (ACT, [DONE])
        file.write_bytes(content[:700])
        for _ in range(2):
            # Without --deep, files are read in turn; one that was found bad is told each time.
            code, wrong, _ = doctor()
            assert (code, [one["match"] for one in wrong.values()]) == (ACT, [DONE])
        file.write_bytes(content)
        store.delete(KEYSPACE.of_match(DONE).meta)
        assert "store.behind_archive" in doctor()[1]
        assert kept


class TestTheServer:
    @pytest.mark.parametrize(
        ("setting", "wrong_value", "right", "code"),
        [
            ("appendfsync", "everysec", "always", "store.fsync_not_always"),
            ("maxmemory-policy", "allkeys-lru", "noeviction", "store.evicts"),
            ("maxmemory", "1000000", "0", "store.memory_nearly_full"),
        ],
    )
    def test_wrong_settings_are_found(self, doctor, store, setting, wrong_value, right, code):
        store.config_set(setting, wrong_value)
        try:
            exit_code, wrong, _ = doctor()
        finally:
            store.config_set(setting, right)
        assert exit_code == ACT
        assert code in wrong

    def test_another_secret_than_the_one_that_left_its_mark(self, doctor, store):
        store.hset("tb:installation", "secret_mark", "0" * 32)
        code, wrong, _ = doctor()
        assert (code, set(wrong)) == (ACT, {"secret.differs"})

    @pytest.mark.usefixtures("store")
    def test_a_log_by_its_url_is_taken_for_one_that_is_served(self, tablee, played):
        result = tablee("doctor", "--redis", played.url)
        assert result.exit_code == LOOK
        assert "jobs.unknown" in result.stdout

    def test_a_folder_that_is_none_is_refused_and_not_made(self, tablee, tmp_path):
        result = tablee("doctor", "--data", tmp_path / "none")
        assert result.exit_code == ACT
        assert "no data folder" in result.stderr
        assert not (tmp_path / "none").exists()


def test_a_card_that_vanished_went_by_the_rules(tablee, played):
    """The walk of docs/operate/investigate.md: three equal cards of a column leave a Skyjo board."""
    log = [
        json.loads(line)
        for line in tablee("log", DONE, "--json", "--data", played.folder).stdout.splitlines()
    ]
    gone = next(event for event in log if event["type"] == "ColumnDiscarded")
    seat, version = gone["data"]["seat"], gone["v"]
    before = tablee("replay", DONE, "--at", version - 1, "--data", played.folder).stdout
    after = tablee("replay", DONE, "--at", version, "--data", played.folder).stdout
    assert before != after
    told = tablee("diff", DONE, version - 1, version, "--data", played.folder)
    assert told.exit_code == 0, told.stderr
    assert str(seat) in told.stdout
    assert Path(played.folder).exists()


class TestManyMatches:
    """Where there are too many for one visit."""

    @pytest.fixture(autouse=True)
    def never_visited(self, played):
        (played.folder / FILE_NAME).unlink(missing_ok=True)

    def test_without_time_all_is_compared_and_what_does_not_agree_is_read(
        self, doctor, tablee, played, store, monkeypatch
    ):
        monkeypatch.setattr("api.command_line.doctoring._EVERYDAY_SECONDS", -1.0)
        lines = tablee("doctor", "--data", played.folder).stdout.splitlines()
        (good,) = [line for line in lines if "match.good" in line]
        assert "0 of 0 match(es) are good" in good
        assert good.endswith(f"{len(played.finished) + 1} more are read at the next visits.")
        store.zadd(KEYSPACE.of_shard_of(DONE).due, {DONE: 5})
        assert set(doctor()[1]) == {"due.orphaned"}

    def test_the_next_visit_goes_on_where_the_last_one_stopped(self, tablee, played, monkeypatch):
        by_shard = {shard_of(match, 16) for match in (LIVE, *played.finished.values())}
        read = []

        def one_lot(_log, _moment, lots, *_):
            first = next(lot for lot in lots if lot.may)
            read.append(first.shard)
            yield first, [], True
            yield lots[(lots.index(first) + 1) % len(lots)], [], False

        monkeypatch.setattr("api.command_line.doctoring.examined_lots", one_lot)
        for _ in by_shard:
            tablee("doctor", "--data", played.folder)
        assert read == sorted(by_shard)

    @pytest.mark.usefixtures("store")
    def test_the_archives_files_are_listed_in_turn(self, tablee, played, monkeypatch):
        archived = [played.finished["lama"], played.finished["skyjo"]]
        for match in archived:
            assert tablee("archive", match, "--data", played.folder).exit_code == FINE
        files = [played.folder / "archive" / name_of(match) for match in archived]
        monkeypatch.setattr("api.command_line.doctoring._LISTING_SECONDS", 1e-9)
        for file in files:
            file.unlink()
        missing = set[str]()
        for _ in range(16):
            # One shard a visit.
            lines = tablee("doctor", "--json", "--data", played.folder).stdout.splitlines()
            now = {one["match"] for one in map(json.loads, lines) if one.get("code") == "archive.missing"}
            assert len(now) <= 1
            missing |= now
        assert missing == set(archived)

    def test_a_full_look_that_was_ended_goes_on(self, tablee, played, store, monkeypatch):
        last = max(shard_of(match, 16) for match in (LIVE, DONE))
        looking = rounds.look_at_traces

        async def ended_on_the_way(practice, shards):
            if last in shards:
                raise StoreUnavailable("somebody has pulled the plug")
            return await looking(practice, shards)

        # What is not well is looked at again.
        store.hset(KEYSPACE.of_match(DONE).meta, "game", "other")
        monkeypatch.setattr(doctoring, "look_at_traces", ended_on_the_way)
        tablee("doctor", "--deep", "--data", played.folder)
        monkeypatch.setattr(doctoring, "look_at_traces", looking)
        lines = tablee("doctor", "--deep", "--data", played.folder).stdout.splitlines()
        assert any("doctor.goes_on" in line and "of 16 shards were proven then" in line for line in lines)
        assert any("meta.contradicts_log" in line for line in lines)
        (good,) = [line for line in lines if "match.good" in line]
        assert f"{len(played.finished)} of {len(played.finished) + 1} match(es) are good" in good
        assert "goes_on" not in tablee("doctor", "--deep", "--data", played.folder).stdout

    def test_a_full_look_begins_anew_on_demand(self, tablee, played):
        noted = Visits(full=FullLook(present_instant(), (0, 1, 2)))
        file = played.folder / FILE_NAME
        file.write_bytes(msgspec.json.encode(noted))
        assert "goes_on" in tablee("doctor", "--deep", "--data", played.folder).stdout
        file.write_bytes(msgspec.json.encode(noted))
        assert "goes_on" not in tablee("doctor", "--deep", "--anew", "--data", played.folder).stdout
        assert "--anew is for --deep" in tablee("doctor", "--anew", "--data", played.folder).stderr

"""What operators type: moving a match to another installation, proving it, looking at it and acting on it."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result
from redis import Redis

from api.command_line.purposes import STORE
from services.log.embedded.session import running_stores
from services.log.event_store.keys import Keyspace
from tests.integration.api.command_line.conftest import _play
from tests.kit.checkout import ROOT
from tests.kit.games import GAME_KEYS

VERIFIER = ROOT / "deploy" / "verify_export.py"

Tablee = Callable[..., Result]


class Installation(NamedTuple):
    """A data folder with running stores."""

    folder: Path
    url: str


@pytest.fixture(scope="module")
def installations(tmp_path_factory) -> Iterator[tuple[Installation, Installation]]:
    """Two installations: one with finished matches and a running one, and an empty one."""
    import asyncio

    here, there = (tmp_path_factory.mktemp("t") / "d" for _ in range(2))
    with running_stores(here, purpose=STORE) as stores, running_stores(there, purpose=STORE) as others:
        asyncio.run(_play(stores.log_store_url, here))
        yield Installation(here, stores.log_store_url), Installation(there, others.log_store_url)


@pytest.fixture
def here(installations: tuple[Installation, Installation]) -> Installation:
    return installations[0]


@pytest.fixture
def there(installations) -> Iterator[Installation]:
    installation: Installation = installations[1]
    yield installation
    with Redis.from_url(installation.url) as client:
        client.flushdb()
    for file in (installation.folder / "archive").rglob("*.gz"):
        file.unlink()


@pytest.fixture
def tablee(tablee_at) -> Tablee:
    def run(*arguments: object, at: Installation, code: int = 0) -> Result:
        done: Result = tablee_at(at.folder)(*arguments, code=code)
        return done

    return run


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def checked(*arguments: object) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(VERIFIER), *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


def test_a_club_moves_to_another_server(tablee, here, there, tmp_path):
    file, again = tmp_path / "club.ndjson", tmp_path / "again.ndjson"
    tablee("export", "--all", "-o", file, at=here)
    refused = tablee("import", file, at=there, code=1)
    assert "import.redacted" in refused.stdout
    assert "nothing of a file" in refused.stderr
    assert "finished" not in tablee("import", "--check", file, "--skip-refused", at=there, code=1).stderr
    came = tablee("import", file, "--skip-refused", "--json", at=there, code=1)
    assert sorted(str(row["what"]) for row in lines(came)) == ["imported"] * len(GAME_KEYS) + ["refused"]
    assert f"{len(GAME_KEYS)} verified: {len(GAME_KEYS)} good" in tablee("verify", "--all", at=there).stdout
    finished = tuple(f"finished-{key}" for key in GAME_KEYS)
    tablee("export", *finished, "-o", file, at=here)
    tablee("export", "--all", "-o", again, at=there)
    assert file.read_bytes() == again.read_bytes()
    known = tablee("import", file, "--json", at=there)
    assert {row["what"] for row in lines(known)} == {"known"}


def test_a_file_that_is_cut_off_is_not_taken_in_at_all(tablee, here, there, tmp_path):
    file = tmp_path / "club.ndjson"
    tablee("export", "finished-lama", "finished-odin", "-o", file, at=here)
    file.write_bytes(file.read_bytes()[:-40])
    result = tablee("import", file, at=there, code=2)
    assert "is no whole export" in result.stderr
    assert "There is no match yet" in tablee("matches", at=there, code=2).stderr


def test_a_member_verifies_an_export_without_our_code(tablee, here, tmp_path):
    file, digest = tmp_path / "club.ndjson", tmp_path / "digest.ndjson"
    digest.write_bytes(tablee("digest", "--make", at=here).stdout_bytes)
    tablee("export", "--all", "-o", file, at=here)
    good = checked(file, f"--digest={digest}")
    assert (good.returncode, good.stdout.count("good  ")) == (0, len(GAME_KEYS) + 1), good
    packed = tmp_path / "club.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert checked(packed).returncode == 0
    content = file.read_bytes()
    rows = content.splitlines(keepends=True)
    wrong = {
        "altered": content.replace(b"CardPlayed", b"CardPlaced", 1),
        "opening": content.replace(b'"salt":"', b'"salt":"00', 1),
        "dropped": b"".join(rows[:9] + rows[10:]),
        "doubled": b"".join(rows[:9] + rows[8:]),
        "swapped": b"".join([*rows[:8], rows[9], rows[8], *rows[10:]]),
        "cut": content[: len(content) // 2],
        "between matches": b"".join(
            rows[: next(n for n, row in enumerate(rows, 1) if b'"kind":"end"' in row)]
        ),
        "another format": content.replace(b'"export":1', b'"export":2', 1),
    }
    for what, bad in wrong.items():
        file.write_bytes(bad)
        found = checked(file)
        assert (found.returncode, "BAD" in found.stdout) == (1, True), (what, found)
    digest.write_bytes(digest.read_bytes().replace(b'"version":26', b'"version":25'))
    file.write_bytes(content)
    head = json.loads(rows[0])["head"].encode()
    digest.write_bytes(digest.read_bytes().replace(head, b"0" * 64, 1))
    assert "another head was published" in checked(file, f"--digest={digest}").stdout


def test_digests_find_what_was_done_to_a_match(tablee, here, tmp_path):
    kept = tmp_path / "digest.ndjson"
    with Redis.from_url(here.url) as client:
        client.delete(*(Keyspace(16).of_projection(shard, "archive", "moved") for shard in range(16)))
    tablee("archive", "--scan", at=here)
    kept.write_bytes(tablee("digest", "--make", at=here).stdout_bytes)
    assert "0 matches bad" in tablee("verify", "--against", kept, at=here).stdout
    keys = Keyspace(16).of_match("finished-odin")
    with Redis.from_url(here.url) as client:
        saved = {key: client.dump(key) for key in (keys.events, keys.meta)}
        client.delete(keys.events, keys.meta)
        try:
            found = tablee("verify", "--against", kept, at=here, code=1)
            assert "BAD   finished-odin  event 1: head.lost" in found.stdout
        finally:
            for key, value in saved.items():
                client.restore(key, 0, value)
    assert "heads" in tablee("digest", "--list", at=here).stdout
    tablee("digest", "99", at=here, code=2)
    kept.write_bytes(b"nonsense")
    tablee("verify", "--against", kept, at=here, code=2)


def test_looking_at_hidden_cards_takes_a_reason_and_the_table_sees_it(tablee, here):
    for command in (
        ("replay", "live-lama", "--as", "seat0"),
        ("who-knew", "live-lama", "3"),
        ("diff", "live-lama", 1, "--as", "seat0"),
        ("export", "live-lama", "--as", "everything"),
    ):
        refused = tablee(*command, at=here, code=2)
        assert "--unseal REASON" in refused.stderr
    before = len(tablee("log", "live-lama", "--json", at=here).stdout.splitlines())
    view = json.loads(
        tablee("replay", "live-lama", "--as", "everything", "--unseal", "a row", "--json", at=here).stdout
    )
    assert all(view["game"]["hands"])
    tablee("who-knew", "live-lama", "L", "--unseal", "a row", at=here)
    opened = tablee("log", "live-lama", "--unseal", "a row", "--json", at=here).stdout
    assert '"sealed"' not in opened
    told = tablee("log", "live-lama", "--json", at=here).stdout.splitlines()[before:]
    assert [json.loads(line)["type"] for line in told] == ["LogUnsealed"] * 3
    assert json.loads(told[0])["data"] == {"reason": "a row"}
    assert (
        "has looked at the hidden cards" in tablee("replay", "live-lama", "--language", "en", at=here).stdout
    )
    tablee("replay", "live-lama", "--as", "seat0", "--unseal", " ", at=here, code=2)


def test_what_changes_is_told_through_the_eyes_that_are_named(tablee, here):
    assert tablee("diff", "finished-odin", 8, 8, at=here).stdout == "Nothing changes.\n"
    (everything,) = lines(tablee("diff", "finished-odin", 6, 9, "--json", at=here))
    (seat,) = lines(tablee("diff", "finished-odin", 6, 9, "--as", "seat1", "--json", at=here))
    assert everything["changes"]
    assert seat["changes"] != everything["changes"]
    tablee("diff", "finished-odin", 6, 9, "--as", "seat9", at=here, code=2)


def test_who_knew_a_card_is_told_for_finished_matches(tablee, here):
    (row,) = lines(tablee("who-knew", "finished-odin", "r8", "--at", 8, "--json", at=here))
    assert (row["card"], row["version"]) == ("R8", 8)
    for name in ("red 8", "8 rouge"):
        assert lines(tablee("who-knew", "finished-odin", name, "--at", 8, "--json", at=here)) == [row]
    assert tablee("who-knew", "finished-lama", "llama", at=here).stdout.startswith("L ")
    assert "nobody" in tablee("who-knew", "finished-skyjo", "12", "--at", 8, at=here).stdout
    assert "has no card" in tablee("who-knew", "finished-odin", "X9", at=here, code=2).stderr
    assert "no version" in tablee("who-knew", "finished-odin", "R8", "--at", 9999, at=here, code=2).stderr


def test_closed_matches_go_to_the_archive_and_everything_works_on(tablee, here):
    shown = tablee("replay", "finished-skyjo", "--at", 20, at=here).stdout
    assert "goes on" in tablee("archive", "live-lama", at=here, code=2).stderr
    told = json.loads(tablee("archive", "finished-skyjo", "--json", at=here).stdout)
    assert told["archived"] == 1
    assert "0 archived now" in tablee("archive", at=here).stdout
    assert tablee("replay", "finished-skyjo", "--at", 20, at=here).stdout == shown
    assert "1 good, 0 bad" in tablee("verify", "finished-skyjo", at=here).stdout
    assert len(tablee("log", "finished-skyjo", at=here).stdout.splitlines()) > 50
    assert "is not kept there" in tablee("refusals", "finished-skyjo", at=here).stdout


def test_an_operator_hands_a_seat_over_and_ends_matches(tablee, here, there, tmp_path):
    file = tmp_path / "live.ndjson"
    tablee("export", "live-lama", "--as", "everything", "--unseal", "moving", "-o", file, at=here)
    tablee("import", file, at=there)
    logged = tablee("log", "live-lama", "--json", at=there).stdout.splitlines()
    told = [json.loads(line)["data"] for line in logged]
    player = next(data["player"] for data in told if data.get("seat") == 0 and "player" in data)
    with Redis.from_url(there.url) as client:
        client.set(f"tb:people:name:{player}", "Anna")
    handed = tablee("hand-over", "live-lama", "seat0", "--reason", "gone", at=there).stdout
    assert handed.startswith("Seat 0 (Anna) is played by a bot now.\n")
    assert f"seat 0 (Anna): {player}" in tablee("inspect", "live-lama", at=there).stdout
    again = tablee("hand-over", "live-lama", "0", "--reason", "gone", at=there, code=2).stderr
    assert "A bot already plays for seat 0 (Anna)." in again
    nowhere = tablee("hand-over", "live-lama", "seat9", "--reason", "gone", at=there, code=2).stderr
    assert "no seat 9" in nowhere
    assert (
        "seat0 is the first"
        in tablee("hand-over", "live-lama", "Anna", "--reason", "gone", at=there, code=2).stderr
    )
    refused = tablee("refusals", "live-lama", at=there).stdout
    assert "seat.bot_plays_already" in refused
    assert lines(tablee("refusals", "live-lama", "--json", at=there))[0]["actor"] == "operator"
    done = json.loads(tablee("end", "live-lama", "--reason", "stuck", "--json", at=there).stdout)
    assert done["phase"] == "finished"
    assert "is over" in tablee("void", "live-lama", "--reason", "late", at=there, code=2).stderr
    assert "There is no match" in tablee("void", "nobody", "--reason", "x", at=there, code=2).stderr
    assert "1 good" in tablee("verify", "live-lama", at=there).stdout


def test_many_matches_are_spread_over_processes_and_come_out_the_same(tablee, here, tmp_path, monkeypatch):
    one, many = tmp_path / "one.ndjson", tmp_path / "many.ndjson"
    tablee("export", "--all", "-o", one, at=here)
    monkeypatch.setattr("api.command_line.many.FEW", 0)
    monkeypatch.setattr("api.command_line.many._PIECE", 3)
    tablee("export", "--all", "-o", many, "--jobs", 2, at=here)
    assert one.read_bytes() == many.read_bytes()
    assert (
        f"{len(GAME_KEYS) + 1} verified: {len(GAME_KEYS) + 1} good"
        in tablee("verify", "--all", "--jobs", 2, at=here).stdout
    )

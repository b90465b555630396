"""`tablee import` looks at all of a file before it makes anything or takes anything in."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result
from redis import Redis

from domain.entries import StoredEntry
from services.log.archive.documents import document_of, file_end
from services.log.archive.shelf import name_of
from services.log.embedded.session import running_stores
from services.log.event_store.keys import Keyspace
from tests.kit.logs import ends_command, finished, named, running

Tablee = Callable[..., Result]

WHOLE = named("m1", finished("lama"))
SHORT = next(WHOLE[:size] for size in range(8, len(WHOLE)) if ends_command(WHOLE[size - 1]))
OTHER = named("m1", finished("lama", number=1))


@pytest.fixture
def data(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("t") / "d"
    return folder


@pytest.fixture
def tablee(tablee_at, data) -> Tablee:
    run: Tablee = tablee_at(data)
    return run


@pytest.fixture
def file(tmp_path) -> Callable[..., Path]:
    def written(*logs: Sequence[StoredEntry], match: str = "m1") -> Path:
        path: Path = tmp_path / "club.ndjson"
        found = [document_of(match, "lama", 1, log) for log in logs]
        path.write_bytes(b"".join([*found, file_end(len(found))]))
        return path

    return written


@pytest.mark.parametrize(
    ("logs", "reason"),
    [
        ((WHOLE, OTHER), "import.other_history"),
        ((OTHER, WHOLE), "import.other_history"),
        ((SHORT, WHOLE), "import.behind"),
    ],
    ids=["another history", "the other way round", "a shorter one first"],
)
def test_one_id_with_two_histories_in_a_file(tablee, data, file, logs, reason):
    refused = tablee("import", file(*logs), code=1)
    assert refused.stdout.split()[:3] == ["refused", "m1", f"{reason}:"]
    assert "imported" not in refused.stdout
    assert not data.exists()


def test_the_same_match_twice_in_a_file_comes_in_once(tablee, data, file):
    assert tablee("import", "--check", file(WHOLE, SHORT)).stdout.split() == ["good", "m1", "known", "m1"]
    assert not data.exists()
    assert tablee("import", file(WHOLE, SHORT)).stdout.split() == ["imported", "m1", "known", "m1"]


def test_what_cannot_be_taken_in_makes_no_data_folder(tablee, data, file, tmp_path):
    assert tablee("import", tmp_path / "nowhere", code=2).stderr.startswith("tablee: ")
    whole = file(WHOLE)
    assert tablee("import", "--check", whole).stdout.split() == ["good", "m1"]
    assert tablee("import", whole, tmp_path / "nowhere", code=2).stdout == ""
    whole.write_bytes(whole.read_bytes()[:-20])
    assert "is no whole export" in tablee("import", whole, code=2).stderr
    assert not data.exists()


def test_a_lost_file_of_the_archive_is_said_to_be_restored(tablee, data, file):
    kept = file(WHOLE)
    assert tablee("import", kept).stdout.split() == ["imported", "m1"]
    lost = data / "archive" / name_of("m1")
    lost.unlink()
    assert tablee("import", "--check", kept).stdout.split() == ["good", "m1"]
    assert tablee("import", kept).stdout.split() == ["restored", "m1"]
    assert lost.exists()
    assert tablee("import", kept).stdout.split() == ["known", "m1"]


def test_a_cut_file_of_the_archive_is_healed_by_one_command(tablee, data, file):
    kept = file(WHOLE)
    tablee("import", kept)
    os.truncate(data / "archive" / name_of("m1"), 700)
    assert "m1" in tablee("verify", "--all", code=1).stdout
    refused = tablee("import", kept, code=1).stdout
    assert "is damaged" in refused or "cannot be read" in refused
    assert "--heal" in refused
    assert "go together" in tablee("import", "--heal", kept, code=2).stderr
    healing = ("import", "--heal", "--reason", "a bad sector", kept)
    assert tablee(*healing[:4], "--check", kept).stdout.split() == ["good", "m1"]
    assert tablee(*healing).stdout.split() == ["healed", "m1"]
    assert "1 good, 0 bad" in tablee("verify", "--all").stdout
    assert tablee(*healing).stdout.split() == ["known", "m1"]
    assert "a bad sector" in tablee("inspect", "m1").stdout


def test_a_damaged_event_in_the_store_is_healed_and_the_doctor_has_nothing_to_say(tablee, data, file):
    running_log = named("m1", running("lama"))
    kept = file(running_log)
    tablee("import", kept)
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        key = Keyspace(16).of_match("m1").events
        entries = log.xrange(key)
        log.delete(key)
        for number, (entry, fields) in enumerate(entries, 1):
            # As if the disk had kept nothing of the last ones, and one were another.
            if number < len(entries) - 2:
                log.xadd(key, {**fields, b"e": b"{}"} if number == 3 else fields, id=entry)
    assert "log.chain_broken" in tablee("doctor", code=2).stdout
    other = file(OTHER)
    assert "import.other_history" in tablee("import", "--heal", "--reason", "x", other, code=1).stdout
    assert tablee("import", "--heal", "--reason", "a bad sector", file(running_log)).stdout.split() == [
        "healed",
        "m1",
    ]
    assert "1 good, 0 bad" in tablee("verify", "--all").stdout
    assert "ACT" not in tablee("doctor", code=1).stdout

"""`tablee import` looks at all of a file before it makes anything or takes anything in."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

from domain.entries import StoredEntry
from services.log.archive.documents import document_of, file_end
from services.log.archive.shelf import name_of
from tests.kit.logs import ends_command, finished, named

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

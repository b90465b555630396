"""Which code runs: the commit of a checkout or a wheel, and what is on the disk."""

import subprocess
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner
from hatchling.builders.wheel import WheelBuilder

from api.command_line.main import cli
from services.process import code_identity
from services.process.code_identity import code_digest, commit_of, release
from services.watch.doctor.service import judge_code
from tests.kit.checkout import ROOT


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path) -> Path:
    folder: Path = tmp_path / "one"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_the_commit_of_a_checkout_is_read_without_git(checkout, tmp_path):
    head = git(checkout, "rev-parse", "HEAD")
    assert commit_of(checkout) == head
    git(checkout, "worktree", "add", "-q", "-b", "other", str(tmp_path / "two"))
    assert commit_of(tmp_path / "two") == head
    git(checkout, "pack-refs", "--all")
    assert commit_of(checkout) == commit_of(tmp_path / "two") == head
    git(checkout, "checkout", "-q", "--detach")
    assert commit_of(checkout) == head
    assert commit_of(tmp_path) == ""


def test_the_release_names_the_commit_where_it_is_known(checkout, tmp_path, monkeypatch):
    monkeypatch.setattr(code_identity, "ROOT", checkout)
    assert release() == f"{version('tablee')} (commit {git(checkout, 'rev-parse', 'HEAD')[:12]})"
    assert CliRunner().invoke(cli, ["--version"]).stdout == f"tablee, version {release()}\n"
    monkeypatch.setattr(code_identity, "ROOT", tmp_path)
    assert release() == version("tablee")


def test_a_wheel_records_its_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_COMMIT", "0123456789abcdef")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        assert packed.read("services/process/commit.txt") == b"0123456789abcdef\n"


def test_the_digest_tells_any_change_of_the_code(tmp_path):
    for package in ("domain", "services", "workers", "api"):
        (tmp_path / package / "__pycache__").mkdir(parents=True)
        (tmp_path / package / "a.py").write_text("one = 1\n")
    before = code_digest(tmp_path)
    (tmp_path / "api" / "__pycache__" / "a.pyc").write_bytes(b"compiled")
    assert code_digest(tmp_path) == before
    (tmp_path / "api" / "a.py").write_text("one = 2\n")
    assert code_digest(tmp_path) != before


def test_the_doctor_says_when_other_code_runs_than_is_on_the_disk():
    (found,) = judge_code("aaa", "bbb")
    assert found.code == "code.differs"
    assert judge_code("aaa", "aaa") == judge_code("", "aaa") == []

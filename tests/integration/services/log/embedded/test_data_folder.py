import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from services.log.embedded.data_folder import DataFolder
from services.log.embedded.errors import FolderLocked, FolderUnusable

HOLDER = """
import sys
from pathlib import Path
from services.log.embedded.data_folder import DataFolder
with DataFolder(Path(sys.argv[1]), purpose="a test"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(data):
    """Another process that holds the folder."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_can_look_inside(data):
    with DataFolder(data, purpose="a test") as folder:
        assert mode(folder.path) == 0o700
        assert {mode(each) for each in (folder.log_folder, folder.jobs_folder, folder.socket_folder)} == {
            0o700
        }
        assert mode(data / "lock") == 0o600


def test_a_folder_in_use_is_refused_at_once_and_the_user_is_named(data, holder):
    with pytest.raises(FolderLocked) as refusal:
        DataFolder(data, purpose="another test")
    assert refusal.value.pid == holder.pid
    assert not refusal.value.orphaned
    assert f"process {holder.pid} (a test)" in str(refusal.value)
    assert str(data) in str(refusal.value)


def test_a_killed_holder_leaves_no_lock(data, holder):
    holder.kill()
    holder.wait()
    with DataFolder(data, purpose="a test"):
        pass


def test_an_orphan_with_the_lock_is_waited_for(data):
    with DataFolder(data, purpose="a test") as folder:
        # It inherits the lock, says that it will be gone soon, and ends a moment after its parent's record says so.
        orphan = subprocess.Popen(["/bin/sleep", "0.3"], pass_fds=[folder.lock_descriptor])
        os.ftruncate(folder.lock_descriptor, 0)
        os.pwrite(folder.lock_descriptor, f"{_ended_process()} an earlier test".encode(), 0)
    with orphan, DataFolder(data, purpose="a test"):
        assert orphan.wait() == 0


def test_an_orphan_that_stays_is_told_from_a_holder_that_runs(data, monkeypatch):
    monkeypatch.setattr("services.log.embedded.data_folder._ORPHAN_PATIENCE", 0.1)
    with DataFolder(data, purpose="a test") as folder:
        pid = _ended_process()
        os.ftruncate(folder.lock_descriptor, 0)
        os.pwrite(folder.lock_descriptor, f"{pid} an earlier test".encode(), 0)
        with pytest.raises(FolderLocked, match=f"left over from process {pid}") as refusal:
            DataFolder(data, purpose="another test")
    assert refusal.value.orphaned


@pytest.mark.parametrize("inside", [".", "deeper/than/that"])
def test_a_folder_that_cannot_be_made_is_refused_with_the_systems_reason(tmp_path, inside):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FolderUnusable, match=r"cannot be used: (Not a directory|File exists)"):
        DataFolder(tmp_path / "file" / inside, purpose="a test")


def test_a_folder_of_somebody_else_is_refused():
    # Even root cannot write here.
    with pytest.raises(FolderUnusable, match="/proc/tablee cannot be used"):
        DataFolder(Path("/proc/tablee"), purpose="a test")


def test_sockets_move_to_a_short_private_folder_when_the_path_is_too_long(tmp_path):
    long = tmp_path / ("long" * 25)
    with DataFolder(long, purpose="a test") as folder:
        assert folder.socket_folder.parent == Path(tempfile.gettempdir())
        assert len(os.fsencode(folder.socket_folder / "jobs.sock")) <= 100
        assert mode(folder.socket_folder) == 0o700
        first = folder.socket_folder
    assert not first.exists()
    with DataFolder(long, purpose="a test") as folder:
        assert folder.socket_folder == first


def test_a_socket_folder_that_others_can_enter_is_not_used(tmp_path):
    long = tmp_path / ("long" * 25)
    with DataFolder(long, purpose="a test") as folder:
        expected = folder.socket_folder
    expected.mkdir()
    expected.chmod(0o777)
    try:
        with pytest.raises(FolderUnusable, match="open to others"):
            DataFolder(long, purpose="a test")
    finally:
        expected.rmdir()


def _ended_process() -> int:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    return process.pid

"""A store may end between a question and its answer: that means "not ready yet", and ends no service."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from api.command_line.service import service_children
from api.supervision.child import Child, Keeper
from api.supervision.supervisor import Supervisor
from services.log.embedded.stores import LOG_STORE, Store
from services.log.event_store.errors import InstallationMismatch
from services.process.settings import load_settings

Manner = Callable[[socket.socket], None]


def says(answer: bytes) -> Manner:
    def manner(connection: socket.socket) -> None:
        connection.recv(100)
        connection.sendall(answer)

    return manner


def resets(_connection: socket.socket) -> None:
    """Closed with the question unread: who asked sees a reset."""


BREAKING_OFF = {
    "resets": resets,
    "closes without a word": says(b""),
    "half an answer": says(b"$2\r\n1"),
    "garbage": says(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "bytes": says(bytes(range(128, 192))),
    "still loading": says(b"-LOADING the dataset\r\n"),
}


class FakeStore:
    """A server that says it is ready, and then answers the question for the shards in its own manner."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(name=LOG_STORE, argv=("true",), socket=folder / "s", output=folder / "log")
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(self.store.socket))
        self._server.listen(4)
        self._thread: threading.Thread | None = None

    def answering(self, manner: Manner) -> Child:
        def serve() -> None:
            for one in (says(b"+PONG\r\n"), manner):
                connection, _ = self._server.accept()
                with connection:
                    one(connection)

        self._thread = threading.Thread(target=serve)
        self._thread.start()
        settings = replace(load_settings({}), log_store_url=self.store.url, shards=16)
        return next(one for one in service_children(settings, (self.store,)) if one.name == LOG_STORE)

    def close(self) -> None:
        if self._thread is not None:
            self._thread.join(5)
        self._server.close()


@pytest.fixture
def fake(tmp_path) -> Iterator[FakeStore]:
    fake = FakeStore(tmp_path)
    yield fake
    fake.close()


@pytest.mark.parametrize("manner", BREAKING_OFF.values(), ids=BREAKING_OFF)
def test_a_store_that_breaks_off_its_answer_is_not_ready_yet(fake, manner):
    child = replace(fake.answering(manner), busy=None)
    assert Keeper(child).check_ready() is False


@pytest.mark.parametrize("answer", [b"$2\r\n16\r\n", b"$-1\r\n"], ids=["the same shards", "a new log"])
def test_a_store_that_answers_is_ready(fake, answer):
    assert Keeper(fake.answering(says(answer))).check_ready() is True


def test_a_log_with_another_number_of_shards_is_still_refused(fake):
    with pytest.raises(InstallationMismatch):
        Keeper(fake.answering(says(b"$1\r\n4\r\n"))).check_ready()


@pytest.mark.parametrize(
    "error", [ConnectionResetError("gone"), ValueError("no number"), OSError(24, "files")]
)
def test_no_question_of_a_child_is_fatal(error):
    def breaks_off() -> bool:
        raise error

    assert Keeper(Child(name="a", argv=("true",), ready=breaks_off, busy=breaks_off)).check_ready() is False


def test_a_machine_that_cannot_start_a_process_for_a_moment_ends_no_service(tmp_path):
    disk = tmp_path / "full"

    def came_up(supervisor: Supervisor) -> None:
        if disk.exists():
            supervisor.stop()
            return
        # From now on its log cannot be opened; it ends by itself.
        output.unlink()
        output.mkdir()
        threading.Timer(0.1, mended).start()

    def mended() -> None:
        output.rmdir()
        disk.touch()

    output = tmp_path / "output"
    short = Child(name="short", argv=("sleep", "0.05"), output=output)
    assert Supervisor([short], on_ready=came_up).run() == 0
    assert disk.exists()


def test_a_process_that_cannot_be_started_at_all_ends_the_first_start(tmp_path):
    with pytest.raises(IsADirectoryError):
        Supervisor([Child(name="short", argv=("true",), output=tmp_path)]).run()


def test_what_could_not_be_announced_on_a_full_disk_is_announced_later(monkeypatch):
    # It is tried again at the next look, and nothing else gives a reason to look.
    monkeypatch.setattr("api.supervision.supervisor._LONGEST_SLEEP", 0.05)
    announced: list[dict[str, int]] = []
    fails = iter([False, True, True])

    def announce(supervisor: Supervisor) -> None:
        if next(fails, False):
            raise OSError(28, "No space left on device")
        announced.append(supervisor.pids)
        if len(announced) == 1:
            os.kill(supervisor.pids["one"], signal.SIGKILL)
        else:
            supervisor.stop()

    assert Supervisor([Child(name="one", argv=("sleep", "60"))], on_ready=announce).run() == 0
    first, second = announced
    assert first["one"] != second["one"]

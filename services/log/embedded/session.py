"""Running the stores of a data folder for the length of one command, without a supervisor."""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from services.log.embedded.data_folder import DataFolder
from services.log.embedded.errors import FolderLocked, FolderUnusable, StoreFailed
from services.log.embedded.processes import start_dependent, stop
from services.log.embedded.running import Running, find_running, publish, withdraw
from services.log.embedded.stores import Answer, Store, embedded_stores, may_answer, prepare_log

# After this long, a server that has not even said that it is loading never will.
_SILENCE_PATIENCE = 10.0
_STOP_GRACE = 10.0
_ATTACH_PATIENCE = 10.0
_POLL = 0.005


@contextlib.contextmanager
def running_stores(path: Path, *, purpose: str) -> Iterator[Running]:
    """Start both stores of a data folder, and stop them at the end.

    Args:
        path: The data folder; made if it is missing.
        purpose: What they are used for, for the message that other processes get meanwhile: ``tablee verify``.

    Yields:
        Their description, once both answer.

    Raises:
        FolderUnusable: The folder cannot be made or written.
        FolderLocked: Another process holds it.
        NoServerBinary: There is no server for this machine.
        StoreFailed: One of the stores does not start.
    """
    with DataFolder(path, purpose=purpose) as folder, contextlib.ExitStack() as stack:
        log, jobs = stores = embedded_stores(folder)
        prepare_log(folder)
        processes = [_started(store, stack) for store in stores]
        for store, process in zip(stores, processes, strict=True):
            wait_until_ready(store, process)
        stack.callback(withdraw, folder.path)
        running = Running(
            pid=os.getpid(),
            purpose=purpose,
            log_store_url=log.url,
            job_store_url=jobs.url,
            pids={store.name: process.pid for store, process in zip(stores, processes, strict=True)},
        )
        try:
            publish(folder.path, running)
        except OSError as error:
            raise FolderUnusable(folder.path, error.strerror or str(error)) from error
        yield running


@contextlib.contextmanager
def attached_stores(path: Path, *, purpose: str) -> Iterator[Running]:
    """Use the stores of the service running on a data folder, or start them if none is running.

    Waits some seconds for a service that is just starting, or for another command that holds the folder.

    Raises:
        FolderLocked: Another process holds the folder, and does not serve others or does not answer.
        FolderUnusable: The folder cannot be made or written.
        NoServerBinary: There is no server for this machine.
        StoreFailed: One of the stores does not start.
    """
    patience = time.monotonic() + _ATTACH_PATIENCE
    with contextlib.ExitStack() as stack:
        while True:
            running = find_running(path)
            if running is not None and running.api_url is not None and may_answer(running.log_store_url):
                yield running
                return
            try:
                stores = stack.enter_context(running_stores(path, purpose=purpose))
            except FolderLocked:
                if time.monotonic() > patience:
                    raise
                time.sleep(_POLL * 10)
            else:
                yield stores
                return


def wait_until_ready(store: Store, process: subprocess.Popen[bytes]) -> None:
    """Wait until a store that was just started answers, however long it takes to read its files.

    Raises:
        StoreFailed: Its process ended, or did not answer at all for ten seconds.
    """
    silent_since = time.monotonic()
    while True:
        answer = store.answer()
        if answer is Answer.READY:
            return
        if process.poll() is not None:
            raise StoreFailed(store.name, f"ended with status {process.returncode}", store.explanation())
        if answer is Answer.LOADING:
            silent_since = time.monotonic()
        elif time.monotonic() - silent_since > _SILENCE_PATIENCE:
            raise StoreFailed(store.name, "does not answer", store.explanation())
        time.sleep(_POLL)


def _started(store: Store, stack: contextlib.ExitStack) -> subprocess.Popen[bytes]:
    process = start_dependent(store.argv, inherited=store.inherited, output=store.output)
    stack.callback(stop, process, grace=_STOP_GRACE)
    return process

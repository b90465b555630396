"""The processes of which ``tablee up`` consists."""

import os
import re
import socket
import sys
from collections.abc import Mapping

from msgspec.structs import replace

from api.supervision.child import Child, store_child
from api.supervision.probes import http_answers
from services.log.embedded.data_folder import DataFolder
from services.log.embedded.stores import Store, embedded_stores, prepare_log
from services.log.event_store.errors import InstallationMismatch
from services.log.event_store.keys import INSTALLATION
from services.process.settings import Settings
from services.process.several_urls import urls_in

API = "API"
LOOPS = "loops"
NOTICES = "notices"

# A sign of life is due every second from the API and the loops, whose work nobody else does, and every ten seconds from
# a worker, without which the clock makes the bots' moves.
_LONGEST_SILENCE = 15.0
_WORKER_LONGEST_SILENCE = 20.0
_NOTICES_LONGEST_SILENCE = 90.0

# How the store's server writes that there is no such field, and a number.
_NOTHING = b"$-1\r\n"
_A_NUMBER = re.compile(rb"\$[1-9]\r\n([0-9]+)\r\n")


def needed_stores(settings: Settings, folder: DataFolder) -> tuple[Settings, tuple[Store, ...]]:
    """Return the embedded stores that are needed, and the settings with their addresses filled in.

    Raises:
        NoServerBinary: One is needed and there is no server for this machine.
        FolderUnusable: The log's files cannot be read or written.
    """
    if settings.log_store_url is not None and settings.job_store_url is not None:
        return settings, ()
    log, jobs = embedded_stores(folder)
    needed = []
    if settings.log_store_url is None:
        prepare_log(folder)
        settings = replace(settings, log_store_url=log.url)
        needed.append(log)
    if settings.job_store_url is None:
        settings = replace(settings, job_store_url=jobs.url)
        needed.append(jobs)
    return settings, tuple(needed)


def service_children(settings: Settings, stores: tuple[Store, ...]) -> list[Child]:
    """Return all processes of the service.

    Args:
        settings: With the addresses of both stores.
        stores: The embedded stores among them. One that holds a log with another number of shards raises
            InstallationMismatch when it is asked whether it is ready: nothing that works on it has started then.
    """
    environment = {**os.environ, **settings.to_environment()}
    needs = tuple(store.name for store in stores)
    api = _python(
        API,
        "api.server",
        needs,
        environment,
        reports=True,
        longest_silence=_LONGEST_SILENCE,
        ready=lambda: http_answers(settings.host, settings.port, "/health/live"),
    )

    def after_api(name: str, module: str, longest_silence: float, *arguments: str) -> Child:
        # They could start beside the first API, but on a small machine it would then answer a second later.
        return _python(
            name,
            module,
            (*needs, API),
            environment,
            reports=True,
            awaited=False,
            longest_silence=longest_silence,
            arguments=arguments,
        )

    # They share the port: the kernel gives each connection to one of them.
    more = (
        after_api(_numbered(API, number), "api.server", _LONGEST_SILENCE)
        for number in range(2, settings.api_processes + 1)
    )
    # Each serves one server for jobs, in turn.
    servers = len(urls_in(settings.job_store_url or "")) or 1
    workers = (
        after_api(
            f"worker {number}", "workers.rq_worker", _WORKER_LONGEST_SILENCE, str((number - 1) % servers + 1)
        )
        for number in range(1, settings.workers + 1)
    )
    notices = (
        after_api(_numbered(NOTICES, number), "workers.notice_worker", _NOTICES_LONGEST_SILENCE, str(number))
        for number in range(1, servers + 1)
    )
    # People are let in before the bots are ready for them.
    loops = (
        after_api(_numbered(LOOPS, number), "workers.loops", _LONGEST_SILENCE)
        for number in range(1, settings.loop_processes + 1)
    )
    return [*(_store(store, settings) for store in stores), api, *more, *workers, *notices, *loops]


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"


def _store(store: Store, settings: Settings) -> Child:
    child = store_child(store)
    if store.url != settings.log_store_url:
        return child

    def is_ready() -> bool:
        if not store.is_ready():
            return False
        require_shards(_stored_shards(store), settings)
        return True

    return replace(child, ready=is_ready)


def require_shards(stored: int | None, settings: Settings) -> None:
    """Make sure that a log, if it is made yet, has the number of shards that the settings say.

    Raises:
        InstallationMismatch: It has another.
    """
    if stored is not None and stored != settings.shards:
        raise InstallationMismatch("shards", stored, settings.shards)


def _stored_shards(store: Store) -> int | None:
    """Ask a log store with how many shards its log was made."""
    # By hand: a client library would take as much memory as all the rest of the supervisor.
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        connection.connect(str(store.socket))
        connection.sendall(f"HGET {INSTALLATION} shards\r\n".encode())
        reply = connection.recv(64)
    if reply == _NOTHING:
        return None
    number = _A_NUMBER.fullmatch(reply)
    if number is None:
        raise ValueError(f"the log store answers {reply!r}")
    return int(number[1])


def _python(
    name: str,
    module: str,
    needs: tuple[str, ...],
    environment: Mapping[str, str],
    arguments: tuple[str, ...] = (),
    **more: object,
) -> Child:
    argv = (sys.executable, "-m", module, *arguments)
    return Child(name=name, argv=argv, needs=needs, environment=environment, **more)  # type: ignore[arg-type]

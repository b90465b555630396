import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs
from redis import Redis

from services.log.embedded.data_folder import DataFolder
from services.log.embedded.durability import check_durability, check_durability_async
from services.log.embedded.errors import FolderLocked, NoServerBinary, StoreFailed
from services.log.embedded.processes import is_alive
from services.log.embedded.running import find_running, publish
from services.log.embedded.session import attached_stores, running_stores
from services.log.embedded.stores import embedded_stores, server_binary


def client(url: str) -> Redis:
    return Redis.from_url(url, decode_responses=True)


def wait_until(condition, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.005)


def test_both_stores_answer_and_only_the_log_store_syncs(data):
    with running_stores(data, purpose="a test") as stores:
        with client(stores.log_store_url) as log, client(stores.job_store_url) as jobs:
            assert check_durability(log).durable == "yes"
            assert [problem.code for problem in check_durability(jobs).problems] == ["aof_off"]
            assert log.config_get("stream-node-max-bytes") == {"stream-node-max-bytes": "2048"}
            assert jobs.config_get("save") == {"save": ""}
            assert jobs.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            for store in (log, jobs):
                assert store.config_get("port") == {"port": "0"}
                assert (
                    stat.S_IMODE(Path(store.config_get("unixsocket")["unixsocket"]).stat().st_mode) == 0o700
                )


async def test_the_asynchronous_client_gets_the_same_verdict(data):
    from redis.asyncio import Redis as AsyncRedis

    with running_stores(data, purpose="a test") as stores:
        async with AsyncRedis.from_url(stores.log_store_url) as log:
            assert (await check_durability_async(log)).durable == "yes"
            await log.config_set("appendfsync", "everysec")
            assert (await check_durability_async(log)).durable == "no"


def test_a_server_that_forbids_the_question_is_unknown_with_its_reason(data):
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        log.execute_command("ACL", "SETUSER", "tenant", "on", ">pw", "~*", "+@all", "-config")
        with Redis.from_url(f"{stores.log_store_url}?username=tenant&password=pw") as tenant:
            verdict = check_durability(tenant)
    assert verdict.durable == "unknown"
    assert "permission" in verdict.reason


def test_a_restart_keeps_the_log_and_forgets_the_jobs(data):
    with running_stores(data, purpose="a test") as stores:
        with client(stores.log_store_url) as log, client(stores.job_store_url) as jobs:
            log.set("key", "kept")
            jobs.set("key", "lost")
    with running_stores(data, purpose="a test") as again:
        assert again.log_store_url == stores.log_store_url
        with client(again.log_store_url) as log, client(again.job_store_url) as jobs:
            assert log.get("key") == "kept"
            assert jobs.get("key") is None


def test_a_path_with_blanks_and_signs_works(tmp_path_factory):
    data = tmp_path_factory.mktemp("t") / "Mes données 100%"
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        assert log.ping()


def test_stopping_ends_the_servers_and_frees_the_folder(data):
    with running_stores(data, purpose="a test"):
        running = find_running(data)
        assert running is not None
    assert not any(is_alive(pid) for pid in running.pids.values())
    assert find_running(data) is None
    with DataFolder(data, purpose="another test"):
        pass


def test_a_second_start_on_the_same_folder_is_refused(data):
    with running_stores(data, purpose="the first test") as stores:
        with pytest.raises(FolderLocked, match=f"process {os.getpid()} .the first test."):
            _start_in_another_process(data)
        with client(stores.log_store_url) as log:
            assert log.ping()


def test_a_command_attaches_to_the_service_that_runs(data):
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        running = find_running(data)
        assert running is not None
        publish(data, structs.replace(running, api_url="http://127.0.0.1:1"))
        assert stat.S_IMODE((data / "running.json").stat().st_mode) == 0o600
        with attached_stores(data, purpose="another test") as attached:
            assert (attached.purpose, attached.log_store_url) == ("a test", stores.log_store_url)
        assert log.ping()


def test_a_command_starts_the_stores_when_the_description_is_left_over(data):
    with running_stores(data, purpose="a test"):
        left_over = (data / "running.json").read_bytes()
    # A process that was killed left this behind; another one now has its id.
    (data / "running.json").write_bytes(left_over)
    with attached_stores(data, purpose="another test") as stores:
        assert stores.purpose == "another test"
        with client(stores.log_store_url) as log:
            assert log.ping()


def test_a_description_that_is_cut_short_counts_as_none(data):
    data.mkdir()
    (data / "running.json").write_text('{"pid": 1')
    assert find_running(data) is None


def test_the_stores_end_when_their_owner_is_killed(data):
    program = """
import sys
from pathlib import Path
from services.log.embedded.session import running_stores
with running_stores(Path(sys.argv[1]), purpose="a test"):
    print("runs", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout
        assert owner.stdout.readline() == b"runs\n"
        running = find_running(data)
        assert running is not None
        with client(running.log_store_url) as log:
            log.set("key", "acknowledged")
        os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: not any(is_alive(pid) for pid in running.pids.values()))
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        assert log.get("key") == "acknowledged"


def test_a_server_that_cannot_read_its_files_fails_with_its_last_words(data):
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        log.set("key", "value")
    (manifest,) = (data / "log" / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense\n")
    with pytest.raises(StoreFailed) as failure, running_stores(data, purpose="a test"):
        pass
    assert failure.value.store == "log store"
    assert "manifest" in failure.value.explanation
    assert "ended with status 1" in str(failure.value)
    # The other store was stopped and the folder is free.
    with DataFolder(data, purpose="a test"):
        pass


def test_a_command_torn_by_a_power_cut_is_dropped_and_the_rest_kept(data):
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        log.set("key", "acknowledged")
    (log_file,) = (data / "log" / "appendonlydir").glob("*.incr.aof")
    with log_file.open("ab") as file:
        file.write(b"*3\r\n$3\r\nSET\r\n$3\r\nke")
    with running_stores(data, purpose="a test") as stores, client(stores.log_store_url) as log:
        assert log.get("key") == "acknowledged"


def test_a_machine_without_a_server_is_told_the_way_out(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(NoServerBinary, match="TABLEE_LOG_STORE_URL"):
        server_binary()


def test_a_start_on_an_empty_folder_is_quick(data):
    started = time.perf_counter()
    with running_stores(data, purpose="a test"):
        took = time.perf_counter() - started
    # A tenth of a second on an idle machine; tests run on busy ones.
    assert took < 2.0


def test_the_servers_own_log_does_not_grow_for_ever(data):
    with DataFolder(data, purpose="a test") as folder:
        log, _ = embedded_stores(folder)
        log.output.write_bytes(b"x" * 1_100_000)
    with running_stores(data, purpose="a test"):
        assert log.output.stat().st_size < 100_000


def _start_in_another_process(data) -> None:
    """Raise here what a second process met."""
    program = """
import sys
from pathlib import Path
from services.log.embedded.errors import FolderLocked
from services.log.embedded.session import running_stores
try:
    with running_stores(Path(sys.argv[1]), purpose="a test"):
        pass
except FolderLocked as refusal:
    print(refusal.pid, refusal.purpose, sep=",")
"""
    said = subprocess.run(
        [sys.executable, "-c", program, str(data)], capture_output=True, text=True, check=True
    ).stdout.strip()
    pid, _, purpose = said.partition(",")
    raise FolderLocked(data, pid=int(pid), purpose=purpose, orphaned=False)

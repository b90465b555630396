"""``tablee up`` where something is in the way. How it runs and stops is seen where matches are played."""

import asyncio
import socket
import subprocess
import sys

import pytest
from redis import Redis

from api.command_line.calling import suggested
from api.command_line.commands.up import require_fit
from services.bootstrap.parts import opening_of
from services.errors import StoreReadOnly
from services.log.embedded.session import running_stores
from services.process.settings import Settings, load_settings
from tests.kit.checkout import ROOT


@pytest.fixture
def port():
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        return attempt.getsockname()[1]


def told(result):
    """The message of a command that fails, which is all that it says."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("tablee: ")
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") <= 2
    return result.stderr


@pytest.fixture
def up(tablee, monkeypatch):
    """Runs `tablee up` in this process, for starts that fail."""
    monkeypatch.setattr("services.process.service_log.configure_logs", lambda *_, **__: None)
    return lambda *arguments: tablee("up", *arguments)


def test_a_taken_port_is_told_by_the_program_without_a_traceback(start, data):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = start(data, "up", "--data", data, "--port", port)
        out, errors = process.popen.communicate(timeout=60)
    assert (process.popen.returncode, out) == (2, "")
    assert errors.startswith(
        f"tablee: Port {port} on 127.0.0.1 cannot be used: another program listens there."
    )
    assert errors.count("\n") == 1
    assert not data.exists()


def test_a_folder_that_somebody_uses_is_told(up, data, port):
    holds = (
        "import sys; from pathlib import Path; from services.log.embedded.data_folder import DataFolder\n"
        "with DataFolder(Path(sys.argv[1]), purpose='tablee up'): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, data], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with socket.create_server(("127.0.0.1", port)):
            # Not that the port is taken: who starts the service twice should be told just that.
            said = told(up("--data", data, "--port", port))
        assert f"is in use by process {holder.pid} (tablee up)" in said
        holder.communicate()


def test_a_folder_that_cannot_be_written_is_told(up, tmp_path, port):
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "data"
    assert "cannot be used: Not a directory" in told(up("--data", folder, "--port", port))


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (
            ("--port", "many"),
            {},
            "--port cannot be used (given: 'many'): it takes a whole number from 1 to 65535.",
        ),
        ((), {"TABLEE_WORKERS": "65"}, "TABLEE_WORKERS cannot be used (given: '65')"),
        (
            ("--redis", "localhost"),
            {},
            "--redis cannot be used (given: 'localhost'): it takes an address such as redis://",
        ),
        (
            ("--redis", "redis://127.0.0.1:1/0"),
            {},
            "The log's server at redis://127.0.0.1:1/0 cannot be used",
        ),
        (
            ("--log-format", "poetry"),
            {},
            "--log-format cannot be used (given: 'poetry'): it takes console or json.",
        ),
        ((), {"TABLEE_SECRET": "short"}, "TABLEE_SECRET cannot be used: "),
        ((), {"TABLEE_SECRET_FILE": "/nowhere"}, "The secret file /nowhere cannot be read"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told(up, data, port, monkeypatch, arguments, environment, message):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if "--port" not in arguments:
        arguments = ("--port", port, *arguments)
    assert message in told(up("--data", data, *arguments))
    assert not data.exists()


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1", "no such host"])
def test_a_host_that_is_not_this_machine_is_told_and_leaves_no_folder(up, data, port, host):
    said = told(up("--data", data, "--port", port, "--host", host))
    assert said.startswith(f"tablee: {host} is not an address of this machine.")
    assert str(port) not in said
    assert not data.exists()


def test_a_log_store_that_may_lose_moves_is_refused_unless_that_is_accepted(up, data, folders, port, capsys):
    with running_stores(folders(), purpose="a test") as stores:
        weak = stores.job_store_url
        refused = told(up("--data", data, "--port", port, "--redis", weak))
        assert "may lose acknowledged moves (appendonly no" in refused
        assert "TABLEE_ACCEPT_WEAK_DURABILITY=true" in refused
        require_fit(load_settings({}, log_store_url=weak, accept_weak_durability=True))
        assert "may lose acknowledged moves" in capsys.readouterr().err
        require_fit(load_settings({}, log_store_url=stores.log_store_url))
        assert capsys.readouterr().err == ""


def test_a_replica_is_refused_and_its_primary_named(up, data, folders, port):
    async def opened(settings: Settings) -> None:
        async with opening_of(settings)():
            pass

    with (
        running_stores(folders(), purpose="a test") as stores,
        Redis.from_url(stores.log_store_url) as server,
    ):
        server.execute_command("REPLICAOF", "192.0.2.1", "6379")
        refused = told(up("--data", data, "--port", port, "--redis", stores.log_store_url))
        assert "it is a replica of 192.0.2.1:6379 and takes no writes" in refused
        settings = load_settings(
            {},
            data=str(data),
            secret="s" * 32,
            log_store_url=stores.log_store_url,
            accept_weak_durability=True,
        )
        with pytest.raises(StoreReadOnly, match="TABLEE_LOG_STORE_URL"):
            asyncio.run(opened(settings))


def test_a_log_of_another_installation_is_told(up, start, data, played, port, monkeypatch):
    monkeypatch.setenv("TABLEE_SHARDS", "4")
    mismatch = "tablee: the store was set up with shards 16 and cannot be used with 4\n"
    assert told(up("--data", data, "--port", port, "--redis", played.url)) == mismatch
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as client:
        client.hset("tb:installation", mapping={"shards": 16, "layout": 1})
    process = start(data, "up", "--data", data, "--port", port, TABLEE_SHARDS="4")
    _, errors = process.popen.communicate(timeout=60)
    assert process.popen.returncode == 2
    assert errors.splitlines()[-1] == mismatch.strip()
    assert "Traceback" not in errors
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as client:
        assert client.hget("tb:installation", "shards") == b"16"


@pytest.mark.parametrize(
    ("program", "path", "called"),
    [
        (".venv/bin/tablee", "", ".venv/bin/tablee"),
        ("/opt/tablee/bin/tablee", "", "/opt/tablee/bin/tablee"),
        ("/opt/tablee/bin/tablee", "/opt/tablee/bin", "tablee"),
        ("/usr/lib/main.py", "", "tablee"),
    ],
)
def test_what_to_try_next_is_what_works_here(monkeypatch, tmp_path, program, path, called):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [program])
    monkeypatch.setattr("shutil.which", lambda _: path)
    assert suggested("verify --all", tmp_path / "tablee-data") == f"{called} verify --all"
    assert (
        suggested("verify --all", tmp_path / "my cards")
        == f"{called} verify --all --data '{tmp_path}/my cards'"
    )


def test_a_damaged_log_is_named_and_cut_by_one_command(start, tablee, data, port):
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        log.set("kept", 1)
        log.set("lost", 2)
    (file,) = (data / "log" / "appendonlydir").glob("*.incr.aof")
    content = file.read_bytes()
    position = content.rindex(b"*3\r\n$3\r\nSET\r\n$4\r\nlost")
    file.write_bytes(content[:position] + b"?" + content[position + 1 :])
    process = start(data, "up", "--data", data, "--port", port)
    _, said = process.popen.communicate(timeout=60)
    assert process.popen.returncode == 2
    assert f"{file} is damaged at byte {position}" in said
    assert f"tablee store --cut-log --data {data}" in said
    cut = tablee("store", "--cut-log", "--data", data)
    assert cut.exit_code == 0
    assert f"{len(content) - position} bytes from byte {position} on were cut off" in cut.stdout
    assert "nothing was cut" in tablee("store", "--cut-log", "--data", data).stdout
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        assert log.mget("kept", "lost") == [b"1", None]

"""The log's file after a power cut or a bad disk, under the real server."""

import stat

import pytest
from redis import Redis

from services.log.embedded.append_only_file import cut_damage, find_damage
from services.log.embedded.errors import StoreFailed
from services.log.embedded.session import running_stores

KEYS = [f"key {number}" for number in range(40)]


@pytest.fixture
def log_file(data):
    """The append-only file of a store that was stopped, with forty acknowledged writes in transactions."""
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        for key in KEYS:
            log.eval(
                "redis.call('SET', KEYS[1], ARGV[1]) redis.call('HSET', 'all', KEYS[1], 1)", 1, key, "x" * 50
            )
    (file,) = (data / "log" / "appendonlydir").glob("*.incr.aof")
    return file


def keys_kept(data):
    with running_stores(data, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        return [key for key in KEYS if log.exists(key)]


@pytest.mark.parametrize("torn", [b"", b"*3\r\n$3\r\nSET\r\n$5\r\nun"])
def test_zeros_behind_the_last_command_are_cut_off_and_kept(data, log_file, torn, caplog):
    size = log_file.stat().st_size + len(torn)
    with log_file.open("ab") as file:
        file.write(torn + bytes(4096))
    assert keys_kept(data) == KEYS
    assert f"4096 bytes from byte {size} on were cut off {log_file}" in caplog.text
    (kept,) = (data / "log" / "cut").iterdir()
    assert kept.read_bytes() == bytes(4096)
    caplog.clear()
    assert keys_kept(data) == KEYS
    assert not caplog.records


def test_any_other_damage_is_named_with_the_command_that_goes_on_from_there(data, log_file):
    content = log_file.read_bytes()
    damaged = content.index(b"key 20") - 3
    log_file.write_bytes(content[:damaged] + b"\xff" + content[damaged + 1 :])
    with pytest.raises(StoreFailed) as failure, running_stores(data, purpose="a test"):
        pass
    said = str(failure.value)
    whole = content.rindex(b"*1\r\n$5\r\nMULTI", 0, damaged)
    assert f"{log_file} is damaged at byte {whole} of {len(content)}" in said
    assert f"Lost is what was written: {len(content) - whole} bytes" in said
    assert f"tablee store --cut-log --data {data}" in said
    assert "valkey-check" not in said
    damage = find_damage(data / "log")
    assert damage is not None
    cut = cut_damage(data / "log", damage)
    assert cut.kept.read_bytes().startswith(b"*1\r\n$5\r\nMULTI")
    assert keys_kept(data) == KEYS[:20]


def test_a_command_whose_name_was_altered_is_found(data, log_file):
    content = log_file.read_bytes()
    at = content.index(b"SET", content.index(b"key 7") - 20)
    log_file.write_bytes(content[:at] + b"\x01ET" + content[at + 3 :])
    damage = find_damage(data / "log")
    assert damage is not None
    assert damage.position < at


@pytest.mark.usefixtures("log_file")
def test_whole_files_show_no_damage(data):
    assert find_damage(data / "log") is None


def test_only_the_owner_may_read_what_the_servers_write(data, log_file):
    log_file.chmod(0o644)
    log_file.parent.chmod(0o755)
    keys_kept(data)
    open_to_others = [path for path in data.rglob("*") if stat.S_IMODE(path.lstat().st_mode) & 0o077]
    assert not open_to_others

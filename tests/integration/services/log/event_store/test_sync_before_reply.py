"""The answer to an append leaves the server only when its events are on the disk.

Killing a process proves nothing about that: what it wrote survives in the kernel's memory. The system calls do.
"""

import os
import re
import shutil
import subprocess
from itertools import pairwise

import pytest
import redis

from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import patient
from tests.conformance.journal import Journal
from tests.conformance.servers import redis_program, running, valkey_program

APPENDS = 5


@pytest.fixture(scope="module")
def strace():
    """Return the tracer; skip where it is missing or not allowed, but fail in CI, which must have it."""
    program = shutil.which("strace")
    allowed = program and subprocess.run([program, "-o", os.devnull, "true"], check=False).returncode == 0
    if not allowed:
        missing = "strace is not installed (Debian: apt-get install strace) or may not trace here"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return program


async def _trace(program, strace, fsync, trace):
    """Append on a traced server and return what it did, in order: ``log``, ``sync`` and ``reply``."""
    tracing = (
        strace,
        "-f",
        "-e",
        "trace=fsync,fdatasync,write,writev,sendto,sendmsg",
        "-s",
        "80",
        "-o",
        str(trace),
    )
    with running(program, wrapped_in=tracing, fsync=fsync) as server:
        store = await RedisEventStore.open(server.url(), None, patient())
        ada = Journal()
        for _ in range(APPENDS):
            await ada.write(store, 2)
        await store.close()
        with redis.Redis.from_url(server.url()) as client:
            client.shutdown(nosave=True)
    return _steps(trace.read_text())


def _steps(trace):
    steps = []
    for line in trace.splitlines():
        if "write" in line and "XADD" in line:
            steps.append("log")
        elif re.search(
            r"f(data)?sync\b.*= 0$", line
        ):  # whole, or the second half of one that was interrupted
            steps.append("sync")
        elif "appended" in line:
            steps.append("reply")
    return steps


@pytest.mark.parametrize("program", [valkey_program, redis_program], ids=["valkey", "redis"])
async def test_every_append_is_synced_before_its_reply(program, strace, tmp_path):
    steps = await _trace(program(), strace, "always", tmp_path / "trace")
    first = steps.index("log")
    assert steps[first : first + 3 * APPENDS] == ["log", "sync", "reply"] * APPENDS


async def test_without_that_setting_replies_come_before_the_sync(strace, tmp_path):
    """Otherwise the test above would not show anything."""
    steps = await _trace(valkey_program(), strace, "everysec", tmp_path / "trace")
    # Also before the log, which the server does not write while a sync goes on.
    assert any(step == "reply" and before != "sync" for before, step in pairwise(["", *steps]))

"""The log store answers a write only after the disk has it: seen in its own system calls.

Killing a process proves nothing about this: what it wrote survives in the system's cache, synced or not.
"""

import re
import shutil
from pathlib import Path

import pytest
from redis import Redis

from services.log.embedded.data_folder import DataFolder
from services.log.embedded.processes import start_dependent, stop
from services.log.embedded.session import wait_until_ready
from services.log.embedded.stores import embedded_stores

STRACE = shutil.which("strace")


def traced_calls(data: Path, trace: Path) -> list[str]:
    """The log store's writes and syncs while it takes the marked event, in order, and the answer to it."""
    with DataFolder(data, purpose="a test") as folder:
        log, _ = embedded_stores(folder)
        watched = "trace=write,writev,sendto,fsync,fdatasync"
        # Strings cut late enough to see the marker in what is written to the file.
        command = (str(STRACE), "-f", "-s", "400", "-e", watched, "-o", str(trace), *log.argv)
        process = start_dependent(command, inherited=log.inherited, output=log.output)
        try:
            wait_until_ready(log, process)
            with Redis.from_url(log.url) as client:
                client.xadd("stream", {"e": "marked-event"}, id="7777-0")
                # strace passes no signals on.
                client.shutdown(nosave=True)
            process.wait(10)
        finally:
            stop(process, grace=0.1)
    calls = [line.split(maxsplit=1)[1] for line in trace.read_text().splitlines()]
    written = next(index for index, call in enumerate(calls) if "marked-event" in call)
    answered = next(index for index, call in enumerate(calls) if re.search(r'"\$6\\r\\n7777-0', call))
    return calls[written : answered + 1]


@pytest.mark.skipif(STRACE is None, reason="needs strace: apt install strace")
def test_a_write_is_synced_before_it_is_answered(data, tmp_path):
    written, *between, answered = traced_calls(data, tmp_path / "trace")
    assert written.startswith("write(")
    synced = [call for call in between if re.match(r"f(data)?sync\(", call)]
    assert synced, "answered before it was synced"
    (file,) = {re.match(r"\w+\((\d+)", call)[1] for call in synced if "= 0" in call}  # type: ignore[index]
    assert written.startswith(f"write({file},")
    assert not answered.startswith(f"write({file},")

"""Starting and stopping processes that belong to this one."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_LIFELINE = Path(__file__).with_name("die_with_parent.py")
_LARGEST_OUTPUT = 1_000_000


def start_dependent(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    inherited: Sequence[int] = (),
    output: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program, in a process group of its own, that the kernel kills when this process ends.

    It gets its own session, so that Ctrl-C in the terminal reaches only the process that decides about the others.
    Call this from the main thread: to the kernel, the end of the starting *thread* is the end of the parent.

    Args:
        argv: The program and its arguments; the program is looked up in PATH if it has no slash.
        environment: Its whole environment; by default this process's own.
        inherited: File descriptors that stay open in it, such as a lock.
        output: A file to append its standard output and error to; by default this process's own. A file over a
            megabyte is first moved aside, to the same name with ``.old``.

    Raises:
        OSError: The interpreter could not be started, or the output file not opened. A missing program is not noticed
            here: its process ends at once.
    """
    command = [sys.executable, "-I", "-S", str(_LIFELINE), str(os.getpid()), *argv]
    with contextlib.ExitStack() as stack:
        sink = None if output is None else stack.enter_context(_rolled(output).open("ab"))
        return subprocess.Popen(
            command,
            env=None if environment is None else dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=None if sink is None else subprocess.STDOUT,
            pass_fds=tuple(inherited),
            start_new_session=True,
            # What servers write is for the owner of the data folder only.
            umask=0o077,
        )


def _rolled(output: Path) -> Path:
    with contextlib.suppress(FileNotFoundError):
        if output.stat().st_size > _LARGEST_OUTPUT:
            output.replace(output.with_name(f"{output.name}.old"))
    return output


def stop(process: subprocess.Popen[bytes], *, grace: float) -> int:
    """End a process, by force if it must be, and sweep up the rest of its group; return its exit status.

    Args:
        process: A process from ``start_dependent``.
        grace: Seconds between SIGTERM and SIGKILL.
    """
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
    status = process.wait()
    sweep(process.pid)
    return status


def sweep(group: int) -> None:
    """Kill what is left of a process group whose leader has ended, such as the leader's forks."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    """Tell whether a process with this id is running, whoever owns it. A zombie is not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    # In a container perhaps nobody reaps an orphan, so its id would stay for ever. On systems other than Linux the file
    # is missing.
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
        return state not in {b"Z", b"X"}
    return True

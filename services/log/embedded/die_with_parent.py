"""A process that does not outlive the one that started it.

On Linux we ask the kernel to kill the process when its parent ends, however it ends (``PR_SET_PDEATHSIG``). The
request must be made inside the new process, and it survives ``exec``. So this file is also a program, which makes the
request and then becomes the real program::

    python -I -S die_with_parent.py PARENT_PID PROGRAM [ARGUMENT ...]

It imports only the standard library, because it runs before anything else. On other systems it just becomes the real
program; an orphan there still holds the lock of its data folder, so that nothing is written twice.
"""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Make the kernel kill this process when its parent ends; end at once if that is gone already.

    A fork of this process does not inherit the request and must call this again.

    Raises:
        SystemExit: The parent has ended before the request could be made.
    """
    if sys.platform == "linux":
        # Imported here because on other systems the ten milliseconds would be wasted.
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            raise SystemExit(1)


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the arguments come from the process that started this one

"""A process that does not outlive the one that started it.

On Linux the kernel is asked to kill the process when its parent ends, however that ends (``PR_SET_PDEATHSIG``). The
request must be made inside the new process, and survives ``exec``. So this file is also a program, which asks and
then becomes the real one::

    python -I -S die_with_parent.py PARENT_PID PROGRAM [ARGUMENT ...]

It imports the standard library only: it runs before anything else is there. Elsewhere than on Linux it only becomes
the real program; an orphan then still holds the lock of its data folder, so that nothing is written twice.
"""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Make the kernel kill this process when its parent ends.

    A process that a child has forked in turn does not inherit the request: whoever forks calls this again there.

    Args:
        parent: The process id that the parent had; if it is gone already, this process ends here.

    Raises:
        SystemExit: The parent has ended before the request could be made.
    """
    if sys.platform == "linux":
        # Imported here: the ten milliseconds are wasted on other systems.
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            raise SystemExit(1)


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the arguments come from the process that started this one

"""What can go wrong when a service starts its processes."""

from domain.errors import TableeError


class SupervisionError(TableeError):
    """The service cannot run. The message says what to do."""

    code = "supervision.error"


class HostUnusable(SupervisionError):
    """The address to listen on is not one of this machine's."""

    code = "supervision.host_unusable"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is not an address of this machine. "
            "Name one of its own with --host ADDRESS or TABLEE_HOST; 0.0.0.0 stands for all of them."
        )
        self.host = host


class PortTaken(SupervisionError):
    """The API cannot listen where it should."""

    code = "supervision.port_taken"

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(
            f"Port {port} on {host} cannot be used: {reason}. "
            "Stop what uses it, or choose another with --port NUMBER or TABLEE_PORT."
        )
        self.host = host
        self.port = port


class ChildFailed(SupervisionError):
    """A process did not become ready when the service started.

    Attributes:
        status: Its exit status, negative for a signal; None if it was still running.
    """

    code = "supervision.child_failed"

    def __init__(self, child: str, reason: str, status: int | None, explanation: str = "") -> None:
        said = f" {explanation}" if explanation else ""
        super().__init__(f"The {child} {reason}.{said}")
        self.child = child
        self.status = status

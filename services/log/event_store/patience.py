"""How long whoever asks the log's server waits."""

import msgspec


class Patience(msgspec.Struct, frozen=True):
    """How long to wait, in seconds.

    Attributes:
        connect: For opening a connection.
        reply: For a whole command, from asking for a connection to the reply.
        resolve: After that, for finding out about an append whose reply was lost.
        replicas: How many replicas must have an append before it is acknowledged.
        replicated: For them.
    """

    connect: float = 1.0
    reply: float = 3.0
    resolve: float = 2.0
    replicas: int = 0
    replicated: float = 1.0

    @property
    def wait(self) -> tuple[str | int, ...]:
        """The command that waits for the replicas; its reply says how many have it."""
        return ("WAIT", self.replicas, round(self.replicated * 1000))

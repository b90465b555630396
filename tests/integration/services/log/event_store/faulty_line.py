"""A line between a store and its server that breaks, falls silent or delays exactly where a test says."""

import asyncio
import contextlib
from collections import deque
from pathlib import Path
from typing import Self


class Fault:
    """What goes wrong next.

    Attributes:
        forwarded: Bytes that still reach the server before the line is cut; None for no cut.
        returned: Bytes that still reach the client before the line is cut; None for no cut.
        silent: Leave the connections open at the cut, without another byte.
        again: Happen to every connection, not only once.
    """

    def __init__(
        self,
        *,
        forwarded: int | None = None,
        returned: int | None = None,
        silent: bool = False,
        again: bool = False,
    ) -> None:
        self.forwarded = forwarded
        self.returned = returned
        self.silent = silent
        self.again = again


class Held:
    """A message kept on its way: it has ``arrived`` at the line, is ``released`` by the test, then ``delivered``."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()
        self.released = asyncio.Event()
        self.delivered = asyncio.Event()


class FaultyLine:
    """Listens on a TCP port and passes everything on to a server's unix socket, but for faults."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._fault: Fault | None = None
        self._passed = {"forwarded": 0, "returned": 0}
        self._to_hold: deque[Held] = deque()
        self.cuts = 0

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port: int = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop listening and drop every connection."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def listen_again(self) -> None:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", self._port)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}"

    def fail(self, fault: Fault) -> None:
        """Let this go wrong, counting from now."""
        self._fault = fault
        self._passed = {"forwarded": 0, "returned": 0}

    def heal(self) -> None:
        self._fault = None

    def hold(self) -> Held:
        """Keep what is sent next on its way, or, if that is to be held already, what comes behind it."""
        self._to_hold.append(Held())
        return self._to_hold[-1]

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        server, to_server = await asyncio.open_unix_connection(str(self._server))
        held: list[Held] = []
        try:
            await asyncio.gather(
                self._forward(client, to_server, to_client, held),
                self._return(server, to_client, to_server, held),
            )
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            to_client.close()
            to_server.close()
            self._tasks.discard(task)

    async def _forward(
        self,
        client: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        to_client: asyncio.StreamWriter,
        held: list[Held],
    ) -> None:
        while chunk := await client.read(1 << 16):
            if self._to_hold:
                held.append(self._to_hold.popleft())
                held[-1].arrived.set()
                await held[-1].released.wait()
            if not await self._passed_on("forwarded", chunk, to_server, to_client):
                return
        to_server.write_eof()

    async def _return(
        self,
        server: asyncio.StreamReader,
        to_client: asyncio.StreamWriter,
        to_server: asyncio.StreamWriter,
        held: list[Held],
    ) -> None:
        while chunk := await server.read(1 << 16):
            if held and held[-1].released.is_set():
                held[-1].delivered.set()
            if not await self._passed_on("returned", chunk, to_client, to_server):
                return
        to_client.close()

    async def _passed_on(
        self, direction: str, chunk: bytes, sink: asyncio.StreamWriter, other: asyncio.StreamWriter
    ) -> bool:
        """Pass a chunk on as far as the present fault lets it; tell whether the line still stands."""
        fault = self._fault
        allowed: int | None = getattr(fault, direction) if fault else None
        if fault is None or allowed is None:
            sink.write(chunk)
            return True
        sink.write(chunk[: allowed - self._passed[direction]])
        self._passed[direction] += len(chunk)
        if self._passed[direction] < allowed:
            return True
        self.cuts += 1
        self._passed = {"forwarded": 0, "returned": 0}
        self._fault = fault if fault.again else None
        if fault.silent:
            await asyncio.Event().wait()
        with contextlib.suppress(OSError):
            await sink.drain()
        sink.close()
        other.close()
        return False

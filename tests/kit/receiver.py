"""A web server in the test's own loop that takes posts, or misbehaves as a test wants."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


class Post(NamedTuple):
    """What was posted."""

    path: str
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.content)


class Receiver:
    """What arrived, and what is answered.

    Attributes:
        port: Where it listens.
        posts: What arrived, oldest first.
        connections: How many came, whether they posted anything or not.
        answer: What it answers.
        behave: What it does instead; None to answer.
    """

    def __init__(self) -> None:
        self.port = 0
        self.posts: list[Post] = []
        self.connections = 0
        self.answer = b"HTTP/1.1 204 No Content\r\n\r\n"
        self.behave: Behaviour | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one post."""
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {
                name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:-2])
            }
            content = await reader.readexactly(int(headers.get("content-length", 0)))
            self.posts.append(Post(head[0].split(" ")[1], headers, content))
            if self.behave is not None:
                await self.behave(writer)
            else:
                writer.write(self.answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiver(context: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Run a web server on this machine."""
    running = Receiver()
    server = await asyncio.start_server(running.serve, "127.0.0.1", 0, ssl=context)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()

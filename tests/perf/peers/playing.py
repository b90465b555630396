"""Playing at a peer over HTTP, and what every peer is asked for."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self

from tests.perf.http_client import Client


class Stretch(NamedTuple):
    """Moves in a closed loop.

    Attributes:
        times: How long each took, in seconds.
        seconds: How long all of it took.
        server: The processor time of all of the server's processes.
        clients: That of the clients.
    """

    times: list[float]
    seconds: float
    server: float
    clients: float


class Sent(NamedTuple):
    """What one player's connections were sent in whole matches.

    Attributes:
        bytes: All bytes, headers included.
        moves: The moves of both players.
        matches: How many matches.
        hidden: Cards in it that the player might not know.
        guessed: In how many matches the first deal followed from what everybody is told.
    """

    bytes: int
    moves: int
    matches: int
    hidden: int
    guessed: int = 0


class Kills(NamedTuple):
    """What was acknowledged before kills, and what of that was gone after them."""

    kills: int
    acknowledged: int
    lost: int


class Peer(Protocol):
    """A running service."""

    name: str

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def flat_out(self, clients: int, seconds: float) -> Stretch:
        """Let each client send its next move as soon as the last one is answered."""

    def stored(self) -> int:
        """Return the bytes that are stored."""

    def sent(self, matches: int) -> Sent:
        """Play whole matches, and look at what one player is sent."""

    def killed(self, kills: int, clients: int) -> Kills:
        """Kill all of its processes while clients play, start it again, and look for what was acknowledged."""


class Played(Protocol):
    """A table at which one connection plays for both."""

    @property
    def match(self) -> str: ...
    @property
    def over(self) -> bool: ...
    async def open(self) -> None: ...
    async def move(self) -> int: ...


class OpenTable:
    """A table of the small service around `eventsourcing`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.match = ""
        self.tokens: list[str] = []
        self.view: Mapping[str, object] = {}

    @property
    def over(self) -> bool:
        return self.view.get("phase") != "playing"

    async def open(self) -> None:
        made = await self._client.ask("POST", "/matches")
        self.match, self.tokens, self.view = made.body["match"], made.body["tokens"], made.body["view"]

    async def move(self) -> int:
        may_draw = self.view["pile_size"] and not self.view["quit"]
        answer = await self._client.ask(
            "POST",
            f"/matches/{self.match}/moves",
            {"type": "draw" if may_draw else "quit"},
            Authorization=f"Bearer {self.tokens[self.view['turn']]}",  # type: ignore[call-overload]
        )
        if answer.status != 200:
            raise AssertionError(answer)
        self.view = answer.body
        return int(answer.body["version"])


async def flat_out(tables: Sequence[Played], seconds: float, used: Callable[[], float]) -> Stretch:
    """Play at tables that are open."""
    times, before, own = list[float](), used(), time.process_time()
    start = time.perf_counter()

    async def keep_moving(table: Played) -> None:
        while time.perf_counter() - start < seconds:
            begun = time.perf_counter()
            await table.move()
            times.append(time.perf_counter() - begun)
            if table.over:
                await table.open()

    await asyncio.gather(*map(keep_moving, tables))
    took = time.perf_counter() - start
    return Stretch(times, took, used() - before, time.process_time() - own)


async def until_gone(
    tables: Sequence[Played], after: float, kill: Callable[[], None]
) -> dict[str, list[int]]:
    """Play until the server is killed; return the versions that were acknowledged, by match."""
    told: dict[str, list[int]] = {}

    async def keep_moving(table: Played) -> None:
        try:
            while True:
                version = await table.move()
                told.setdefault(table.match, []).append(version)
                if table.over:
                    await table.open()
        except (OSError, EOFError):
            return

    playing = asyncio.gather(*map(keep_moving, tables))
    await asyncio.sleep(after)
    await asyncio.to_thread(kill)
    await playing
    return told


def lost(told: Mapping[str, Sequence[int]], stored: Mapping[str, int]) -> int:
    """Return how many acknowledged moves are not stored."""
    return sum(version > stored[match] for match, versions in told.items() for version in versions)

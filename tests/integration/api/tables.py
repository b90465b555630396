"""Playing over HTTP in tests: a client, tables, and moves taken from the legal ones that the API tells."""

import random
import secrets
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
from litestar import Litestar

from api.parts import Parts
from domain.games.registry import CURRENT
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.projections.row_updates import RowUpdater

BASE = "/api/v1"


def fresh_key() -> str:
    return secrets.token_hex(16)


class Api:
    """A running application, and a client at its door.

    Every answer is kept, with the token that asked for it, so that a test can look for leaks in all of them.
    """

    def __init__(self, client: httpx.AsyncClient, app: Litestar | None = None) -> None:
        """Take a client, and the application itself unless it runs in another process."""
        self.client = client
        if app is not None:
            self.app = app
            self.parts: Parts = app.state.parts
            self.application: Application = app.state.parts.application
        self.answers: list[tuple[str | None, httpx.Response]] = []

    async def ask(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        key: str | None = None,
        if_match: str | int | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        given = dict(headers or {})
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        if key is not None:
            given["Idempotency-Key"] = key
        if if_match is not None:
            given["If-Match"] = f'"{if_match}"' if isinstance(if_match, int) else if_match
        answer = await self.client.request(method, f"{BASE}{path}", headers=given, **more)
        self.answers.append((token, answer))
        return answer

    async def list_anew(self) -> None:
        """Read all matches into the lists, as the loops do while a service runs."""
        client, store = self.application.log_client, self.application.store
        ledger = Ledger(client, store.shards)
        generations = Generations(client, store.shards)
        building = await generations.begin(present_instant())
        rows = ledger.of(building.generation)
        updater = RowUpdater(store, self.application.reader, present_instant)
        for update in await updater.updates({match: 0 async for match in store.matches()}, {}):
            shard = rows.shard_of(update.match)
            await client.hset(ledger.keyspace.of_shard(shard).shard, rows.checkpoint_field, "0")
            # The log may be in memory: then the rows' server has nothing to compare them with.
            assert await ledger.commit(rows, [msgspec.structs.replace(update, head=b"")])
        await generations.swap(building)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("POST", path, **more)


class Table:
    """A table with its tokens."""

    def __init__(self, api: Api, match: str, host: str, game: str) -> None:
        self.api = api
        self.id = match
        self.host = host
        self.game = game
        self.seats: dict[int, str] = {}

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    @classmethod
    async def make(cls, api: Api, game: str = "lama", people: int = 2, bots: int = 0, **body: Any) -> "Table":
        seats: list[dict[str, str]] = [{}] * people + [{"bot": "steady"}] * bots
        plan = {"game": game, "seats": seats, "start": "host", **body}
        answer = await api.post("/matches", key=fresh_key(), json=plan)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return cls(api, made["match"], made["host_token"], game)

    async def sit(self, **body: Any) -> int:
        answer = await self.api.post(f"{self.path}/seats", key=fresh_key(), json=body)
        assert answer.status_code == 201, answer.text
        seated = answer.json()
        self.seats[seated["seat"]] = seated["seat_token"]
        return int(seated["seat"])

    async def begin(self, people: int = 2) -> "Table":
        begun = False
        for _ in range(people):
            seat = await self.sit()
            ready = await self.api.post(f"{self.path}/ready", token=self.seats[seat])
            assert ready.status_code == 200, ready.text
            begun = ready.json()["view"]["lifecycle"]["phase"] == "playing"
        if not begun:
            started = await self.api.post(f"{self.path}/start", token=self.host)
            assert started.status_code == 200, started.text
        return self

    @classmethod
    async def started(
        cls, api: Api, game: str = "lama", people: int = 2, bots: int = 0, **body: Any
    ) -> "Table":
        return await (await cls.make(api, game, people, bots, **body)).begin(people)

    async def view(self, seat: int | None = None) -> dict[str, Any]:
        answer = await self.api.get(self.path, token=None if seat is None else self.seats[seat])
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    async def turn(self) -> tuple[int, dict[str, Any]]:
        """Return the seat of a person who is to act, and what it sees; bots play first."""
        while True:
            view = await self.view()
            assert view["lifecycle"]["phase"] == "playing"
            people = [seat for seat in view["to_act"] if seat in self.seats]
            if people:
                return people[0], await self.view(people[0])
            await self.api.application.bots.play_turns(self.id, trace="test", seconds=10)

    async def move(self, seat: int, move: dict[str, Any], version: int | str, **more: Any) -> httpx.Response:
        more = {"key": fresh_key(), "token": self.seats[seat], **more}
        return await self.api.post(f"{self.path}/moves", json=move, if_match=version, **more)

    async def play(self, choose: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> httpx.Response:
        """Make one legal move of whoever is to act."""
        seat, view = await self.turn()
        moves = legal_moves(self.game, view["legal"])
        answer = await self.move(seat, choose(moves), view["version"])
        assert answer.status_code == 200, answer.text
        return answer

    async def play_some(self, chance: random.Random, turns: int) -> None:
        """Make some legal moves that do not end the match."""
        for _ in range(turns):
            await self.play(
                lambda moves: chance.choice([one for one in moves if one["type"] != "quit"] or moves)
            )

    async def play_out(self, chance: random.Random, most: int = 2000) -> dict[str, Any]:
        for _ in range(most):
            view = await self.view()
            if view["lifecycle"]["phase"] != "playing":
                return view
            if not any(seat in self.seats for seat in view["to_act"]):
                await self.api.application.bots.play_turns(self.id, trace="test", seconds=10)
            else:
                await self.play(chance.choice)
        raise AssertionError("the match does not end")


def legal_moves(game: str, legal: Any) -> list[dict[str, Any]]:
    """Return all moves that a view's ``legal`` stands for."""
    played = CURRENT[game]
    moves = played.expand(msgspec.convert(legal, played.legal_type))
    return [msgspec.to_builtins(move) for move in moves]

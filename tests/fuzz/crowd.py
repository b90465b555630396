"""The tables and browsers that requests are about: what each is allowed, and what must stay secret."""

import random
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.games.registry import CURRENT
from tests.fuzz.request import Request, api, page
from tests.fuzz.wire import Reply
from tests.kit.games import GAME_KEYS
from tests.kit.options import shortest

MOST_TABLES: Final = 8
_FORM_TOKEN: Final = b'name="form" value="'


class Table(msgspec.Struct):
    """A table.

    Attributes:
        match: Its id.
        game: Its game.
        host: The host's token; empty for a table made on a page.
        seats: The seats' tokens.
        asked: How many requests were about it.
    """

    match: str
    game: str
    host: str
    seats: dict[int, str] = {}
    asked: int = 0


class Browser(msgspec.Struct):
    """A browser.

    Attributes:
        session: The secret in its cookie.
        form_token: The token in its forms.
        seats: The seats that it plays, by match.
    """

    session: str
    form_token: str
    seats: dict[str, int] = {}


class Crowd:
    """All players, and all that they know.

    Attributes:
        tables: The tables that requests are about now.
        browsers: The browsers.
        sent: The last requests that did something.
        secrets: All that nobody else may ever be told, and that the service log must never hold.
        holders: By seat token, the match and the seat.
    """

    def __init__(self, chance: random.Random, ask: Callable[[Request], Reply]) -> None:
        self.chance = chance
        self.ask = ask
        self.tables: list[Table] = []
        self.browsers: list[Browser] = []
        self.sent: deque[Request] = deque(maxlen=60)
        self.secrets: set[str] = set()
        self.holders: dict[str, tuple[str, int]] = {}

    def gather(self) -> None:
        """Make sure that there are tables and browsers to ask about; old ones are abandoned."""
        self.tables = [table for table in self.tables if table.asked < 250]
        while len(self.browsers) < 2:
            self.browsers.append(self._open_browser())
        while len(self.tables) < MOST_TABLES:
            self.tables.append(self._open_table(len(self.tables)))
        if self.chance.random() < 0.02:
            self.browsers.pop(0)

    def table(self) -> Table:
        """Return some table."""
        table = self.chance.choice(self.tables)
        table.asked += 1
        return table

    def token(self, table: Table) -> str:
        """Return a token for a table, mostly a right one."""
        own = [*table.seats.values(), *filter(None, (table.host,))]
        if own and self.chance.random() < 0.85:
            return self.chance.choice(own)
        other = self.chance.choice(self.tables)
        return self.chance.choice([*other.seats.values(), other.host, ""])

    def browser(self) -> Browser:
        """Return some browser."""
        return self.chance.choice(self.browsers)

    def view(self, table: Table, token: str = "") -> dict[str, Any]:
        """Return a view of a table; empty if it is refused."""
        reply = self.ask(api("viewMatch", b"GET", f"/matches/{table.match}", token=token, match=table.match))
        seen: dict[str, Any] = msgspec.json.decode(reply.body) if reply.status == 200 else {}
        return seen

    def legal(self, table: Table) -> tuple[int, dict[str, Any]] | None:
        """Return a seat that owes a move, with its view; None if no seat does."""
        to_act = [seat for seat in self.view(table, table.host).get("to_act", ()) if seat in table.seats]
        if not to_act:
            return None
        seat = self.chance.choice(to_act)
        view = self.view(table, table.seats[seat])
        return (seat, view) if view.get("legal") is not None else None

    def _open_browser(self) -> Browser:
        reply = self.ask(page("newTable", b"GET", "/new?game=lama"))
        session = reply.header(b"set-cookie").partition(b"=")[2].partition(b";")[0].decode()
        token = reply.body.partition(_FORM_TOKEN)[2].partition(b'"')[0].decode()
        assert session, "no cookie"
        assert token, "no form token"
        self.secrets.add(session)
        return Browser(session, token)

    def _open_table(self, number: int) -> Table:
        chance, game = self.chance, GAME_KEYS[number % len(GAME_KEYS)]
        people = chance.choice([2, 2, 3])
        body = {
            "game": game,
            "seats": [{}] * people + [{"bot": "steady"}] * chance.choice([0, 0, 0, 1]),
            "options": shortest(CURRENT[game]),
            "undo": chance.choice(["", "free", "consent", "practice", "off"]),
            "visibility": chance.choice(["public", "public", "private"]),
            "start": "host",
        }
        made = self._post("createMatch", "/matches", body, key=secrets.token_hex(16))
        table = Table(made["match"], game, made["host_token"])
        self.secrets.add(table.host)
        for _ in range(people):
            taken = self._post("takeSeat", f"/matches/{table.match}/seats", {}, key=secrets.token_hex(16))
            table.seats[taken["seat"]] = taken["seat_token"]
            self.secrets.add(taken["seat_token"])
            self.holders[taken["seat_token"]] = table.match, taken["seat"]
        if chance.random() < 0.8:
            for token in table.seats.values():
                self._post("beReady", f"/matches/{table.match}/ready", {}, token=token)
            self._post("startMatch", f"/matches/{table.match}/start", {}, token=table.host)
        return table

    def _post(
        self, operation: str, path: str, body: Any, *, key: str = "", token: str = ""
    ) -> dict[str, Any]:
        headers = [(b"Idempotency-Key", key.encode())] if key else []
        if key:
            self.secrets.add(key)
        match = path.split("/")[2] if path.count("/") > 1 else ""
        reply = self.ask(api(operation, b"POST", path, token=token, match=match, json=body, headers=headers))
        assert reply.status in {200, 201}, reply
        done: dict[str, Any] = msgspec.json.decode(reply.body)
        return done

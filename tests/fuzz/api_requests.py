"""Requests to the API as a well-behaved client sends them."""

import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tests.fuzz.crowd import Crowd, Table
from tests.fuzz.request import Request, api
from tests.integration.api.tables import legal_moves
from tests.kit.games import GAME_KEYS

_VIEWING: Final = (
    ("viewMatch", ""),
    ("viewMatchAt", "/at/{version}"),
    ("readEvents", "/events"),
    ("followMatch", "/stream"),
    ("replayMatch", "/replay"),
    ("compareVersions", "/difference"),
)

_EMPTY: Final[Mapping[str, str]] = {
    "leaveSeat": "leave",
    "resignSeat": "resign",
    "reclaimSeat": "reclaim",
    "redoMove": "redo",
    "askToEnd": "ask-to-end",
}

_QUERIES: Final[Mapping[str, Sequence[tuple[bytes, Sequence[bytes]]]]] = {
    "viewMatchAt": ((b"as", (b"spectator", b"seat0", b"seat1")),),
    "readEvents": ((b"after", (b"0", b"3")), (b"limit", (b"0", b"5")), (b"format", (b"json", b"ndjson"))),
    "followMatch": ((b"after", (b"0", b"2")),),
    "listMatches": (
        (b"player", (b"bot-1", b"p7m2q4")),
        (b"game", tuple(key.encode() for key in GAME_KEYS)),
        (b"state", (b"gathering", b"playing", b"finished", b"abandoned")),
        (b"since", (b"2026-01-01", b"2026-11-29T18:00:00Z", b"2026-11-29T18:00:00%2B01:00")),
        (b"until", (b"2999-12-31",)),
        (b"after", (b"1764445583123.vb56ltup7amwxyc4ab3n", b"1764445583123.~")),
        (b"limit", (b"1", b"7", b"999")),
    ),
    "replayMatch": ((b"as", (b"spectator", b"seat0", b"seat1")),),
    "compareVersions": (
        (b"before", (b"1", b"4")),
        (b"after", (b"2", b"6")),
        (b"as", (b"spectator", b"seat0")),
    ),
}


_NEWEST: Final = -1

_MOVES: Final[Sequence[dict[str, Any]]] = (
    *({"type": "play", "card": "L"}, {"type": "play", "card": "1"}, {"type": "draw"}, {"type": "quit"}),
    *({"type": "return", "chip": "black"}, {"type": "pass"}, {"type": "play", "cards": ["R1"]}),
    *({"type": "play", "cards": ["R1", "R1"]}, {"type": "play", "cards": ["B9", "V1"], "take": "R1"}),
    *({"type": "play", "cards": []}, {"type": "play", "cards": ["R1"] * 200}, {"type": "take", "slot": 0}),
    *({"type": "swap", "slot": 11}, {"type": "flip", "slot": 12}, {"type": "flip", "slot": -1}),
    *(
        {"type": "reveal", "slots": [0, 0]},
        {"type": "reveal", "slots": [1, 2]},
        {"type": "reveal", "slots": []},
    ),
    *(
        {"type": "swap", "slot": 2**31},
        {"type": "reveal", "slots": [0, 1, 2, 3]},
        {"type": "play", "card": ""},
    ),
)


def key() -> bytes:
    """Return an idempotency key that nobody can guess."""
    return secrets.token_hex(16).encode()


def move(crowd: Crowd) -> Request:
    """Make a legal move, if somebody at the table owes one."""
    table = crowd.table()
    found = crowd.legal(table)
    if found is None:
        return viewing(crowd)
    seat, view = found
    made = crowd.chance.choice(legal_moves(table.game, view["legal"]))
    headers = [(b"Idempotency-Key", key()), (b"If-Match", b'"%d"' % view["version"])]
    return _command(crowd, table, "makeMove", "moves", made, table.seats[seat], headers)


def guessing(crowd: Crowd) -> Request:
    """Make a well-formed but hardly ever legal move: of some game, for some seat, on some version."""
    table, chance = crowd.table(), crowd.chance
    headers = [(b"Idempotency-Key", key()), (b"If-Match", b"%d" % chance.choice([0, 5, 9, 12, 999, _NEWEST]))]
    if headers[1][1] == b"%d" % _NEWEST:
        headers[1] = (b"If-Match", b"%d" % crowd.view(table, table.host).get("version", 0))
    return _command(crowd, table, "makeMove", "moves", chance.choice(_MOVES), crowd.token(table), headers)


def viewing(crowd: Crowd) -> Request:
    """Look at a table in one of the ways there are."""
    table, chance = crowd.table(), crowd.chance
    operation, path = chance.choice(_VIEWING)
    path = path.replace("{version}", str(chance.randint(1, 12)))
    query = [
        (name, chance.choice(values)) for name, values in _QUERIES.get(operation, ()) if chance.random() < 0.5
    ]
    token = crowd.token(table) if chance.random() < 0.8 else ""
    headers = [(b"If-None-Match", b'"%d"' % chance.randint(1, 12))] if chance.random() < 0.2 else []
    if operation == "followMatch" and chance.random() < 0.5:
        headers.append((b"Last-Event-ID", b"%d" % chance.randint(1, 12)))
    return api(
        operation,
        b"GET",
        f"/matches/{table.match}{path}",
        token=token,
        match=table.match,
        query=query,
        headers=headers,
    )


def listing(crowd: Crowd) -> Request:
    """List the visible matches, with or without filters."""
    table, chance = crowd.table(), crowd.chance
    query = [
        (name, chance.choice(values)) for name, values in _QUERIES["listMatches"] if chance.random() < 0.2
    ]
    token = crowd.token(table) if chance.random() < 0.5 else ""
    return api("listMatches", b"GET", "/matches", token=token, match=table.match, query=query)


def catalogue(crowd: Crowd) -> Request:
    """Ask for what belongs to no table."""
    if crowd.chance.random() < 0.4:
        return listing(crowd)
    operation, path = crowd.chance.choice(
        (
            ("listGames", "/games"),
            ("showGame", "/games/odin"),
            ("openApiDocument", "/openapi.json"),
            ("documentation", "/docs"),
            ("live", "/health/live"),
            ("ready", "/health/ready"),
        )
    )
    return api(operation, b"GET", path)


def creating(crowd: Crowd) -> Request:
    """Make a table, sometimes from a position of another."""
    table, chance = crowd.table(), crowd.chance
    body: dict[str, Any] = {
        "game": table.game,
        "seats": [{}, {}, {"bot": "steady"}],
        "options": {},
        "clock": {"per_turn": chance.choice([0, 60])},
        "undo": "consent",
        "visibility": "public",
        "rules": 0,
        "rematch_of": table.match,
    }
    token = ""
    if chance.random() < 0.4:
        body = {
            "game": table.game,
            "seats": [{} for _ in table.seats],
            "fork": {"match": table.match, "version": chance.randint(5, 12), "same_cards": False, "seat": 0},
        }
        token = crowd.token(table)
    secret = key()
    crowd.secrets.add(secret.decode())
    return api(
        "createMatch", b"POST", "/matches", token=token, json=body, headers=[(b"Idempotency-Key", secret)]
    )


def sitting(crowd: Crowd) -> Request:
    """Take a seat."""
    table = crowd.table()
    secret = key()
    crowd.secrets.add(secret.decode())
    body = {"seat": crowd.chance.randint(0, 3), "nonce_hash": secrets.token_hex(32)}
    return _command(crowd, table, "takeSeat", "seats", body, "", [(b"Idempotency-Key", secret)])


def commanding(crowd: Crowd) -> Request:
    """Do something at a table besides moving."""
    table, chance = crowd.table(), crowd.chance
    operation = chance.choice(
        [
            "beReady",
            "startMatch",
            "undoMove",
            "undoMove",
            "redoMove",
            "askToEnd",
            "answer",
            "withdraw",
            "rare",
        ]
    )
    token = crowd.token(table)
    headers = [(b"Idempotency-Key", key()[:20])] if chance.random() < 0.8 else []
    if operation == "rare":
        return _rare(crowd, table, token, headers)
    if operation in {"answer", "withdraw"}:
        return _about_a_request(crowd, table, operation, token, headers)
    if operation == "undoMove":
        body: Any = chance.choice([{}, {"to": chance.randint(1, 20)}])
        return _command(crowd, table, operation, "undo", body, token, headers)
    if operation == "beReady":
        body = chance.choice([{}, {"nonce": "abc"}])
        return _command(crowd, table, operation, "ready", body, token, headers)
    path = "start" if operation == "startMatch" else _EMPTY[operation]
    return _command(crowd, table, operation, path, {}, token or table.host, headers)


def _rare(crowd: Crowd, table: Table, token: str, headers: list[tuple[bytes, bytes]]) -> Request:
    """Do something that changes a table so much that it should be rare."""
    operation = crowd.chance.choice(
        ["leaveSeat", "resignSeat", "reclaimSeat", "handSeatToBot", "abandonMatch"]
    )
    if operation == "handSeatToBot":
        return _command(crowd, table, operation, "hand-to-bot", {"level": "steady"}, token, headers)
    if operation == "abandonMatch":
        fits = crowd.chance.random() < 0.2
        return _command(
            crowd, table, operation, "abandon", {"reason": "host"}, table.host if fits else token, headers
        )
    return _command(crowd, table, operation, _EMPTY[operation], {}, token, headers)


def _about_a_request(
    crowd: Crowd, table: Table, what: str, token: str, headers: list[tuple[bytes, bytes]]
) -> Request:
    open_requests = crowd.view(table, token).get("requests") or [{"id": "0-undo-1"}]
    named = str(open_requests[0].get("id", "0-undo-1"))
    operation = "answerRequest" if what == "answer" else "withdrawRequest"
    body = {"agree": crowd.chance.random() < 0.7} if what == "answer" else {}
    return _command(crowd, table, operation, f"requests/{named}/{what}", body, token, headers)


def _command(
    crowd: Crowd,
    table: Table,
    operation: str,
    path: str,
    body: Any,
    token: str,
    headers: list[tuple[bytes, bytes]],
) -> Request:
    del crowd
    where = f"/matches/{table.match}/{path}"
    return api(operation, b"POST", where, token=token, match=table.match, json=body, headers=headers)


MAKERS: Final[Sequence[tuple[int, Callable[[Crowd], Request]]]] = (
    (30, move),
    (10, guessing),
    (20, viewing),
    (5, catalogue),
    (6, creating),
    (6, sitting),
    (20, commanding),
)
"""What a client does, and how often."""


def any_of(
    makers: Sequence[tuple[int, Callable[[Crowd], Request]]], chance: random.Random
) -> Callable[[Crowd], Request]:
    """Return one of several ways to make a request."""
    weights = [weight for weight, _ in makers]
    return chance.choices([maker for _, maker in makers], weights)[0]

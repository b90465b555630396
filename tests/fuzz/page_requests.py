"""Requests of browsers: pages, and the forms on them."""

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.games.registry import CURRENT
from domain.match.levels import DEFAULT_LEVEL
from tests.fuzz.crowd import Browser, Crowd, Table
from tests.fuzz.request import Fields, Request, page
from tests.integration.api.tables import legal_moves
from tests.kit.games import GAME_KEYS
from tests.kit.options import shortest

_PLAIN: Final = (
    ("home", "/"),
    ("newTable", "/new"),
    ("rulesList", "/rules"),
    ("rules", "/rules/lama"),
    ("keys", "/help/keys"),
    ("guide", "/guide"),
    ("guide", "/guide/players"),
    ("static", "/static/x/tokens+page.css"),
    ("static", "/static/x/live.js"),
)

_OF_TABLES: Final[Sequence[tuple[str, Fields]]] = (
    ("", []),
    ("", [(b"choice", b"take")]),
    ("/fragment", [(b"after", b"0")]),
    ("/history", []),
    ("/replay", [(b"at", b"9")]),
    ("/changes", []),
    ("/sit", [(b"seat", b"1")]),
    ("/move", []),
)

_BUTTONS: Final = (
    *("ready", "leave", "start", "undo", "undo", "redo", "ask-to-end", "answer", "withdraw", "reclaim"),
    *("resign", "hand-to-bot", "abandon"),
)


def looking(crowd: Crowd) -> Request:
    """Open a page that belongs to no table."""
    operation, path = crowd.chance.choice(_PLAIN)
    return page(operation, b"GET", path, session=crowd.browser().session)


def visiting(crowd: Crowd) -> Request:
    """Open a page of a table, or the stream of all tables."""
    table, chance = crowd.table(), crowd.chance
    session = crowd.browser().session
    headers = [(b"X-Fragment", b"1")] if chance.random() < 0.2 else []
    if chance.random() < 0.1:
        seen = [(b"seen", f"{table.match}.3".encode())]
        return page("myStream", b"GET", "/me/stream", session=session, match=table.match, query=seen)
    path, query = chance.choice(_OF_TABLES)
    return page(
        f"table{path}",
        b"GET",
        f"/m/{table.match}{path}",
        session=session,
        match=table.match,
        query=[*query],
        headers=headers,
    )


def making(crowd: Crowd) -> Request:
    """Make a table on the page."""
    browser, game = crowd.browser(), crowd.chance.choice(GAME_KEYS)
    fields = [
        ("form", browser.form_token),
        ("key", _secret(crowd)),
        ("game", game),
        ("people", crowd.chance.choice(["1", "2"])),
        ("plays", "yes"),
        (f"bots-{DEFAULT_LEVEL}", "1"),
        *((f"option-{name}", str(value)) for name, value in shortest(CURRENT[game]).items()),
        ("clock", "0"),
        ("undo", "free"),
        ("visibility", "public"),
        ("name", "Anne"),
    ]
    return page("makeTable", b"POST", "/new", session=browser.session, form=fields)


def sitting(crowd: Crowd) -> Request:
    """Take a seat on the page."""
    table, browser = crowd.table(), crowd.browser()
    fields = [
        ("form", browser.form_token),
        ("key", _secret(crowd)),
        ("seat", str(crowd.chance.randint(0, 3))),
        ("name", "Ben"),
        ("nonce_hash", ""),
    ]
    return _form("sit", browser, table, "sit", fields)


def proving(crowd: Crowd) -> Request:
    """Bring a seat into a browser by its token."""
    table, browser = crowd.table(), crowd.browser()
    fields = [("form", browser.form_token), ("match", table.match), ("token", crowd.token(table))]
    return page("proveSeat", b"POST", "/me/tokens", session=browser.session, match=table.match, form=fields)


def choosing_a_language(crowd: Crowd) -> Request:
    """Choose a language."""
    browser = crowd.browser()
    fields = [("form", browser.form_token), ("language", "fr"), ("back", "/rules")]
    return page("language", b"POST", "/language", session=browser.session, form=fields)


def pressing(crowd: Crowd) -> Request:
    """Press a button of a table."""
    table, browser, action = crowd.table(), crowd.browser(), crowd.chance.choice(_BUTTONS)
    if action in _BUTTONS[-3:] and crowd.chance.random() < 0.7:
        action = "ready"
    fields = [("form", browser.form_token), ("key", secrets.token_hex(8))]
    if action in {"answer", "withdraw"}:
        fields += [("request", "0-undo-1"), ("agree", "yes")]
    return _form(action, browser, table, action, fields)


def moving(crowd: Crowd) -> Request:
    """Make a legal move on the page, if the browser has the seat that owes one; else bring that seat in."""
    table, browser = crowd.table(), crowd.browser()
    found = crowd.legal(table)
    if found is None:
        return visiting(crowd)
    seat, view = found
    if browser.seats.get(table.match) != seat:
        browser.seats[table.match] = seat
        fields = [("form", browser.form_token), ("match", table.match), ("token", table.seats[seat])]
        return page(
            "proveSeat", b"POST", "/me/tokens", session=browser.session, match=table.match, form=fields
        )
    move = crowd.chance.choice(legal_moves(table.game, view["legal"]))
    fields = [("form", browser.form_token), ("key", secrets.token_hex(8)), ("version", str(view["version"]))]
    return _form("move", browser, table, "move", fields + _written(move, view))


def _written(move: dict[str, Any], view: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a move as the forms of its game write it."""
    kind = move["type"]
    if "cards" in move:
        hand = view["game"]["hand_sizes"][view["to_act"][0]]
        ticked = [("card", card) for card in move["cards"]]
        return [("move", "play"), ("hand", str(hand)), *ticked, ("take", move.get("take") or "")]
    what = move.get("card", move.get("chip", move.get("slot", (move.get("slots") or [""])[0])))
    return [("move", f"{kind}:{what}" if what != "" else kind)]


def _form(
    operation: str, browser: Browser, table: Table, action: str, fields: list[tuple[str, str]]
) -> Request:
    where = f"/m/{table.match}/{action}"
    return page(f"form/{operation}", b"POST", where, session=browser.session, match=table.match, form=fields)


def _secret(crowd: Crowd) -> str:
    secret = secrets.token_hex(16)
    crowd.secrets.add(secret)
    return secret


MAKERS: Final[Sequence[tuple[int, Callable[[Crowd], Request]]]] = (
    (8, looking),
    (16, visiting),
    (4, making),
    (6, sitting),
    (4, proving),
    (2, choosing_a_language),
    (12, pressing),
    (18, moving),
)
"""What a browser does, and how often."""

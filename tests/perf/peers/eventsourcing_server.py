"""The aggregate of `eventsourcing` behind Litestar and granian: ``python -m …eventsourcing_server PORT FILE``.

As little around it as a service could have: two seats with a token each, play, draw and quit, a view without the cards
of others. It has no keys against doubled commands, no limits, no live streams, no clocks, no undo and no proof of the
deals. Each event is one transaction of SQLite on disk, as the library sets it up; its cache of aggregates is on.
"""

import random
import secrets
import sys
from typing import Any
from uuid import UUID

import msgspec
import uvloop
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import IntegrityError
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar, Request, Response, get, post

from tests.perf.peers.eventsourcing_lama import LamaMatch, Tables

CARDS = [card for card in ("1", "2", "3", "4", "5", "6", "llama") for _ in range(8)]
AFTER = dict(
    zip(("1", "2", "3", "4", "5", "6", "llama"), ("2", "3", "4", "5", "6", "llama", "1"), strict=True)
)
COST = {card: 10 if card == "llama" else int(card) for card in AFTER}
LIMIT = 40


class Move(msgspec.Struct):
    """What a player does."""

    type: str
    card: str = ""


class Refused(Exception):
    """A move that the rules do not allow, or a seat that may not make it."""


def begin(tables: Tables) -> dict[str, Any]:
    """Seat two people and deal; return their tokens."""
    match = LamaMatch(terms={"game": "lama"}, seed="")
    tokens = [secrets.token_urlsafe(16) for _ in range(2)]
    for seat, token in enumerate(tokens):
        match.take_seat(seat, token, "person")
        match.be_ready(seat)
    match.begin()
    match.draw_first_player(secrets.randbelow(2), 2)
    deal(match, match.first or 0)
    tables.save(match)
    return {"match": str(match.id), "tokens": tokens, "view": view(match, 0)}


def deal(match: LamaMatch, starter: int) -> None:
    deck = CARDS[:]
    random.SystemRandom().shuffle(deck)
    match.deal(match.round + 1, 0, starter, deck[12], [deck[:6], deck[6:12]], deck[13:])


def carry_out(match: LamaMatch, seat: int, move: Move) -> None:
    """Cause the events of a move.

    Raises:
        Refused: The rules do not allow it.
    """
    if match.phase != "playing" or match.turn != seat:
        raise Refused("not your turn")
    other = seat if 1 - seat in match.quit else 1 - seat
    hand, top = match.hands[seat], match.discard[-1]
    if move.type == "play":
        if move.card not in hand or move.card not in (top, AFTER[top]):
            raise Refused("not playable")
        match.play(seat, move.card, other if len(hand) > 1 else None)
        if not match.hands[seat]:
            end_round(match, seat)
    elif move.type == "draw":
        if not match.pile or match.quit:
            raise Refused("no drawing now")
        match.draw(seat, match.pile[0], other)
    else:
        match.quit_round(seat, None if match.quit else other)
        if len(match.quit) == len(match.seats):
            end_round(match, None)


def end_round(match: LamaMatch, winner: int | None) -> None:
    points = [sum(COST[card] for card in set(hand)) for hand in match.hands]
    totals = [before + more for before, more in zip(match.totals, points, strict=True)]
    if winner is not None:
        totals[winner] -= 10 if totals[winner] >= 10 else min(1, totals[winner])
    match.end_round(match.round, [list(hand) for hand in match.hands], points, totals, winner)
    if max(totals) >= LIMIT:
        match.end_game([seat for seat, total in enumerate(totals) if total >= LIMIT])
        match.finish(sorted(range(2), key=lambda seat: totals[seat]), totals)
    else:
        deal(match, winner if winner is not None else match.first or 0)


def view(match: LamaMatch, seat: int | None) -> dict[str, Any]:
    """Return what a seat may see."""
    return {
        "match": str(match.id),
        "version": match.version,
        "phase": match.phase,
        "turn": match.turn,
        "round": match.round,
        "hand": None if seat is None else match.hands[seat],
        "held": [len(hand) for hand in match.hands],
        "top": match.discard[-1],
        "pile_size": len(match.pile),
        "quit": match.quit,
        "totals": match.totals,
        "last_round": getattr(match, "last_round", None),
    }


def seat_of(match: LamaMatch, request: Request[Any, Any, Any]) -> int | None:
    """Return the seat whose token a request has."""
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    held = (seat for seat, one in match.seats.items() if secrets.compare_digest(one["player"], token))
    return next(held, None)


def application(tables: Tables) -> Litestar:
    """Return the service."""

    @post("/matches")
    async def create() -> dict[str, Any]:
        return begin(tables)

    @get("/matches/{match:uuid}")
    async def show(match: UUID, request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
        try:
            found: LamaMatch = tables.repository.get(match)
        except AggregateNotFoundError:
            return Response({"detail": "no match"}, status_code=404)
        return Response(view(found, seat_of(found, request)))

    @post("/matches/{match:uuid}/moves", status_code=200)
    async def move(match: UUID, data: Move, request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
        try:
            played: LamaMatch = tables.repository.get(match)
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            held = (
                seat for seat, one in played.seats.items() if secrets.compare_digest(one["player"], token)
            )
            seat = next(held, None)
            if seat is None:
                return Response({"detail": "no seat"}, status_code=401)
            carry_out(played, seat, data)
            tables.save(played)
        except AggregateNotFoundError:
            return Response({"detail": "no match"}, status_code=404)
        except (Refused, IntegrityError) as refusal:
            return Response({"detail": str(refusal)}, status_code=409)
        return Response(view(played, seat))

    return Litestar([create, show, move], openapi_config=None)


async def serve(port: int, file: str) -> None:
    settings = {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": file,
        "AGGREGATE_CACHE_MAXSIZE": "1000",
        "DEEPCOPY_FROM_AGGREGATE_CACHE": "no",
    }
    app = application(Tables(settings))
    server = Server(app, address="127.0.0.1", port=port, interface=Interfaces.ASGI, log_enabled=False)
    await server.serve()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1]), sys.argv[2]))

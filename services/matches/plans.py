"""Plans: what people want to be played for them when it is their turn. Private, and no part of any log until they act.

The log's server keeps ``tb:plans:<match>``, a hash with one plan for each player. It goes when the match is over.
"""

import secrets
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Union

import msgspec
import redis.asyncio
import structlog

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.games.contract import AnyGame, Move, Plan
from domain.match.command_handler import CommandMetadata
from domain.match.commands import PlayMove
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position
from domain.match.state import OVER
from domain.match.view import match_view
from domain.viewers import seat_viewer
from services.errors import MatchClosed, NoSuchMatch, StaleVersion
from services.log.redis_errors import available
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Submission, seat_of
from services.people.stored_text import text_of

_log = structlog.get_logger(__name__)

UNDO_TYPES: Final = frozenset({"MoveUndone", "MoveRedone"})
"""Types of events after which plans wait for their owners: what they were made for may be gone."""


class KeptPlan(msgspec.Struct, frozen=True):
    """A plan as it is kept.

    Attributes:
        secret: What the ids of its commands are made of: they look like anybody's.
        door: The door through which it was made, by which it moves.
        plan: The plan, as JSON values.
        suspended: Whether it waits for its owner, because something was taken back.
    """

    secret: str
    door: str
    plan: dict[str, Any]
    suspended: bool = False


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(KeptPlan)


@cache
def plan_decoder(game: AnyGame) -> "msgspec.json.Decoder[Plan] | None":
    """Return what reads a game's plans; None if it has none."""
    if not game.plan_types:
        return None
    return msgspec.json.Decoder(Union[game.plan_types])  # noqa: UP007 - made of a list


def plan_of(game: AnyGame, kept: KeptPlan) -> Plan:
    """Return a kept plan as its game understands it.

    Raises:
        msgspec.ValidationError: It does not, any more.
    """
    decoder = plan_decoder(game)
    if decoder is None:
        raise msgspec.ValidationError(game.key)
    return decoder.decode(_ENCODER.encode(kept.plan))


class Plans:
    """Keeps plans, and carries them out."""

    def __init__(self, client: "redis.asyncio.Redis", reader: MatchReader, service: MatchService) -> None:
        self._client: Final = client
        self._reader: Final = reader
        self._service: Final = service

    async def of(self, match: str, player: str) -> KeptPlan | None:
        """Return a player's plan at a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        with available():
            kept = await self._client.hget(_key(match), player)
        return _DECODER.decode(kept) if kept else None

    async def make(self, match: str, player: str, door: str, plan: Plan) -> KeptPlan:
        """Keep a player's plan instead of the one that they had, and carry it out at once if it is their turn.

        Raises:
            Refused: The game has no such plan, nobody plays, or the player has no seat.
            NoSuchMatch: There is no such match.
            StoreUnavailable: The store did not answer.
        """
        position = await self._reader.head(match)
        terms, seat = position.state.terms, seat_of(position.state, player)
        if terms is None or position.state.game is None or position.state.lifecycle.phase != "playing":
            raise Refused("match.not_started", "moves are made after the start")
        game = game_of(terms)
        if seat is None or type(plan) not in game.plan_types:
            raise Refused("plan.unknown", "plans", game=game.key)
        made = game.plan_made(plan, game.view(position.state.game, seat_viewer(seat)))
        kept = KeptPlan(secrets.token_hex(16), door, msgspec.to_builtins(made))
        with available():
            await self._client.hset(_key(match), player, _ENCODER.encode(kept))
        await self.act(match)
        return kept

    async def cancel(self, match: str, player: str) -> None:
        """Forget a player's plan.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        with available():
            await self._client.hdel(_key(match), player)

    async def suspend(self, match: str) -> None:
        """Let all plans of a match wait for their owners: something was taken back.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        for player, kept in (await self._all(match)).items():
            with available():
                waiting = msgspec.structs.replace(kept, suspended=True)
                await self._client.hset(_key(match), player, _ENCODER.encode(waiting))

    async def act(self, match: str) -> int:
        """Carry out the plans of those who are to move; return how many moves that made.

        Raises:
            StoreUnavailable: The store did not answer.
            OutcomeUnknown: A move may have been made or not; asking again tells.
        """
        kept_plans = await self._all(match)
        if not kept_plans:
            return 0
        try:
            position = await self._reader.head(match)
        except (NoSuchMatch, MatchClosed, BrokenLog):
            return 0
        if position.state.lifecycle.phase in OVER:
            with available():
                await self._client.delete(_key(match))
            return 0
        moves = 0
        for player, kept in kept_plans.items():
            if not kept.suspended:
                moves += await self._one(position, player, kept)
        return moves

    async def _all(self, match: str) -> Mapping[str, KeptPlan]:
        with available():
            rows = await self._client.hgetall(_key(match))
        return {text_of(player): _DECODER.decode(kept) for player, kept in rows.items()}

    async def _one(self, position: Position, player: str, kept: KeptPlan) -> bool:
        state, seat = position.state, seat_of(position.state, player)
        if seat is None or state.terms is None or state.game is None:
            await self.cancel(position.match, player)
            return False
        game = game_of(state.terms)
        try:
            plan = plan_of(game, kept)
        except msgspec.ValidationError:
            await self.cancel(position.match, player)
            return False
        if not game.plan_lasts(plan, game.view(state.game, seat_viewer(seat))):
            await self.cancel(position.match, player)
            return False
        if seat not in seats_to_act(state) or state.seats[seat].played_by_bot:
            return False
        move = _move(position, game, plan, seat)
        if plan.ONCE and not game.is_mid_turn(state.game, seat):
            await self.cancel(position.match, player)
        return move is not None and await self._play(position, player, kept, seat, move)

    async def _play(self, position: Position, player: str, kept: KeptPlan, seat: int, move: Move) -> bool:
        asked_at = position.state.asked_at[seat]
        # Nobody else can tell it from a click: the log tells no plan, only a move of its owner.
        command_id = digest([kept.secret, asked_at])[:32]
        metadata = CommandMetadata(player, kept.door, command_id)
        submission = Submission(
            position.match, PlayMove(seat, move), metadata, digest([command_id]), asked_at
        )
        try:
            return not (await self._service.execute(submission)).duplicate
        except (Refused, StaleVersion, MatchClosed) as refusal:
            _log.info("plan_came_late", match=position.match, code=refusal.code)
            return False


def _move(position: Position, game: AnyGame, plan: Plan, seat: int) -> Move | None:
    """Return the move that a plan makes now, judged by what its seat sees, as it comes over the wire."""
    shown = match_view(position, seat_viewer(seat))
    if shown.game is None or shown.legal is None:
        return None
    view = msgspec.json.decode(msgspec.json.encode(shown.game), type=game.view_type)
    legal = msgspec.json.decode(msgspec.json.encode(shown.legal), type=game.legal_type)
    return game.planned(plan, view, legal, seat)


def _key(match: str) -> str:
    return f"tb:plans:{match}"

"""Bots' turns, each played from its seat's view alone."""

import time
from collections.abc import Callable

import msgspec
import structlog

from domain.canonical import digest
from domain.chance import Chance
from domain.envelopes import FALLBACK, HURRIED
from domain.errors import Refused
from domain.games.contract import AnyGame, Move
from domain.instants import Instant, seconds_between
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import PlayMove
from domain.match.due import bots_to_act
from domain.match.evolve import game_of
from domain.match.fold import Position
from domain.match.levels import STAND_IN, allowance_of
from domain.match.state import bot_player
from domain.match.view import match_view
from domain.viewers import seat_viewer
from services.errors import MatchClosed, StaleVersion
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Outcome, Submission
from services.people.identity import Identity
from services.process.counted import BOT_ANSWER_SECONDS, BOT_TURNS
from services.process.counts import Counts

_log = structlog.get_logger(__name__)


def bot_command_id(match: str, asked_at: int, seat: int) -> str:
    """Return the id of a bot's command, the same in every process that tries to play this turn."""
    return f"bot-{match}-{asked_at}-{seat}"


def bot_job_id(command_id: str, attempt: int) -> str:
    """Return the id that a bot's turn has in the queue; attempts count from 0."""
    return f"{command_id}-{attempt}"


def turn_of(job_id: str) -> tuple[str, str] | None:
    """Return the actor and the command id behind a :func:`bot_job_id`; None for any other id."""
    command_id, _, attempt = job_id.rpartition("-")
    seat = command_id.rpartition("-")[2]
    if not (command_id.startswith("bot-") and seat.isdecimal() and attempt.isdecimal()):
        return None
    return bot_player(int(seat)), command_id


class Played(msgspec.Struct, frozen=True):
    """The result of a run of bots' turns.

    Attributes:
        turns: How many turns were played.
        position: The match after them.
    """

    turns: int
    position: Position


class BotPlayer:
    """Plays bots' turns, with a fallback move where judgement fails."""

    def __init__(
        self,
        service: MatchService,
        reader: MatchReader,
        identity: Identity,
        counts: Counts | None = None,
    ) -> None:
        self._service = service
        self._reader = reader
        self._identity = identity
        self._counts = counts or Counts()

    async def play_turns(
        self, match: str, *, trace: str, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> Played:
        """Play all consecutive bot turns of a match, until it is a person's turn or the time is used up.

        Args:
            match: The match's id.
            trace: Correlation id of what made the bots move.
            seconds: How long this may take.
            clock: A monotonic clock.
        """
        end, turns = clock() + seconds, 0
        position = await self._reader.head(match)
        while waiting := bots_to_act(position.state):
            try:
                outcome = await self.play_turn(position, waiting[0], trace=trace)
            except (StaleVersion, Refused, MatchClosed):
                # Somebody else moved this seat or ended the match.
                fresh = await self._reader.head(match)
                if fresh.version == position.version:
                    break
                position = fresh
                continue
            turns += not outcome.duplicate
            position = await self._reader.head(match) if outcome.duplicate else outcome.position
            # At least one turn: a job that played none could not be sent again under the same id.
            if clock() >= end:
                break
        return Played(turns, position)

    async def play_turn(
        self,
        position: Position,
        seat: int,
        *,
        trace: str,
        hurried: bool = False,
        not_before: Instant = NOT_ASKED,
    ) -> Outcome:
        """Play a turn that a bot owes. If hurried, the clock plays it, and the log says so."""
        state = position.state
        if state.terms is None or state.game is None:
            raise ValueError(position.match)
        game, asked_at = game_of(state.terms), state.asked_at[seat]
        command_id = bot_command_id(position.match, asked_at, seat)
        move = self._judgement(position, game, seat, command_id)
        note = FALLBACK if move is None else HURRIED if hurried else ""
        submission = Submission(
            match=position.match,
            command=PlayMove(seat, move if move is not None else game.fallback(state.game, seat)),
            metadata=CommandMetadata(bot_player(seat), "bot", command_id, trace, note),
            # Without the move: a second run that chooses another one is a duplicate, not a conflict.
            fingerprint=digest({"bot": seat, "match": position.match, "asked_at": asked_at}),
            if_match=asked_at,
            not_before=not_before,
        )
        outcome = await self._service.execute(submission)
        if not outcome.duplicate:
            self._count(position.state.clock.since[seat], outcome.position.at, note)
        return outcome

    def _count(self, asked: Instant, moved: Instant, note: str) -> None:
        self._counts.add(BOT_TURNS, {"": "job", HURRIED: "clock"}.get(note, note))
        self._counts.observe(BOT_ANSWER_SECONDS, seconds_between(asked, moved))

    def _judgement(self, position: Position, game: AnyGame, seat: int, command_id: str) -> Move | None:
        shown = match_view(position, seat_viewer(seat))
        if shown.game is None or shown.legal is None:
            return None
        try:
            # Through JSON and back: the bot gets only what a player would receive.
            view = msgspec.json.decode(msgspec.json.encode(shown.game), type=game.view_type)
            legal = msgspec.json.decode(msgspec.json.encode(shown.legal), type=game.legal_type)
            chance = Chance(self._identity.bot_seed(command_id))
            held = position.state.seats[seat]
            # Whoever plays one turn for somebody judges like a bot that stands in for them.
            allowance = allowance_of(STAND_IN if held.covered else held.level)
            move = game.choose(view, legal, seat, chance, allowance)
            present = position.state.game
            if present is not None:
                game.decide(present, seat, move, position.state.chance)
        except Exception:  # noqa: BLE001
            # Whatever goes wrong in a bot's judgement, its turn must end.
            _log.exception("bot_failed", match=position.match, seat=seat, version=position.version)
            return None
        return move

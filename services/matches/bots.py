"""Bots' turns, each played from its seat's view alone."""

import time
from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from domain.canonical import digest
from domain.chance import Chance
from domain.envelopes import FALLBACK, HURRIED
from domain.errors import Refused
from domain.games.contract import Allowance, Move
from domain.instants import Instant, seconds_between
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import PlayMove
from domain.match.due import bots_to_act, people_play
from domain.match.evolve import game_of
from domain.match.fold import Position
from domain.match.levels import QUICK, STAND_IN, allowance_of
from domain.match.state import Seat, bot_player
from domain.viewers import seat_viewer
from services.errors import MatchClosed, StaleVersion
from services.matches.hands import HANDS
from services.matches.pacing import Pacing
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Outcome, Submission
from services.matches.time_limit import TookTooLong, at_most
from services.people.identity import Identity
from services.process.counted import BOT_ANSWER_SECONDS, BOT_TURNS
from services.process.counts import Counts

JUDGEMENT_SECONDS: Final = 1.0
"""How long a bot may think that does not search; it needs some milliseconds."""

SEARCH_SECONDS: Final = 4.0
"""How long a bot may think that searches; on an idle core it needs less than a second."""

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
        self._pacing = Pacing()

    async def play_turns(
        self, match: str, *, trace: str, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> Played:
        """Play all consecutive bot turns of a match, until it is a person's turn or the time is used up.

        Where nobody waits for this work any more, it ends with the turn that it is at.

        Args:
            match: The match's id.
            trace: Correlation id of what made the bots move.
            seconds: How long this may take.
            clock: A monotonic clock.
        """
        end, turns, hands = clock() + seconds, 0, HANDS.get()
        position = await self._reader.head(match)
        while waiting := bots_to_act(position.state):
            try:
                outcome = await self.play_turn(position, waiting[0], trace=trace)
            except (StaleVersion, Refused, MatchClosed):
                # Somebody else moved this seat or ended the match.
                fresh = await self._reader.head(match)
                is_same, position = fresh.version == position.version, fresh
                if is_same or hands.left:
                    break
                continue
            turns += not outcome.duplicate
            position = await self._reader.head(match) if outcome.duplicate else outcome.position
            # At least one turn: a job that played none could not be sent again under the same id.
            if hands.left or clock() >= end:
                break
        return Played(turns, position)

    async def play_turn(
        self,
        position: Position,
        seat: int,
        *,
        trace: str,
        hurried: bool = False,
        judged: bool = True,
        not_before: Instant = NOT_ASKED,
    ) -> Outcome:
        """Play a turn that a bot owes.

        Args:
            position: The match.
            seat: The bot's seat.
            trace: Correlation id.
            hurried: Whether the clock plays it, quickly, and the log says so.
            judged: Whether the bot may judge; if not, the move is the one for expired clocks.
            not_before: The earliest instant that the log may show.
        """
        state = position.state
        if state.terms is None or state.game is None:
            raise ValueError(position.match)
        game, asked_at, began = game_of(state.terms), state.asked_at[seat], time.monotonic()
        hands = HANDS.get()
        command_id = bot_command_id(position.match, asked_at, seat)
        level = _level_of(state.seats[seat])
        move, note = (
            await hands.think(lambda: self._judgement(position, seat, command_id, hurried=hurried))
            if judged
            else (None, FALLBACK)
        )
        if people_play(state) and not hurried:
            # The answer always takes the same time, whatever the bot holds.
            await hands.wait(self._pacing.seconds_to_wait(level, time.monotonic() - began))
        submission = Submission(
            match=position.match,
            command=PlayMove(seat, move if move is not None else game.fallback(state.game, seat)),
            metadata=CommandMetadata(bot_player(seat), "bot", command_id, trace, note),
            # Without the move: a second run that chooses another one is a duplicate, not a conflict.
            fingerprint=digest({"bot": seat, "match": position.match, "asked_at": asked_at}),
            if_match=asked_at,
            not_before=not_before,
        )
        outcome = await hands.carry_out(lambda: self._service.execute(submission))
        if not outcome.duplicate:
            self._count(position.state.clock.since[seat], outcome.position.at, note)
        return outcome

    def _count(self, asked: Instant, moved: Instant, note: str) -> None:
        self._counts.add(BOT_TURNS, {"": "job", HURRIED: "clock"}.get(note, note))
        self._counts.observe(BOT_ANSWER_SECONDS, seconds_between(asked, moved))

    def _judgement(
        self, position: Position, seat: int, command_id: str, *, hurried: bool
    ) -> tuple[Move | None, str]:
        """Return the bot's move, and the note that the log gets; None with a fallback's note if it finds none."""
        chance = Chance(self._identity.bot_seed(command_id))
        level = _level_of(position.state.seats[seat])
        allowances = [allowance_of(QUICK)] if allowance_of(level).playouts else []
        if not (hurried and allowances):
            allowances.insert(0, allowance_of(level))
        for number, allowance in enumerate(allowances):
            try:
                move = judged_move(position, seat, chance, allowance)
            except TookTooLong as error:
                _log.warning("bot_took_too_long", match=position.match, seat=seat, reason=str(error))
            except Exception:  # noqa: BLE001
                # Whatever goes wrong in a bot's judgement, its turn must end.
                _log.exception("bot_failed", match=position.match, seat=seat, version=position.version)
            else:
                return move, HURRIED if hurried or number else ""
        return None, FALLBACK


def _level_of(seat: Seat) -> str:
    """Return the level at which a seat's bot judges; who plays one turn for somebody judges as a stand-in would."""
    return STAND_IN if seat.covered else seat.level


def judged_move(position: Position, seat: int, chance: Chance, allowance: Allowance) -> Move:
    """Return a bot's legal move, judged from what its seat would be shown.

    Raises:
        TookTooLong: It did not find one in time.
        Exception: Whatever went wrong in its judgement; also what the rules have against its move.
    """
    state = position.state
    if state.terms is None or state.game is None:
        raise ValueError(position.match)
    game = game_of(state.terms)
    # The game's part of what a player on this seat receives; the rest, what could be undone above all, takes longer to
    # find out than a bot thinks.
    shown, may_do = game.view(state.game, seat_viewer(seat)), game.legal_moves(state.game, seat)
    if may_do is None:
        raise ValueError(position.match)
    # Through JSON and back: the bot gets only what a player would receive.
    view = msgspec.json.decode(msgspec.json.encode(shown), type=game.view_type)
    legal = msgspec.json.decode(msgspec.json.encode(may_do), type=game.legal_type)
    with at_most(SEARCH_SECONDS if allowance.playouts else JUDGEMENT_SECONDS):
        move = game.choose(view, legal, seat, chance, allowance)
    if not isinstance(move, game.move_types):
        # The rules tell moves apart by their types, and take the last one for whatever is none of the others.
        raise TypeError(f"{type(move).__name__} is no move of {game.key}")
    game.decide(state.game, seat, move, state.chance)
    return move

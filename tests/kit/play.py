"""Playing a match without a plan: random moves, bots' moves, refused ones, departures, time-outs."""

from random import Random

import msgspec

from domain.chance import Chance
from domain.games.contract import Move
from domain.instants import after
from domain.match.commands import (
    AnswerRequest,
    AskToEnd,
    HandSeatToBot,
    LapseRequest,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ResignSeat,
    TimeOut,
    UndoMove,
    WithdrawRequest,
)
from domain.match.due import deadlines_of
from domain.match.evolve import seats_that_may_act
from domain.viewers import seat_viewer
from tests.kit.table import Table

_MOVES_REMEMBERED = 200


class Player:
    """Plays all seats of a table at which the game has begun.

    Attributes:
        moves: How many moves were made.
    """

    def __init__(self, table: Table, random: Random) -> None:
        self._table = table
        self._random = random
        self._remembered: list[Move] = []
        self.moves = 0

    @property
    def is_on(self) -> bool:
        """Whether the match goes on."""
        return self._table.state.lifecycle.phase == "playing"

    def random_move(self) -> None:
        """Make any legal move for any seat that owes one."""
        table = self._table
        seat = self._random.choice(table.to_act)
        move = self._random.choice(table.legal(seat))
        if len(self._remembered) < _MOVES_REMEMBERED:
            self._remembered.append(move)
        self._make(seat, move)

    def bot_move(self) -> None:
        """Let the game's bot choose a move from its seat's view, as it comes over the wire."""
        table = self._table
        seat = self._random.choice(table.to_act)
        seen = table.game.view(table.present, seat_viewer(seat))
        view = msgspec.json.decode(msgspec.json.encode(seen), type=table.game.view_type)
        legal = table.game.legal_moves(table.present, seat)
        assert legal is not None
        chance = Chance(self._random.randbytes(32).hex())
        self._make(seat, table.game.choose(view, legal, seat, chance))

    def fallback_move(self) -> None:
        """Make the fallback move for any seat that owes one."""
        table = self._table
        seat = self._random.choice(table.to_act)
        self._make(seat, table.game.fallback(table.present, seat))

    def any_move(self) -> bool:
        """Try a move that was once legal, for any seat; return whether it was accepted."""
        table = self._table
        if not self._remembered:
            return False
        seat = self._random.randrange(len(table.state.seats))
        before = table.position
        table.when(PlayMove(seat, self._random.choice(self._remembered)))
        if table.refusal is not None:
            assert table.position is before
            return False
        assert before.state.asked_at[seat] or seat in seats_that_may_act(before.state)
        self.moves += 1
        return True

    def time_out(self) -> bool:
        """Let a seat's time run out; return whether there was a seat with a clock."""
        table = self._table
        deadlines = deadlines_of(table.state)
        timed = [seat for seat in table.to_act if seat in deadlines]
        if not timed:
            return False
        seat = self._random.choice(timed)
        table.now = max(table.now, deadlines[seat])
        table.when(TimeOut(seat))
        assert table.refusal is None
        self.moves += 1
        return True

    def wait(self) -> None:
        """Let some time pass; now and then the clock runs back a little."""
        self._table.now = after(self._table.now, self._random.choice((0, 0.25, 1, 30, -2)))

    def leave(self) -> None:
        """Resign a seat, hand it to a bot, or take it back."""
        table = self._table
        seat = self._random.randrange(len(table.state.seats))
        command = self._random.choice((ResignSeat(seat), HandSeatToBot(seat), ReclaimSeat(seat)))
        table.when(command)

    def undo(self) -> bool:
        """Take a turn back, or ask to; return whether the game went back."""
        table = self._table
        seat = self._random.randrange(len(table.state.seats))
        before = table.present
        table.when(UndoMove(seat, f"undo-{table.position.version}"))
        return table.present is not before

    def redo(self) -> bool:
        """Play again what was undone; return whether there was anything."""
        table = self._table
        table.when(RedoMove(self._random.randrange(len(table.state.seats))))
        return table.refusal is None

    def ask(self) -> None:
        """Ask the others to end the match, or answer or withdraw what somebody asked."""
        table = self._table
        seat = self._random.randrange(len(table.state.seats))
        requests = table.state.requests
        if not requests:
            table.when(AskToEnd(seat, f"end-{table.position.version}"))
            return
        request = self._random.choice(requests)
        agree = self._random.random() < 0.6
        table.when(
            self._random.choice(
                (
                    AnswerRequest(seat, request.id, agree),
                    WithdrawRequest(seat, request.id),
                    LapseRequest(request.id),
                )
            )
        )

    def _make(self, seat: int, move: Move) -> None:
        self._table.move(seat, move)
        self.moves += 1

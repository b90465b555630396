"""The bots of L.A.M.A.: each judges from its seat's view alone, and what is certain it plays with certainty.

- ``easy`` gets rid of dear cards.
- ``normal`` plays on with the top's own value, and quits with a cheap hand.
- ``hard`` weighs hand, table and time.
- ``expert`` judges what the other of two may hold from what they did, plays out possible courses of the round, and
  counts what each does to the match.
"""

from collections.abc import Hashable
from typing import Final

from domain.chance import Chance
from domain.games.certainty import Certainty, Playable
from domain.games.contract import Allowance
from domain.games.lama.beliefs import Belief, beliefs_of
from domain.games.lama.cards import VALUES
from domain.games.lama.judgement import beginners_move, plain_move, weighed_move
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Quit, Return
from domain.games.lama.simulator import COSTS, DRAW, QUIT, LamaTable, Unknown, cost_of, returned_from
from domain.games.lama.view import LamaView
from domain.games.searching import Source, Worth, best_of, source_of
from domain.games.standings import Prospects, share_of_win

PACE: Final = 8.0
"""About how many points the seat that is last gets in a round."""

SPREAD: Final = 9.0
"""By about how many points one round's results differ."""

CERTAINTY: Final = 1.0

COURSES: Final = 4
"""How many courses one playout of the allowance pays for: a round here takes a quarter of another game's time."""

MOST_UNKNOWN: Final = 5
"""With so many unknown cards everything that may happen is tried."""

NODES: Final = 3000
"""How many tables may be looked at for a certain win."""

_RETURNED: Final = {"black": 10, "white": 1, "none": 0}


def choose(view: LamaView, legal: LamaLegal, seat: int, chance: Chance, allowance: Allowance) -> LamaMove:
    """Return the bot's move."""
    if legal.return_chips:
        return Return(legal.return_chips[0])
    unknown = Unknown(view, seat)
    table = unknown.any_table()
    if allowance.level == "easy":
        return _named(beginners_move(table), legal)
    mind = _Mind(view, legal, seat, unknown)
    certain = mind.certain()
    if certain is not None:
        return certain
    if allowance.level == "expert" and len(table.moves()) > 1:
        judged = mind.searched(weighed_move(table), source_of(chance), allowance.playouts)[0]
    else:
        judged = plain_move(table) if allowance.level == "normal" else weighed_move(table)
    return mind.unless_it_loses(judged)


def consider(
    view: LamaView,
    legal: LamaLegal,
    seat: int,
    chance: Chance,
    allowance: Allowance,
    also: LamaMove | None = None,  # noqa: ARG001 - all moves are compared
) -> tuple[Worth[LamaMove], ...]:
    """Return what moves are worth, best first, for those who learn. Empty when there is nothing to compare."""
    if legal.return_chips or len(legal.play) + legal.draw + legal.quit == 1:
        return ()
    random = source_of(chance)
    unknown = Unknown(view, seat)
    mind = _Mind(view, legal, seat, unknown)
    return mind.searched(weighed_move(unknown.deal(random)), random, allowance.playouts)[1]


class _Mind:
    """What a seat makes of the match and of what it does not see."""

    def __init__(self, view: LamaView, legal: LamaLegal, seat: int, unknown: Unknown) -> None:
        self._seen = view
        self._legal = legal
        self._seat = seat
        self._unknown = unknown
        self._limit = 0 if view.limit == "single" else view.limit
        self._prospects = Prospects(view.limit, PACE, SPREAD)

    def certain(self) -> LamaMove | None:
        """Return a move that nothing hidden can make wrong; None if there is none."""
        legal, own = self._legal, self._unknown.own
        if legal.play and sum(own) == 1 and not (legal.draw and self._going_out_loses()):
            # Going out costs nothing and gives the dearest chip back: nobody can do better.
            return Play(legal.play[0], legal.play_chips[0] if legal.play_chips else None)
        if legal.play and len(self._seen.quit) == len(self._seen.hand_sizes) - 1:
            # Nobody else plays and nothing is drawn: every card that can go costs nothing any more. All of a value
            # go before the next one, which the legal moves put second.
            return Play(legal.play[0])
        return self._certain_win()

    def _certain_win(self) -> LamaMove | None:
        """Return the first move of a win of the match that nothing can prevent, in this round."""
        tables = self._unknown.tables(MOST_UNKNOWN)
        if not tables:
            return None

        def seen(table: Playable[int], move: int) -> Hashable:
            assert isinstance(table, LamaTable)  # noqa: S101 - the tables are its own
            return move, tuple(table.hands[self._seat])

        certainty = Certainty[int](self._seat, seen, self._is_won, NODES)
        move = certainty.first_move(tables, tables[0].moves())
        return None if move is None else _named(move, self._legal)

    def _is_won(self, table: Playable[int]) -> bool:
        assert isinstance(table, LamaTable)  # noqa: S101 - the tables are its own
        after = self._after(table)
        return self._prospects.ends(after) and share_of_win(after, self._seat) == 1

    def _after(self, table: LamaTable) -> list[int]:
        """Return the totals after a round that is over."""
        after = [total + points for total, points in zip(self._seen.totals, table.points(), strict=True)]
        if table.winner >= 0:
            after[table.winner] = returned_from(after[table.winner])
        return after

    def unless_it_loses(self, move: int) -> LamaMove:
        """Return a move, or a draw where quitting or going out would end the match and lose it."""
        if self._legal.draw and (
            (move == QUIT and self._quitting_loses())
            or (move < DRAW and sum(self._unknown.own) == 1 and self._going_out_loses())
        ):
            return Draw()
        return _named(move, self._legal)

    def _quitting_loses(self) -> bool:
        """Tell whether what the hand costs ends the match, and somebody stays below with all that they hold now."""
        return self._loses(self._seen.totals[self._seat] + cost_of(self._unknown.own), reaches=True)

    def _going_out_loses(self) -> bool:
        """Tell whether going out ends the match for somebody else, and a third one stays below."""
        view, seat = self._seen, self._seat
        held = view.totals[seat]
        own = held - (_RETURNED[self._legal.play_chips[0]] if self._legal.play_chips else 0)
        reached = any(
            total + COSTS[0] >= self._limit for other, total in enumerate(view.totals) if other != seat
        )
        return self._loses(own, reaches=False) and (reached or self._limit == 0)

    def _loses(self, own: int, *, reaches: bool) -> bool:
        if reaches and own < self._limit:
            return False
        return any(
            total + _DEAREST[min(size, len(_DEAREST) - 1)] < own
            for other, (total, size) in enumerate(zip(self._seen.totals, self._seen.hand_sizes, strict=True))
            if other != self._seat
        )

    def searched(self, first: int, random: Source, playouts: int) -> tuple[int, tuple[Worth[LamaMove], ...]]:
        """Return the move that does best in possible courses of the round, and what each is worth."""
        seat, prospects = self._seat, self._prospects
        moves = [first, *(move for move in self._unknown.deal(random).moves() if move != first)]
        beliefs = beliefs_of(self._seen, self._unknown, random)

        def deal() -> Belief:
            return beliefs.deal() if beliefs else Belief(self._unknown.deal(random), weighed_move)

        def outcome(belief: Belief, number: int) -> float:
            copy = belief.table.copy()
            copy.make(moves[number])
            while copy.turn >= 0:
                copy.make(weighed_move(copy) if copy.turn == seat else belief.habit(copy))
            return prospects.of(self._after(copy), seat)

        best, worths = best_of(len(moves), deal, outcome, COURSES * playouts, CERTAINTY)
        named = [Worth(_named(move, self._legal), worth) for move, worth in zip(moves, worths, strict=True)]
        return moves[best], tuple(sorted(named, key=lambda each: -each.worth))


_DEAREST: Final = (0, 10, 16, 21, 25, 28, 30, 31)
"""What so many cards cost at most."""


def _named(move: int, legal: LamaLegal) -> LamaMove:
    if move == DRAW:
        return Draw()
    if move == QUIT:
        return Quit()
    chip: Chip | None = legal.play_chips[0] if legal.play_chips else None
    return Play(VALUES[move], chip)

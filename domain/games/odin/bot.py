"""The bots of Odin: each judges from its seat's view alone, and what is certain it plays with certainty.

- ``easy`` plays the lowest set that it may play.
- ``normal`` sheds as many cards as it can.
- ``hard`` keeps its hand in few uniform groups of high cards, and weighs who will hold the centre and how few cards the
  others have.
- ``expert`` plays out possible courses of the round, and counts what each does to the match.
"""

from typing import Final

from domain.chance import Chance
from domain.games.certainty import Certainty, Playable
from domain.games.contract import Allowance
from domain.games.odin.cards import in_reading_order
from domain.games.odin.certainty import promising, sure_exit
from domain.games.odin.judgement import Move, beginners_move, burden, plain_move, weighed_move
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.simulator import OdinTable, Unknown, bits_of, cards_of
from domain.games.odin.view import OdinView
from domain.games.searching import Source, Worth, best_of, source_of
from domain.games.standings import Prospects, share_of_win

PACE: Final = 4.5
"""About how many points the seat that is last gets in a round."""

SPREAD: Final = 3.0
"""By about how many points one round's results differ."""

CERTAINTY: Final = 1.0

MOST_COMPARED: Final = 9
"""How many moves are played out; those that leave the heaviest hands are not."""

MOST_TRIED_OUT: Final = 5
"""With so many cards left everything that may happen is tried, if few tables are possible."""

MOST_TABLES: Final = 40

_NODES: Final = {"normal": 1500, "hard": 4000, "expert": 20_000}
"""How many positions may be looked at for a forced win."""


def choose(
    view: OdinView, legal: OdinLegalMoves, seat: int, chance: Chance, allowance: Allowance
) -> OdinMove:
    """Return the bot's move."""
    if legal.can_pass and not legal.sets and not legal.going_out:
        return Pass()
    random = source_of(chance)
    unknown = Unknown(view, seat)
    table = unknown.deal(random)
    if allowance.level == "easy":
        return _named(beginners_move(table))
    mind = _Mind(view, seat, unknown, table)
    certain = mind.certain(_NODES[allowance.level])
    if certain is not None:
        return _named(certain)
    if mind.must_stay and len(table.moves()) > 1:
        return _named(weighed_move(table, stays=True))
    judged = plain_move(table) if allowance.level == "normal" else weighed_move(table)
    if allowance.level == "expert":
        judged = mind.searched(judged, random, allowance.playouts)[0]
    return _named(judged)


def consider(
    view: OdinView,
    legal: OdinLegalMoves,
    seat: int,
    chance: Chance,
    allowance: Allowance,
    also: OdinMove | None = None,
) -> tuple[Worth[OdinMove], ...]:
    """Return what moves are worth, best first, for those who learn. Empty when there is nothing to compare."""
    if len(legal.sets) + bool(legal.going_out) + legal.can_pass == 1:
        return ()
    random = source_of(chance)
    unknown = Unknown(view, seat)
    table = unknown.deal(random)
    mind = _Mind(view, seat, unknown, table)
    judged = mind.certain(_NODES["expert"]) or weighed_move(table)
    made = next((move for move in table.moves() if also is not None and _is(move, also)), None)
    return mind.searched(judged, random, allowance.playouts, made)[1]


class _Mind:
    """What a seat makes of the match and of what it does not see.

    Attributes:
        must_stay: Whether going out would end the match and lose it.
    """

    def __init__(self, view: OdinView, seat: int, unknown: Unknown, table: OdinTable) -> None:
        self._seen = view
        self._seat = seat
        self._unknown = unknown
        self._table = table
        self._prospects = Prospects(view.limit, PACE, SPREAD)
        out = [
            total + (0 if other == seat else size)
            for other, (total, size) in enumerate(zip(view.totals, view.hand_sizes, strict=True))
        ]
        self.must_stay = self._prospects.ends(out) and not share_of_win(out, seat)

    def certain(self, nodes: int) -> Move | None:
        """Return the first move of a certain win, or of a forced exit if that is wanted; None if there is none."""
        won = self._certain_win(nodes)
        if won is not None or self.must_stay:
            return won
        return sure_exit(self._table, self._unknown, nodes)

    def _certain_win(self, nodes: int) -> Move | None:
        """Return the first move of a win of the match that nothing can prevent, in this round."""
        if self._table.hands[self._seat].bit_count() > MOST_TRIED_OUT:
            return None
        tables = self._unknown.tables(MOST_TABLES)
        if not tables:
            return None
        certainty = Certainty[Move](self._seat, lambda _, move: move, self._is_won, nodes)
        return certainty.first_move(tables, promising(self._table))

    def _is_won(self, table: Playable[Move]) -> bool:
        assert isinstance(table, OdinTable)  # noqa: S101 - the tables are its own
        totals = [total + points for total, points in zip(self._seen.totals, table.points(), strict=True)]
        return self._prospects.ends(totals) and share_of_win(totals, self._seat) == 1

    def searched(
        self, first: Move, random: Source, playouts: int, also: Move | None = None
    ) -> tuple[Move, tuple[Worth[OdinMove], ...]]:
        """Return the move that does best in possible courses of the round, and what each is worth."""
        seat, totals = self._seat, self._seen.totals
        hand = self._table.hands[seat]
        others = [move for move in self._table.moves() if move != first]
        others.sort(key=lambda move: burden(rest) if (rest := hand & ~move[0] | move[1]) else 0.0)
        moves = [first, *others[: MOST_COMPARED - 1]]
        if also is not None and also not in moves:
            moves.append(also)

        def outcome(table: OdinTable, number: int) -> float:
            copy = table.copy()
            copy.make(moves[number])
            while copy.turn >= 0:
                copy.make(weighed_move(copy))
            after = [total + points for total, points in zip(totals, copy.points(), strict=True)]
            return self._prospects.of(after, seat)

        best, worths = best_of(len(moves), lambda: self._unknown.deal(random), outcome, playouts, CERTAINTY)
        named = [Worth(_named(move), worth) for move, worth in zip(moves, worths, strict=True)]
        return moves[best], tuple(sorted(named, key=lambda each: -each.worth))


def _is(move: Move, made: OdinMove) -> bool:
    cards, take, _ = move
    if isinstance(made, Pass):
        return not cards
    return cards == bits_of(made.cards) and take == bits_of((made.take,) if made.take else ())


def _named(move: Move) -> OdinMove:
    cards, take, _ = move
    if not cards:
        return Pass()
    return Play(in_reading_order(cards_of(cards)), cards_of(take)[0] if take else None)

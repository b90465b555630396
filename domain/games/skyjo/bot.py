"""The bots of Skyjo: each judges from its seat's view alone, and what is certain it plays with certainty.

- ``easy`` keeps low cards and thinks of nothing else.
- ``normal`` lowers what its board is expected to cost, and counts on columns.
- ``hard`` also weighs what closing the round risks and gains.
- ``expert`` plays out possible courses of the round, and counts what each does to the match.
"""

from collections.abc import Iterator
from typing import Final

from domain.chance import Chance
from domain.games.contract import Allowance
from domain.games.searching import Source, Worth, best_of, source_of
from domain.games.skyjo.cards import column_of, slots_of
from domain.games.skyjo.certainty import closing_wins, points_after_closing
from domain.games.skyjo.habits import take_turn
from domain.games.skyjo.judgement import Rated, beginners_move, first_flips, rated
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.simulator import DRAW, FLIP, SWAP, TAKE, SkyjoTable, Unknown
from domain.games.skyjo.view import Cell, SkyjoView
from domain.games.standings import Prospects

PACE: Final = 22.0
"""About how many points the seat that is last gets in a round."""

SPREAD: Final = 12.0
"""By about how many points one round's results differ."""

CERTAINTY: Final = 1.0

MOST_COMPARED: Final = 6
"""How many moves are played out; those that leave the dearest boards are not."""

WORTH_COMPARING: Final = 6.0
"""Moves that cost so many points more than the best one are not played out."""


def choose(view: SkyjoView, legal: SkyjoLegal, seat: int, chance: Chance, allowance: Allowance) -> SkyjoMove:
    """Return the bot's move."""
    if legal.reveal:
        return Reveal(first_flips(legal))
    if allowance.level == "easy":
        return beginners_move(view, legal, seat)
    ratings = rated(view, legal, seat, wary=allowance.level != "normal")
    losing = set()
    for move, wins in _closings(view, legal, seat):
        if wins:
            return move
        losing.add(move)
    kept = tuple(each for each in ratings.moves if each[1] not in losing)
    ratings = Rated(kept or ratings.moves)
    if allowance.level == "expert" and len(ratings.moves) > 1:
        return _searched(view, seat, ratings, source_of(chance), allowance.playouts)[0]
    return ratings.best


def consider(
    view: SkyjoView,
    legal: SkyjoLegal,
    seat: int,
    chance: Chance,
    allowance: Allowance,
    also: SkyjoMove | None = None,
) -> tuple[Worth[SkyjoMove], ...]:
    """Return what moves are worth, best first, for those who learn. Empty when there is nothing to compare."""
    if legal.reveal:
        return ()
    ratings = rated(view, legal, seat, wary=True)
    return _searched(view, seat, ratings, source_of(chance), allowance.playouts, also)[1]


def _closings(view: SkyjoView, legal: SkyjoLegal, seat: int) -> Iterator[tuple[SkyjoMove, bool]]:
    """Yield the moves that close the round and thereby surely win the match, or lose it."""
    board = view.boards[seat]
    if view.closer is not None or board.count(None) != 1:
        return
    slot = board.index(None)
    face = view.top if legal.draw else view.drawn
    if isinstance(face, int):
        wins = closing_wins(view, seat, points_after_closing(board, slot, face))
        if wins is not None:
            yield (Take(slot) if legal.draw else Swap(slot)), wins


def _searched(
    view: SkyjoView,
    seat: int,
    ratings: Rated,
    random: Source,
    playouts: int,
    also: SkyjoMove | None = None,
) -> tuple[SkyjoMove, tuple[Worth[SkyjoMove], ...]]:
    """Return the move that does best in possible courses of the round, and what each is worth."""
    unknown = Unknown(view, seat)
    prospects = Prospects(view.limit, PACE, SPREAD)
    dearest = ratings.moves[0][0] + WORTH_COMPARING
    promising: dict[tuple[object, ...], SkyjoMove] = {}
    for cost, move in ratings.moves:
        if cost <= dearest:
            promising.setdefault(_kind(move, view.boards[seat]), move)
    named = list(promising.values())[:MOST_COMPARED]
    if also is not None and also not in named:
        named.append(also)
    moves = [_number(move) for move in named]
    totals = view.totals

    def outcome(table: SkyjoTable, number: int) -> float:
        copy = table.copy()
        copy.make(moves[number])
        while copy.turn >= 0:
            take_turn(copy)
        after = [total + points for total, points in zip(totals, copy.points(), strict=True)]
        return prospects.of(after, seat)

    best, worths = best_of(len(moves), lambda: unknown.deal(random), outcome, playouts, CERTAINTY)
    found = [Worth(move, worth) for move, worth in zip(named, worths, strict=True)]
    return named[best], tuple(sorted(found, key=lambda each: -each.worth))


def _kind(move: SkyjoMove, board: tuple[Cell, ...]) -> tuple[object, ...]:
    """Return what two moves have in common that do the same to a board: rows, and columns alike, can change places."""
    if isinstance(move, Draw | Reveal):
        return (type(move),)
    beside = [board[slot] for slot in slots_of(column_of(move.slot)) if slot != move.slot]
    return type(move), board[move.slot], *sorted(beside, key=str)


def _number(move: SkyjoMove) -> int:
    if isinstance(move, Take):
        return TAKE + move.slot
    if isinstance(move, Swap):
        return SWAP + move.slot
    if isinstance(move, Flip):
        return FLIP + move.slot
    return DRAW

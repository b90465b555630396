"""The bots of Skyjo: each judges from its seat's view alone, and what is certain it plays with certainty.

- ``easy`` keeps low cards and thinks of nothing else.
- ``normal`` lowers what its board is expected to cost, and counts on columns.
- ``hard`` also weighs what closing the round risks and gains.
- ``expert`` plays out possible courses of the round, and counts what each does to the match.
"""

from collections.abc import Hashable, Iterator
from typing import Final

from domain.chance import Chance
from domain.games.certainty import Certainty, Playable
from domain.games.contract import Allowance
from domain.games.searching import Source, Worth, best_of, source_of
from domain.games.skyjo.cards import GONE, SLOTS, column_of, slots_of
from domain.games.skyjo.certainty import placed, reach_of, wins_after
from domain.games.skyjo.habits import CLOSING_GAIN, take_turn
from domain.games.skyjo.judgement import Manner, Rated, beginners_move, first_flips, rated
from domain.games.skyjo.legal import SkyjoLegal, expand
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.scoring import ends_match
from domain.games.skyjo.simulator import DRAW, FLIP, SWAP, TAKE, SkyjoTable, Unknown
from domain.games.skyjo.view import Cell, SkyjoView
from domain.games.standings import Prospects, share_of_win

PACE: Final = 22.0
"""About how many points the seat that is last gets in a round."""

SPREAD: Final = 12.0
"""By about how many points one round's results differ."""

MOST_UNKNOWN: Final = 5
"""With so many unknown cards everything that may happen is tried."""

NODES: Final = 3000
"""How many tables may be looked at for a certain win."""

CERTAINTY: Final = 1.0

CLOSING_GAINS: Final = {2: -4.0, 3: -2.0}
"""By number of seats, what ending a round is worth to an expert, in points: less than nothing.

Who closes gives away the turns in which the board would have become cheaper. With few others there is time for them.
Others are taken to close early in the courses, as people and the other levels do.
"""

CLOSING_GAIN_OF_MANY: Final = -1.0
"""The same with more seats."""

OPENING_GAIN: Final = 1.0
"""What a hidden card turned up or replaced is worth to an expert besides its face, in points."""

HOPE_PER_HIDDEN: Final = 0.08
"""The chance that a pair becomes three, per hidden card of the board, as an expert takes it to be."""

SEATS_IN_FULL: Final = 4
"""Up to so many seats an expert plays out all courses that it is allowed."""

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
    if (certain := _certain_win(view, legal, seat, chance)) is not None:
        return certain
    if allowance.level == "expert":
        ratings = _patiently_rated(view, legal, seat)
    else:
        ratings = rated(view, legal, seat, wary=allowance.level != "normal")
    losing = set()
    for move, wins in _last_turns(view, legal, seat):
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
    ratings = _patiently_rated(view, legal, seat)
    return _searched(view, seat, ratings, source_of(chance), allowance.playouts, also)[1]


def _patiently_rated(view: SkyjoView, legal: SkyjoLegal, seat: int) -> Rated:
    manner = Manner(_closing_gain(len(view.boards)), OPENING_GAIN, HOPE_PER_HIDDEN)
    return rated(view, legal, seat, wary=True, manner=manner)


def _closing_gain(seats: int) -> float:
    return CLOSING_GAINS.get(seats, CLOSING_GAIN_OF_MANY)


def _certain_win(view: SkyjoView, legal: SkyjoLegal, seat: int, chance: Chance) -> SkyjoMove | None:
    """Return the first move of a win that nothing can prevent in this round, where nearly all cards were seen."""
    if view.pile_size + sum(board.count(None) for board in view.boards) > MOST_UNKNOWN:
        return None
    random = source_of(chance)
    tables = Unknown(view, seat).tables(MOST_UNKNOWN, random)
    if not tables:
        return None

    def seen(table: Playable[int], _: int) -> Hashable:
        assert isinstance(table, SkyjoTable)  # noqa: S101 - the tables are its own
        return table.seen_by(seat)

    def is_won(table: Playable[int]) -> bool:
        assert isinstance(table, SkyjoTable)  # noqa: S101 - the tables are its own
        totals = [total + points for total, points in zip(view.totals, table.points(), strict=True)]
        return ends_match(tuple(totals), view.limit) and share_of_win(totals, seat) == 1

    named = {_number(move): move for move in expand(legal)}
    move = Certainty[int](seat, seen, is_won, NODES).first_move(tables, list(named))
    return None if move is None else named[move]


def _last_turns(view: SkyjoView, legal: SkyjoLegal, seat: int) -> Iterator[tuple[SkyjoMove, bool]]:
    """Yield the moves of a seat's last turn in the round that surely win the match, or by closing surely lose it."""
    board = view.boards[seat]
    hidden = [slot for slot, cell in enumerate(board) if cell is None]
    stalls = view.closer is None and view.turns_to_stall == 1
    if view.closer is None and len(hidden) != 1 and not stalls:
        return
    is_last = [cell is None and len(hidden) == 1 for cell in board] if view.closer is None else [True] * SLOTS
    reach = reach_of(view)

    def wins_with(face: int, slot: int, laid: Cell) -> bool | None:
        ends_at_once = stalls and board[slot] is not None
        if board[slot] == GONE or not (is_last[slot] or ends_at_once):
            return None
        theirs = reach._replace(laid=(laid,)) if isinstance(laid, int) else reach
        return wins_after(view, seat, placed(board, slot, face), theirs, stalls=ends_at_once)

    in_hand = view.top if legal.draw else view.drawn
    assert isinstance(in_hand, int)  # noqa: S101 - whoever rated the moves has seen to it
    thrown = None if legal.draw else in_hand
    flips = [slot for slot in hidden if all(wins_with(face, slot, thrown) for face in set(reach.unseen))]
    for slot in range(SLOTS):
        wins = wins_with(in_hand, slot, board[slot])
        if wins is not None:
            yield (Take(slot) if legal.draw else Swap(slot)), wins
    if not legal.draw:
        if flips:
            yield Flip(flips[0]), True
    elif flips or all(
        any(wins_with(face, slot, board[slot]) for slot in range(SLOTS)) for face in set(reach.unseen)
    ):
        yield Draw(), True


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
    gains = [CLOSING_GAIN] * len(totals)
    gains[seat] = _closing_gain(len(totals))

    def outcome(table: SkyjoTable, number: int) -> float:
        copy = table.copy()
        move = moves[number]
        if TAKE <= move < SWAP:
            copy.pass_over()
        copy.make(move)
        while (turn := copy.turn) >= 0:
            take_turn(copy, gains[turn])
        after = [total + points for total, points in zip(totals, copy.points(), strict=True)]
        return prospects.of(after, seat)

    # With more seats a course takes longer, and a move must not.
    courses = playouts * SEATS_IN_FULL // max(len(totals), SEATS_IN_FULL)
    best, worths = best_of(len(moves), lambda: unknown.deal(random), outcome, courses, CERTAINTY)
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

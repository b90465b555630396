"""The number of move sequences from small deals, against a count by other means.

The referee below knows the rules from the rule text alone and shares no code with the game: hands are strings,
moves are what comes of them.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from domain.games.lama.cards import CARDS
from domain.games.registry import GAMES
from tests.kit.game_cases.matches import sequences
from tests.unit.domain.games.lama.arrangement import CHANCE, Table, given


class Position(NamedTuple):
    hands: tuple[str, ...]
    top: str
    pile: str
    turn: int
    out: frozenset[int]
    chips: tuple[int, ...]
    played_last: int | None = None
    acted_last: int | None = None
    round: int = 1
    returns: bool = False
    single: bool = False
    over: bool = False


def nexts(position: Position) -> Iterator[Position]:
    """Yield the position after every possible move."""
    if position.over:
        return
    me = position.turn
    mine = position.hands[me]
    if position.returns:
        for worth in (0, 1, 10):
            if position.chips[me] >= worth:
                yield on(position._replace(returns=False, chips=less(position.chips, me, worth)))
        return
    active = [seat for seat in range(len(position.hands)) if seat not in position.out]
    others = [seat for seat in active if seat != me] or [me]
    left = next((seat for seat in others if seat > me), others[0])
    acted = position._replace(acted_last=me)
    for card in sorted(set(mine)):
        if card == position.top or position.top + card in ("12", "23", "34", "45", "56", "6L", "L1"):
            rest = mine.replace(card, "", 1)
            laid = acted._replace(
                hands=with_hand(position.hands, me, rest), top=card, turn=left, played_last=me
            )
            if rest:
                yield laid
            else:
                yield from out_of_cards(laid._replace(turn=me))
    if position.pile and len(active) > 1:
        card, pile = position.pile[0], position.pile[1:]
        yield acted._replace(hands=with_hand(position.hands, me, mine + card), pile=pile, turn=left)
    if len(active) > 1:
        yield acted._replace(out=position.out | {me}, turn=left)
    else:
        yield on(scored(acted))


def out_of_cards(position: Position) -> Iterator[Position]:
    """Yield what may follow when the seat in turn has laid its last card: it names a chip now, or is asked."""
    me = position.turn
    after = scored(position)
    held = position.chips[me]
    yield on(after) if held == 0 else after._replace(returns=True)
    for worth in (0, 1, 10):
        if held >= worth:
            yield on(after._replace(chips=less(after.chips, me, worth)))


def scored(position: Position) -> Position:
    costs = [sum(10 if card == "L" else int(card) for card in set(hand)) for hand in position.hands]
    return position._replace(chips=tuple(map(sum, zip(position.chips, costs, strict=True))))


def on(position: Position) -> Position:
    """Return the end of the game or the next round."""
    if position.single or max(position.chips) >= 40:
        return position._replace(over=True)
    dealt = "".join(CHANCE.shuffle(CARDS, position.round + 1, 0))
    seats = len(position.hands)
    starter = position.acted_last if position.played_last is None else position.played_last
    assert starter is not None
    return Position(
        hands=tuple(dealt[6 * seat : 6 * seat + 6] for seat in range(seats)),
        top=dealt[6 * seats],
        pile=dealt[6 * seats + 1 :],
        turn=starter,
        out=frozenset(),
        chips=position.chips,
        round=position.round + 1,
    )


def with_hand(hands: tuple[str, ...], seat: int, hand: str) -> tuple[str, ...]:
    return tuple(hand if other == seat else held for other, held in enumerate(hands))


def less(chips: tuple[int, ...], seat: int, worth: int) -> tuple[int, ...]:
    return tuple(held - worth if other == seat else held for other, held in enumerate(chips))


def referee_count(position: Position, length: int) -> int:
    return 1 if length == 0 else sum(referee_count(after, length - 1) for after in nexts(position))


def position_of(table: Table) -> Position:
    state = table.state
    assert state.turn is not None
    return Position(
        hands=tuple(table.hand(seat) for seat in range(state.seats)),
        top=state.top,
        pile="".join(state.order[state.pile_start :]),
        turn=state.turn,
        out=frozenset(state.quit),
        chips=state.totals,
        single=state.options.limit == "single",
    )


DEALS = {
    "two hands and a short pile": (given("45 4", top="4", pile="61"), (4, 13, 37, 122)),
    "a winner with chips": (given("4 56 1L", top="4", totals=(12, 0, 39)), (6, 9, 11, 27)),
    "a single round without a pile": (given("66L 1 L", top="6", pile="", limit="single"), (3, 5, 9, 4)),
    "alone": (given("3445 1", top="3", quit=(1,), totals=(1, 1)), (3, 9, 25, 70)),
    "six seats": (given("123 456 L12 345 6L1 234", top="L", pile="56"), (3, 6, 23, 42)),
    "copies in the hand": (given("5566 5566", top="5", pile="5"), (4, 13, 36, 95)),
    "the last one out": (given("2 3 4", top="L", turn=2, quit=(0, 1)), (1, 3, 9, 32)),
}


@pytest.mark.parametrize("deal", DEALS)
def test_sequences_of_one_to_four_moves(deal: str):
    table, known = DEALS[deal]
    counted = tuple(sequences(GAMES["lama", 1], table.state, length) for length in range(1, 5))

    assert counted == tuple(referee_count(position_of(table), length) for length in range(1, 5))
    assert counted == known

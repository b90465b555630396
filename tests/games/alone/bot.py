"""A bot that searches: it plays out what might happen, from its seat's view alone."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import USUAL, Allowance
from tests.games.alone.cards import CARDS, HAND_SIZE
from tests.games.alone.moves import AloneLegal, Lay
from tests.games.alone.rules import decide, legal_moves, to_act
from tests.games.alone.state import AloneState, evolve
from tests.games.alone.view import AloneView


def choose(
    view: AloneView, legal: AloneLegal, seat: int, chance: Chance, allowance: Allowance = USUAL
) -> Lay:
    """Return the card that did best in the playouts; all cards get the same number of them."""
    gains = dict.fromkeys(legal.lay, 0)
    each = allowance.playouts // len(legal.lay) if len(legal.lay) > 1 else 0
    for number in range(each):
        # The same branch for all cards: they are compared in the same imagined deals.
        branch = chance.branch(str(number))
        for card in gains:
            gains[card] += _gain(sample(view, seat, branch), seat, card, branch)
    return Lay(max(gains, key=lambda card: (gains[card], -card)))


def _gain(state: AloneState, seat: int, card: int, chance: Chance) -> int:
    """Return by how much a seat is ahead of all others together at the round's end, everybody playing at random."""
    this_round, moves = state.round, 0
    before = sum(state.totals) - 2 * state.totals[seat]
    mover, move = seat, Lay(card)
    while True:
        for event in decide(state, mover, move, chance):
            state = evolve(state, event)
        if state.round != this_round or state.over:
            return before - (sum(state.totals) - 2 * state.totals[seat])
        moves += 1
        mover = to_act(state)[0]
        legal = legal_moves(state, mover)
        cards = () if legal is None else legal.lay
        move = Lay(cards[chance.pick(len(cards), f"move/{moves}")])


def sample(view: AloneView, seat: int, chance: Chance) -> AloneState:
    """Return a full state that looks like this from the seat: unknown cards and choices are drawn at random."""
    if view.phase == "waiting":
        return AloneState(view.options, view.totals)
    own = view.hands[seat] or ()
    seen = Counter([*own, *(card for trick in view.tricks for card in trick)])
    unseen = [card for card in dict.fromkeys(CARDS) for _ in range(CARDS.count(card) - seen[card])]
    hidden = list(chance.shuffle(unseen, view.round, 0))
    order: list[int] = []
    for number in range(len(view.totals)):
        turned = [trick[number] for trick in view.tricks]
        held = HAND_SIZE - len(turned)
        order += [*turned, *(view.hands[number] or [hidden.pop() for _ in range(held)])]
    state = AloneState(
        view.options,
        view.totals,
        view.round,
        (*order, *(view.rest or hidden)),
        tricks=tuple(
            tuple(number * HAND_SIZE + trick for number in range(len(view.totals)))
            for trick in range(len(view.tricks))
        ),
        taken=view.taken,
        over=view.phase == "over",
    )
    chosen = tuple(
        _chosen_place(state, number, view.choices[number], chance) if number in view.chosen else None
        for number in range(len(view.totals))
    )
    return replace(state, chosen=chosen)


def _chosen_place(state: AloneState, seat: int, card: int | None, chance: Chance) -> int:
    places: Sequence[int] = state.hand(seat)
    if card is None:
        return places[chance.pick(len(places), f"choice/{seat}")]
    return next(place for place in places if state.order[place] == card)

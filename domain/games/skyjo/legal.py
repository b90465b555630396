"""What a seat may do now."""

from collections.abc import Iterator
from itertools import combinations

from domain.games.contract import LegalMoves
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState, flips_left, remaining_slots, to_act


class SkyjoLegal(LegalMoves, frozen=True):
    """The legal moves by type, as the slots that each may name. What is left out is not legal.

    Attributes:
        reveal: Slots that may be turned up before the first turn.
        reveal_up_to: How many of them may be turned up at once, at most.
        take: Slots for the top of the discard pile.
        draw: Whether the seat may draw.
        swap: Slots for the drawn card.
        flip: Slots that may be turned up when the drawn card is discarded.
    """

    reveal: tuple[int, ...] = ()
    reveal_up_to: int = 0
    take: tuple[int, ...] = ()
    draw: bool = False
    swap: tuple[int, ...] = ()
    flip: tuple[int, ...] = ()


def legal_moves(state: SkyjoState, seat: int) -> SkyjoLegal | None:
    """Return what a seat may do now; None if it owes no move."""
    if seat not in to_act(state):
        return None
    if left := flips_left(state, seat):
        return SkyjoLegal(reveal=state.hidden[seat], reveal_up_to=left)
    slots = remaining_slots(state, seat)
    if state.drawn is None:
        return SkyjoLegal(take=slots, draw=True)
    return SkyjoLegal(swap=slots, flip=state.hidden[seat])


def expand(legal: SkyjoLegal) -> Iterator[SkyjoMove]:
    """Yield every legal move once; slots to reveal in ascending order, since their order does not matter."""
    for count in range(1, legal.reveal_up_to + 1):
        for slots in combinations(legal.reveal, count):
            yield Reveal(slots)
    for slot in legal.take:
        yield Take(slot)
    if legal.draw:
        yield Draw()
    for slot in legal.swap:
        yield Swap(slot)
    for slot in legal.flip:
        yield Flip(slot)


def fallback(state: SkyjoState, seat: int) -> SkyjoMove:
    """Return a legal move that completes the seat's turn, without judgement.

    The first flips turn up the first hidden slots. A drawn card is discarded and the first hidden slot turned up.
    Drawing would leave the others waiting for the second half of the turn; instead the top of the discard pile
    replaces the highest visible card above it, or else the first hidden one. A round of such moves alone never
    stalls, because each of them lowers the board or leaves fewer hidden cards.
    """
    hidden = state.hidden[seat]
    if left := flips_left(state, seat):
        return Reveal(hidden[:left])
    if state.drawn is not None:
        return Flip(hidden[0])
    top = state.dealt[state.discard[-1]]
    above = [
        (-state.dealt[card], slot)
        for slot, card in enumerate(state.boards[seat])
        if card is not None and slot not in hidden and state.dealt[card] > top
    ]
    return Take(min(above)[1] if above else hidden[0])

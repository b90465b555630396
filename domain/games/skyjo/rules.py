"""Which events a move causes, and which moves are refused."""

from collections.abc import Callable
from typing import assert_never

from domain.chance import Chance
from domain.errors import NotAsked
from domain.games.skyjo import refusals
from domain.games.skyjo.cards import SLOTS, column_of
from domain.games.skyjo.columns import completes_column
from domain.games.skyjo.dealing import deal, reshuffle
from domain.games.skyjo.events import (
    CardDrawn,
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    ColumnDiscarded,
    DiscardTaken,
    PlayBegan,
    RoundClosed,
    RoundStalled,
    SkyjoEvent,
)
from domain.games.skyjo.evolve import evolve
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.rulings import Rulings
from domain.games.skyjo.scoring import end_round
from domain.games.skyjo.state import SkyjoState, face_at, flips_left, remaining_slots, to_act

Events = tuple[SkyjoEvent, ...]


def start(state: SkyjoState, chance: Chance) -> Events:
    """Return the first deal; the first flips decide who starts (K2)."""
    return (deal(state.seats, 1, None, chance),)


def decide(state: SkyjoState, seat: int, move: SkyjoMove, rulings: Rulings, chance: Chance) -> Events:
    """Return the events that a seat's move causes, up to the next move that somebody owes.

    Raises:
        Refused: The seat owes no move, or the rules do not allow this one.
    """
    asked = to_act(state)
    if seat not in asked:
        raise NotAsked(seat, asked)
    if isinstance(move, Reveal):
        return _reveal(state, seat, move, rulings)
    if left := flips_left(state, seat):
        raise refusals.reveal_first(left)
    if isinstance(move, Take):
        return _take(state, seat, move, rulings, chance)
    if isinstance(move, Draw):
        return _draw(state, seat, rulings, chance)
    if isinstance(move, Swap):
        return _swap(state, seat, move, rulings, chance)
    if isinstance(move, Flip):
        return _flip(state, seat, move, rulings, chance)
    assert_never(move)


def _reveal(state: SkyjoState, seat: int, move: Reveal, rulings: Rulings) -> Events:
    """K4: each seat turns up two hidden cards, at once or one by one; the seats go in any order."""
    left = flips_left(state, seat)
    slots = tuple(sorted(move.slots))
    if not left:
        raise refusals.reveal_over()
    if not 1 <= len(slots) <= left:
        raise refusals.reveal_count(len(slots), left)
    for slot in slots:
        _require_card(state, seat, slot)
        if slot not in state.hidden[seat]:
            raise refusals.reveal_needs_hidden(slot, state.hidden[seat])
        if slots.count(slot) > 1:
            raise refusals.reveal_same_slot(slot)
    revealed = CardsRevealed(seat, slots, tuple(face_at(state, seat, slot) for slot in slots))
    after = evolve(state, revealed)
    if to_act(after):
        return (revealed,)
    sums = tuple(_visible_sum(after, each) for each in range(state.seats))
    starter = first_starter(sums, rulings) if state.starter is None else state.starter
    return (revealed, PlayBegan(starter, sums))


def _visible_sum(state: SkyjoState, seat: int) -> int:
    return sum(face_at(state, seat, slot) for slot in range(SLOTS) if slot not in state.hidden[seat])


def first_starter(sums: tuple[int, ...], rulings: Rulings) -> int:
    """Return who starts the first round: the seat with the highest sum of its visible cards (K2).

    K1: on a tie the rulings choose, normally the lowest seat; no further card is turned up.
    """
    highest = [seat for seat, sum_ in enumerate(sums) if sum_ == max(sums)]
    return highest[0] if rulings.start_tie == "lowest_seat" else highest[-1]


def _take(state: SkyjoState, seat: int, move: Take, rulings: Rulings, chance: Chance) -> Events:
    """K5: the top of the discard pile must replace a card, hidden or not.

    K29: the discard pile is never empty between turns, because whoever takes its top puts another card there.
    K31: an exchange that changes nothing is legal. K33: the cards of a removed column can be taken again.
    """
    if state.drawn is not None:
        raise refusals.drawn_card_first()
    _require_card(state, seat, move.slot)
    # K6: a replaced hidden card becomes known only when it lands on the discard pile.
    taken, replaced = state.dealt[state.discard[-1]], face_at(state, seat, move.slot)
    return _finish_turn(
        state,
        seat,
        move.slot,
        taken,
        lambda following: DiscardTaken(seat, move.slot, taken, replaced, following),
        rulings,
        chance,
    )


def _draw(state: SkyjoState, seat: int, rulings: Rulings, chance: Chance) -> Events:
    """Draw the top card, which the drawer alone sees (K32). An empty pile is rebuilt first (K28)."""
    if state.drawn is not None:
        raise refusals.drawn_card_first()
    if state.pile_size:
        return (CardDrawn(seat, state.dealt[state.next_card]),)
    reshuffled = reshuffle(state, rulings, chance)
    return (reshuffled, CardDrawn(seat, reshuffled.pile[0]))


def _swap(state: SkyjoState, seat: int, move: Swap, rulings: Rulings, chance: Chance) -> Events:
    if state.drawn is None:
        raise refusals.nothing_drawn()
    _require_card(state, seat, move.slot)
    drawn, replaced = state.dealt[state.drawn], face_at(state, seat, move.slot)
    return _finish_turn(
        state,
        seat,
        move.slot,
        drawn,
        lambda following: CardSwapped(seat, move.slot, drawn, replaced, following),
        rulings,
        chance,
    )


def _flip(state: SkyjoState, seat: int, move: Flip, rulings: Rulings, chance: Chance) -> Events:
    """K7: a seat that discards the drawn card must turn up a hidden card.

    K8: there always is one, because a seat without hidden cards has closed, or had its last turn.
    """
    if state.drawn is None:
        raise refusals.nothing_drawn()
    _require_card(state, seat, move.slot)
    if move.slot not in state.hidden[seat]:
        raise refusals.flip_needs_hidden(move.slot, state.hidden[seat])
    drawn, turned = state.dealt[state.drawn], face_at(state, seat, move.slot)
    return _finish_turn(
        state,
        seat,
        move.slot,
        turned,
        lambda following: CardFlipped(seat, move.slot, turned, drawn, following),
        rulings,
        chance,
    )


def _require_card(state: SkyjoState, seat: int, slot: int) -> None:
    """K30: a move can name only slots that still hold a card."""
    if not 0 <= slot < SLOTS:
        raise refusals.no_such_slot(slot, remaining_slots(state, seat))
    if state.boards[seat][slot] is None:
        raise refusals.slot_gone(slot, remaining_slots(state, seat))


def _finish_turn(
    state: SkyjoState,
    seat: int,
    slot: int,
    face: int,
    placed: Callable[[int | None], SkyjoEvent],
    rulings: Rulings,
    chance: Chance,
) -> Events:
    """Return the events of a turn that leaves a face open in a slot, and all that follows.

    ``placed`` makes the turn's own event from the next seat. K13: a complete column leaves during the turn, before
    the test whether the seat closes. K15: so does a column that the last hidden card completes. K16: a board without
    any card closes, too.
    """
    was_hidden = slot in state.hidden[seat]
    closes = state.closer is None and len(state.hidden[seat]) == was_hidden
    idle_turns = 0 if was_hidden else state.idle_turns + 1
    stalls = idle_turns >= rulings.laps_to_stall * state.seats
    # Clockwise. K17: each other seat has one more turn after the closer's, so the round ends when the closer's turn
    # would come again. K18: a seat that shows its last hidden card in that last lap does not close.
    following = (seat + 1) % state.seats
    is_last = stalls or following == state.closer
    events = [placed(None if is_last else following)]
    if completes_column(state, seat, slot, face):
        # K9, K10: the three cards go on top of the replaced or discarded card.
        events.append(ColumnDiscarded(seat, column_of(slot), face))
    if closes:
        events.append(RoundClosed(seat))
    if stalls:
        events.append(RoundStalled(idle_turns))
    if is_last:
        for event in events:
            state = evolve(state, event)
        events.extend(end_round(state, chance))
    return tuple(events)

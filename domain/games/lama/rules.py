"""Which events a move causes. Pure; refuses with the code of the broken rule."""

from typing import cast

from domain.chance import Chance
from domain.errors import NotAsked
from domain.games.lama import refusals
from domain.games.lama.cards import CARDS, HAND_SIZE, LamaCard, playable_on
from domain.games.lama.events import (
    FIRST_PLAYER,
    CardDrawn,
    CardPlayed,
    FirstPlayerDrawn,
    GameEnded,
    LamaEvent,
    RoundQuit,
    RoundStarted,
)
from domain.games.lama.evolve import evolve
from domain.games.lama.legal import to_act
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Return
from domain.games.lama.rulings import Rulings
from domain.games.lama.scoring import (
    chip_event,
    is_return_due,
    next_starter,
    returnable_chips,
    round_ended,
    seats_at_limit,
)
from domain.games.lama.state import LamaState


def start(state: LamaState, chance: Chance) -> tuple[LamaEvent, ...]:
    """Return the events that begin the game: the draw of the first player, unless the table named one; the deal."""
    if state.first is not None:
        return (_deal(state, 1, state.first, chance),)
    first = chance.pick(state.seats, FIRST_PLAYER)
    return FirstPlayerDrawn(first, state.seats), _deal(state, 1, first, chance)


def decide(
    state: LamaState, seat: int, move: LamaMove, chance: Chance, rulings: Rulings
) -> tuple[LamaEvent, ...]:
    """Return the events that a move causes, up to the next move that somebody owes.

    Raises:
        Refused: The move breaks a rule; the code says which.
    """
    if seat not in to_act(state):
        raise NotAsked(seat, to_act(state))
    events = _decided(state, seat, move, chance, rulings)
    return events if rulings.stuck_alone == "asked" else _with_quits(state, events, chance, rulings)


def _with_quits(
    state: LamaState, events: tuple[LamaEvent, ...], chance: Chance, rulings: Rulings
) -> tuple[LamaEvent, ...]:
    """Make a seat quit by itself when it is alone in the round and cannot play."""
    for event in events:
        state = evolve(state, event)
    while state.turn is not None and state.is_last_active and not _can_play(state, state.turn):
        quits = _quit(state, state.turn, chance, rulings)
        for event in quits:
            state = evolve(state, event)
        events = (*events, *quits)
    return events


def _can_play(state: LamaState, seat: int) -> bool:
    return any(card in playable_on(state.top) for card in state.hand(seat))


def _decided(
    state: LamaState, seat: int, move: LamaMove, chance: Chance, rulings: Rulings
) -> tuple[LamaEvent, ...]:
    if isinstance(move, Return):
        return _return_chip(state, seat, move, chance, rulings)
    if state.returning is not None:
        raise refusals.return_asked(returnable_chips(state.totals[seat]))
    if isinstance(move, Play):
        return _play(state, seat, move, chance, rulings)
    if isinstance(move, Draw):
        return _draw(state, seat)
    return _quit(state, seat, chance, rulings)


def _play(state: LamaState, seat: int, move: Play, chance: Chance, rulings: Rulings) -> tuple[LamaEvent, ...]:
    hand = state.hand(seat)
    if move.card not in hand:
        raise refusals.card_not_in_hand(move.card)
    if move.card not in playable_on(state.top):
        raise refusals.card_not_playable(move.card, state.top)
    cards_left = len(hand) - 1
    if move.chip is not None:
        if cards_left > 0:
            raise refusals.chip_before_last_card(move.chip, cards_left)
        _check_chip(state, seat, move.chip)
    if cards_left > 0:
        return (CardPlayed(seat, move.card, _next_active(state, seat)),)
    # M15: the round ends at once; the others score what they hold. M14: a seat that was alone wins it all the same.
    played = CardPlayed(seat, move.card)
    return played, *_end_round(evolve(state, played), seat, move.chip, chance, rulings)


def _draw(state: LamaState, seat: int) -> tuple[LamaEvent, ...]:
    if state.is_last_active:
        raise refusals.cannot_draw_alone()
    # M8: a pile that is used up is not rebuilt; the round goes on without drawing.
    if state.pile_size == 0:
        raise refusals.pile_empty()
    # M7: the drawn card may be played only in a later turn.
    card = state.order[state.pile_start]
    return (CardDrawn(seat, card, _next_active(state, seat)),)


def _quit(state: LamaState, seat: int, chance: Chance, rulings: Rulings) -> tuple[LamaEvent, ...]:
    if not state.is_last_active:
        return (RoundQuit(seat, _next_active(state, seat)),)
    # M16: when all have quit, the round ends without a winner, and nobody returns a chip.
    quitted = RoundQuit(seat)
    return quitted, *_end_round(evolve(state, quitted), None, None, chance, rulings)


def _return_chip(
    state: LamaState, seat: int, move: Return, chance: Chance, rulings: Rulings
) -> tuple[LamaEvent, ...]:
    if state.returning is None:
        raise refusals.no_return_asked()
    _check_chip(state, seat, move.chip)
    returned = chip_event(state, seat, move.chip)
    return returned, *_go_on(evolve(state, returned), chance, rulings)


def _check_chip(state: LamaState, seat: int, chip: Chip) -> None:
    chips = returnable_chips(state.totals[seat])
    if chip not in chips:
        raise refusals.chip_not_held(chip, state.totals[seat], chips)


def _next_active(state: LamaState, seat: int) -> int:
    """Return the seat that acts after this one: the same one if all others have quit.

    M37: clockwise, that is, by rising seat number. M36: seats that quit are skipped. M11: a seat alone goes on turn
    after turn.
    """
    seats = state.seats
    following = (seat + 1) % seats
    while following in state.quit and following != seat:
        following = (following + 1) % seats
    return following


def _end_round(
    state: LamaState, winner: int | None, chip: Chip | None, chance: Chance, rulings: Rulings
) -> tuple[LamaEvent, ...]:
    """Return the end of the round and what follows, in M29's order: chips, return, limit, ranking."""
    due = winner is not None and is_return_due(state, winner)
    ended = round_ended(state, winner, return_asked=due and chip is None)
    if ended.return_asked:
        return (ended,)
    after = evolve(state, ended)
    if winner is None or chip is None or not due:
        return ended, *_go_on(after, chance, rulings)
    returned = chip_event(after, winner, chip)
    return ended, returned, *_go_on(evolve(after, returned), chance, rulings)


def _go_on(state: LamaState, chance: Chance, rulings: Rulings) -> tuple[LamaEvent, ...]:
    """Return the end of the game, or the next deal."""
    reached = seats_at_limit(state)
    if reached or state.options.limit == "single":
        return (GameEnded(reached),)
    return (_deal(state, state.round + 1, next_starter(state, rulings), chance),)


def _deal(state: LamaState, round_number: int, starter: int, chance: Chance) -> RoundStarted:
    """Shuffle all 56 cards; deal six to each seat in order; turn up one; the rest is the pile."""
    order = cast("tuple[LamaCard, ...]", chance.shuffle(CARDS, round_number, 0))
    dealt = state.seats * HAND_SIZE
    hands = tuple(order[place : place + HAND_SIZE] for place in range(0, dealt, HAND_SIZE))
    return RoundStarted(round_number, 0, starter, order[dealt], hands, order[dealt + 1 :])

"""What is allowed, and what follows from it."""

from domain.chance import Chance
from domain.errors import NotAsked, Refused
from domain.games.contract import GameResult
from tests.games.alone.cards import CARDS, HAND_SIZE, TRICKS, winner_of
from tests.games.alone.events import (
    AloneEvent,
    CardLaid,
    CardsTurned,
    HandsDealt,
    RoundsPlayed,
    TricksCounted,
)
from tests.games.alone.moves import AloneLegal, Lay
from tests.games.alone.state import AloneState, evolve


def is_played(state: AloneState) -> bool:
    """Tell whether a trick is being played."""
    return state.round > 0 and not state.over


def to_act(state: AloneState) -> tuple[int, ...]:
    """Return the seats that have laid no card yet."""
    return tuple(seat for seat, place in enumerate(state.chosen) if place is None) if is_played(state) else ()


def may_act(state: AloneState) -> tuple[int, ...]:
    """Return the seats that have laid one: until everybody has, they may choose again."""
    if not is_played(state):
        return ()
    return tuple(seat for seat, place in enumerate(state.chosen) if place is not None)


def legal_moves(state: AloneState, seat: int) -> AloneLegal | None:
    """Return what a seat may do now."""
    return AloneLegal(tuple(sorted(set(state.names(state.hand(seat)))))) if is_played(state) else None


def deal(state: AloneState, chance: Chance) -> HandsDealt:
    """Shuffle all cards and deal them."""
    number, seats = state.round + 1, len(state.totals)
    order = chance.shuffle(CARDS, number, 0)
    hands = tuple(tuple(order[place] for place in state.dealt_to(seat)) for seat in range(seats))
    return HandsDealt(number, 0, hands, order[seats * HAND_SIZE :])


def start(state: AloneState, chance: Chance) -> tuple[AloneEvent, ...]:
    """Return the events that begin the game."""
    return (deal(state, chance),)


def decide(state: AloneState, seat: int, move: Lay, chance: Chance) -> tuple[AloneEvent, ...]:
    """Return the events that a move causes, up to the next move that somebody owes."""
    if seat not in (*to_act(state), *may_act(state)):
        raise NotAsked(seat, to_act(state))
    hand = state.names(state.hand(seat))
    if move.card not in hand:
        raise Refused("alone.not_in_hand", "hands", card=move.card, hand=tuple(sorted(hand)))
    laid = CardLaid(seat, move.card)
    state = evolve(state, laid)
    if to_act(state):
        return (laid,)
    return laid, *_turn(state, chance)


def _turn(state: AloneState, chance: Chance) -> tuple[AloneEvent, ...]:
    cards = state.names(tuple(place for place in state.chosen if place is not None))
    turned = CardsTurned(cards, len(state.tricks) + 1, winner_of(cards))
    state = evolve(state, turned)
    if len(state.tricks) < TRICKS:
        return (turned,)
    totals = tuple(map(sum, zip(state.totals, state.taken, strict=True)))
    counted = TricksCounted(state.round, state.taken, totals)
    if state.round == state.options.rounds:
        return turned, counted, RoundsPlayed()
    return turned, counted, deal(state, chance)


def fallback(state: AloneState, seat: int) -> Lay:
    """Return the move made when time runs out: lay the lowest card."""
    return Lay(min(state.names(state.hand(seat))))


def standing(state: AloneState) -> GameResult:
    """Return the ranking: the most points win, equal totals share a place."""
    groups = (
        tuple(seat for seat, total in enumerate(state.totals) if total == points)
        for points in sorted(set(state.totals), reverse=True)
    )
    return GameResult(tuple(groups), state.totals)

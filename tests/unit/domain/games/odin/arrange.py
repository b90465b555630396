"""Given, when, then for Odin: positions written as card names."""

from collections.abc import Sequence

import msgspec

from domain.chance import Chance
from domain.errors import Refused
from domain.games.odin.cards import CARDS
from domain.games.odin.events import OdinEvent
from domain.games.odin.game import Odin
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.options import Limit, OdinOptions
from domain.games.odin.state import OdinState, hand_of

GAME = Odin()
CHANCE = Chance("0d" * 32)


class After(msgspec.Struct, frozen=True):
    """What moves led to."""

    state: OdinState
    events: tuple[OdinEvent, ...]


def given(
    *hands: str,
    centre: str = "",
    owner: int | None = None,
    turn: int = 0,
    passes: int = 0,
    discard: str = "",
    totals: Sequence[int] = (),
    starter: int = 0,
    limit: Limit = 15,
) -> OdinState:
    """Return a position in round 1.

    Args:
        hands: By seat, the cards dealt to it; after a ``+``, the cards that it picked up.
        centre: The combination to beat.
        owner: Who laid it; the seat before the one to act, unless told.
        turn: The seat to act.
        passes: Passes since the last play.
        discard: The discarded cards.
        totals: Points by seat; none, unless told.
        starter: The seat that led the round's first trick.
        limit: The option.
    """
    parts = [hand.partition("+") for hand in hands]
    order: list[str] = []

    def lay(text: str) -> tuple[int, ...]:
        names = text.split()
        order.extend(names)
        return tuple(range(len(order) - len(names), len(order)))

    dealt = tuple(lay(part[0]) for part in parts)
    taken = tuple(lay(part[2]) for part in parts)
    in_centre, discarded = lay(centre), lay(discard)
    assert len(set(order)) == len(order), "a card stands twice"
    order += [card for card in CARDS if card not in order]
    return OdinState(
        OdinOptions(limit),
        len(hands),
        round=1,
        order=tuple(order),
        starter=starter,
        trick=1,
        dealt=dealt,
        taken=taken,
        centre=in_centre,
        owner=((turn - 1) % len(hands) if owner is None else owner) if centre else None,
        passes=passes,
        turn=turn,
        discard=discarded,
        totals=tuple(totals) or (0,) * len(hands),
    )


def started(seats: int, options: OdinOptions | None = None, chance: Chance = CHANCE) -> OdinState:
    """Return a match just begun."""
    state = GAME.initial(options or OdinOptions(), seats)
    return fold(state, GAME.start(state, chance))


def fold(state: OdinState, events: Sequence[OdinEvent]) -> OdinState:
    """Return the state after events."""
    for event in events:
        state = GAME.evolve(state, event)
    return state


def play(cards: str, take: str | None = None) -> Play:
    """Return a play."""
    return Play(tuple(cards.split()), take)


PASS = Pass()


def when(state: OdinState, *moves: OdinMove) -> After:
    """Return what happens when the seats to act make these moves, one after the other."""
    events: list[OdinEvent] = []
    for move in moves:
        (seat,) = GAME.to_act(state)
        caused = GAME.decide(state, seat, move, CHANCE)
        state = fold(state, caused)
        events += caused
    return After(state, tuple(events))


def refusal(state: OdinState, move: OdinMove, seat: int | None = None) -> Refused | None:
    """Return why a move of the seat to act (or of another) is refused; None if it is accepted."""
    try:
        GAME.decide(state, GAME.to_act(state)[0] if seat is None else seat, move, CHANCE)
    except Refused as refused:
        return refused
    return None


def refused_with(state: OdinState, move: OdinMove, seat: int | None = None) -> str | None:
    """Return the code with which a move is refused; None if it is accepted."""
    refused = refusal(state, move, seat)
    return refused.code if refused else None


def hand(state: OdinState, seat: int) -> str:
    """Return a seat's cards."""
    return " ".join(hand_of(state, seat))


def names(state: OdinState, places: Sequence[int]) -> str:
    """Return the cards on places."""
    return " ".join(state.order[place] for place in places)


def moves_of(state: OdinState, seat: int | None = None) -> list[OdinMove]:
    """Return all legal moves of the seat to act (or of another)."""
    legal = GAME.legal_moves(state, GAME.to_act(state)[0] if seat is None else seat)
    return list(GAME.expand(legal)) if legal else []

"""What a viewer sees, what they know, and full states consistent with what they see."""

from domain.chance import Chance
from domain.games.contract import GameView, PhysicalCard
from domain.games.odin.cards import CARDS
from domain.games.odin.options import Limit, OdinOptions
from domain.games.odin.state import OdinState, centre_of, hand_of, hand_size
from domain.viewers import Viewer


class OdinView(GameView, frozen=True):
    """What one viewer sees.

    Attributes:
        limit: The total at which the match ends, or ``single``.
        seats: How many seats play.
        round: The round, from 1; 0 before the first deal.
        trick: The trick within the round, from 1.
        starter: The seat that led the round's first trick.
        turn: The seat whose turn it is; null before the start and after the end.
        centre: The combination to beat, as its value is read; empty while somebody must lead.
        owner: The seat that played the centre; null while it is empty.
        passes: Passes in a row since the last play.
        hands: By seat, the cards that the viewer may see: their own hand, or all; null for a closed hand. Cards as
            dealt, then cards picked up.
        hand_sizes: Number of cards by seat.
        taken: By seat, the cards still in its hand that it picked up from the centre, oldest first; everybody knows
            them.
        discard: The discarded cards of the round, oldest first; all of them lay open.
        undealt: Number of cards that were not dealt this round.
        undealt_cards: Their names; null for a viewer who may not see them.
        totals: Points by seat.
        sheet: Points by seat of each scored round.
        over: Whether the match has ended.
    """

    limit: Limit
    seats: int
    round: int
    trick: int
    starter: int | None
    turn: int | None
    centre: tuple[str, ...]
    owner: int | None
    passes: int
    hands: tuple[tuple[str, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    taken: tuple[tuple[str, ...], ...]
    discard: tuple[str, ...]
    undealt: int
    undealt_cards: tuple[str, ...] | None
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    over: bool


def view(state: OdinState, viewer: Viewer) -> OdinView:
    """Return what a viewer sees."""
    order = state.order
    seats = range(state.seats)
    undealt = _undealt(state)
    # O31: cards taken or discarded lay open and stay public; hands and undealt cards are not.
    return OdinView(
        limit=state.options.limit,
        seats=state.seats,
        round=state.round,
        trick=state.trick,
        starter=state.starter if state.round else None,
        turn=state.turn,
        centre=centre_of(state),
        owner=state.owner,
        passes=state.passes,
        hands=tuple(
            hand_of(state, seat) if viewer.everything or viewer.seat == seat else None for seat in seats
        ),
        hand_sizes=tuple(hand_size(state, seat) for seat in seats),
        taken=tuple(tuple(order[place] for place in state.taken[seat]) for seat in seats),
        discard=tuple(order[place] for place in state.discard),
        undealt=len(undealt),
        undealt_cards=tuple(order[place] for place in undealt) if viewer.everything else None,
        totals=state.totals,
        sheet=state.sheet,
        over=state.over,
    )


def knows(state: OdinState, viewer: Viewer) -> frozenset[PhysicalCard]:
    """Return the cards of the present deal that a viewer knows: all that lay open, and their own."""
    places: set[int] = set()
    if viewer.everything:
        places.update(range(len(state.order)))
    else:
        places.update(state.centre, state.discard, *state.taken)
        if viewer.seat is not None:
            places.update(state.dealt[viewer.seat])
    return frozenset((state.round, place) for place in places)


def _undealt(state: OdinState) -> range:
    # Dealt places come first, and every dealt card is in a hand, the centre or the discard.
    dealt = len(state.centre) + len(state.discard)
    dealt += sum(map(len, state.dealt)) + sum(map(len, state.taken))
    return range(dealt, len(state.order))


def sample(seen: OdinView, seat: int, chance: Chance) -> OdinState:
    """Return a full state consistent with a seat's view.

    Cards that the seat does not see are drawn from those that its view leaves possible. A view does not show who had
    been dealt the open cards, and it no longer matters: in the dealt order they follow the hands.
    """
    secrets = _secret_hands(seen, seat, chance)
    picked_up = [card for cards in seen.taken for card in cards]
    drawn = [card for cards in secrets for card in cards]
    lying_open = [*picked_up, *seen.centre, *seen.discard]
    order = (*drawn[: len(drawn) - seen.undealt], *lying_open, *drawn[len(drawn) - seen.undealt :])
    place = {card: index for index, card in enumerate(order)}
    return OdinState(
        options=OdinOptions(seen.limit),
        seats=seen.seats,
        round=seen.round,
        order=order,
        starter=seen.starter or 0,
        trick=seen.trick,
        dealt=tuple(tuple(place[card] for card in cards) for cards in secrets[:-1]),
        taken=tuple(tuple(place[card] for card in cards) for cards in seen.taken),
        centre=tuple(place[card] for card in seen.centre),
        owner=seen.owner,
        passes=seen.passes,
        turn=seen.turn,
        discard=tuple(place[card] for card in seen.discard),
        totals=seen.totals,
        sheet=seen.sheet,
        over=seen.over,
    )


def _secret_hands(seen: OdinView, seat: int, chance: Chance) -> list[tuple[str, ...]]:
    """Return by seat the cards that never left its hand, all drawn but the viewer's own; then the undealt."""
    own = seen.hands[seat] or ()
    known = {*seen.discard, *seen.centre, *own, *(card for cards in seen.taken for card in cards)}
    cards = [card for card in CARDS if card not in known] if seen.round else []
    unknown = chance.shuffle(cards, seen.round, 0)
    secrets: list[tuple[str, ...]] = []
    drawn = 0
    for other in range(seen.seats):
        size = seen.hand_sizes[other] - len(seen.taken[other])
        if other == seat:
            secrets.append(own[:size])
        else:
            secrets.append(unknown[drawn : drawn + size])
            drawn += size
    return [*secrets, unknown[drawn:]]

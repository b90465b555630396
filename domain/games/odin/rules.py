"""Which events a move causes, and why it may be refused. Nothing that a client says is believed."""

from domain.chance import Chance
from domain.errors import NotAsked
from domain.games.odin import refusals
from domain.games.odin.cards import in_reading_order, is_uniform, value_of
from domain.games.odin.dealing import deal
from domain.games.odin.events import CardsPlayed, OdinEvent, Passed, RoundEnded, TrickEnded
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.rulings import Rulings
from domain.games.odin.scoring import next_starter, score
from domain.games.odin.state import OdinState, centre_of, hand_of


def decide(
    rulings: Rulings, state: OdinState, seat: int, move: OdinMove, chance: Chance
) -> tuple[OdinEvent, ...]:
    """Return the events that a seat's move causes.

    Raises:
        Refused: If the seat is not asked, or the move breaks a rule.
    """
    if state.turn != seat:
        raise NotAsked(seat, () if state.turn is None else (state.turn,))
    if isinstance(move, Pass):
        return _pass(rulings, state, seat)
    hand = hand_of(state, seat)
    centre = centre_of(state)
    _check_cards(move.cards, hand)
    if centre:
        _check_following(rulings, move.cards, centre)
    else:
        _check_leading(rulings, move.cards, hand)
    _check_take(move, hand, centre)
    return _play(rulings, state, seat, move, chance)


def _check_cards(cards: tuple[str, ...], hand: tuple[str, ...]) -> None:
    if not cards:
        raise refusals.no_cards()
    seen: set[str] = set()
    for card in cards:
        if card in seen:
            raise refusals.repeated_card(card)
        if card not in hand:
            raise refusals.card_not_in_hand(card)
        seen.add(card)


def _check_leading(rulings: Rulings, cards: tuple[str, ...], hand: tuple[str, ...]) -> None:
    # O9: a uniform hand may be laid at once, it need not: one card is right in any case.
    if len(cards) == 1:
        return
    # O7: one card, or all of them.
    # O8: on the very first turn of a round too.
    if len(cards) != len(hand) or not rulings.whole_hand_lead:
        raise refusals.lead_one_card(len(cards), len(hand))
    if not is_uniform(cards):
        raise refusals.mixed_set(cards)


def counts_to_follow(rulings: Rulings, centre_size: int) -> tuple[int, int]:
    """Return the fewest and the most cards that may be laid on a combination."""
    # O1: as many as lie in the centre now, or one more.
    # O11: also for who could empty his hand with more.
    return centre_size, centre_size + rulings.extra_cards


def _check_following(rulings: Rulings, cards: tuple[str, ...], centre: tuple[str, ...]) -> None:
    fewest, most = counts_to_follow(rulings, len(centre))
    if not fewest <= len(cards) <= most:
        raise refusals.wrong_count(len(cards), fewest, most)
    if not is_uniform(cards):
        raise refusals.mixed_set(cards)
    # O2: only size and worth count, not whether colour or value is shared.
    # O3: as much is not enough.
    if value_of(cards) <= value_of(centre):
        raise refusals.value_not_higher(cards, centre)


def _check_take(move: Play, hand: tuple[str, ...], centre: tuple[str, ...]) -> None:
    take = move.take
    if not centre:
        # O15: a leader picks nothing up.
        if take is not None:
            raise refusals.take_when_leading(take)
    elif len(move.cards) == len(hand):
        # O12: who goes out picks nothing up.
        if take is not None:
            raise refusals.take_when_going_out(take)
    # O13: everybody else takes exactly one card of the beaten combination, also when it is a single one.
    elif take is None:
        raise refusals.take_required(centre)
    elif take not in centre:
        raise refusals.take_not_in_centre(take, centre)


def _play(rulings: Rulings, state: OdinState, seat: int, move: Play, chance: Chance) -> tuple[OdinEvent, ...]:
    cards = in_reading_order(move.cards)
    beaten = tuple(card for card in centre_of(state) if card != move.take)
    # O10: this covers the leader's last card as well.
    if len(cards) == len(hand_of(state, seat)):
        laid = CardsPlayed(seat, cards, None, beaten)
        scored = score(state, seat)
        return (laid, scored, *_after_round(rulings, state, scored, chance))
    # O14: the taken card comes to the hand after the play, and the turn is over.
    return (CardsPlayed(seat, cards, move.take, beaten, _left_of(state, seat)),)


def _after_round(
    rulings: Rulings, state: OdinState, scored: RoundEnded, chance: Chance
) -> tuple[OdinEvent, ...]:
    if scored.last:
        return ()
    return (deal(rulings, state.seats, state.round + 1, next_starter(rulings, state), chance),)


def _pass(rulings: Rulings, state: OdinState, seat: int) -> tuple[OdinEvent, ...]:
    owner = state.owner
    # O16: there is nothing to pass on.
    if owner is None:
        raise refusals.cannot_pass_when_leading()
    # O17: whatever the seat could play. O24: also when it can play nothing, nobody passes for it.
    # O20: at once, the owner of the centre is not asked about his own cards.
    # O22: between two players that is the first pass.
    if state.passes + 1 == state.seats - rulings.seats_not_passing:
        # O21: the last to lay cards leads.
        # O23: also when nobody beat his lead.
        return (Passed(seat), TrickEnded(owner, centre_of(state)))
    # O18: the turn just goes on; who passed is asked again when it comes round.
    return (Passed(seat, _left_of(state, seat)),)


def _left_of(state: OdinState, seat: int) -> int:
    return (seat + 1) % state.seats

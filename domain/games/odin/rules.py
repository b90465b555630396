"""Which events a move causes, and why it may be refused. No claim of a client is trusted."""

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
        Refused: The seat owes no move, or the move breaks a rule.
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
    # O9: a uniform hand may be played at once but need not be: one card is always right.
    if len(cards) == 1:
        return
    # O7: one card, or all of them.
    # O8: on the very first turn of a round too.
    if len(cards) != len(hand) or not rulings.whole_hand_lead:
        raise refusals.lead_one_card(len(cards), len(hand))
    if not is_uniform(cards):
        raise refusals.mixed_set(cards)


def counts_to_follow(rulings: Rulings, centre_size: int) -> tuple[int, int]:
    """Return the fewest and the most cards that may be played on a combination."""
    # O1: as many as lie in the centre now, or one more.
    # O11: even for a seat that could empty its hand with more.
    return centre_size, centre_size + rulings.extra_cards


def _check_following(rulings: Rulings, cards: tuple[str, ...], centre: tuple[str, ...]) -> None:
    fewest, most = counts_to_follow(rulings, len(centre))
    if not fewest <= len(cards) <= most:
        raise refusals.wrong_count(len(cards), fewest, most)
    if not is_uniform(cards):
        raise refusals.mixed_set(cards)
    # O2: only size and value count, not which colour or value the cards share.
    # O3: an equal value is not enough.
    if value_of(cards) <= value_of(centre):
        raise refusals.value_not_higher(cards, centre)


def _check_take(move: Play, hand: tuple[str, ...], centre: tuple[str, ...]) -> None:
    take = move.take
    if not centre:
        # O15: a leader picks nothing up.
        if take is not None:
            raise refusals.take_when_leading(take)
    elif len(move.cards) == len(hand):
        # O12: a seat that goes out picks nothing up.
        if take is not None:
            raise refusals.take_when_going_out(take)
    # O13: every other play takes exactly one card of the beaten combination, even of a single card.
    elif take is None:
        raise refusals.take_required(centre)
    elif take not in centre:
        raise refusals.take_not_in_centre(take, centre)


def _play(rulings: Rulings, state: OdinState, seat: int, move: Play, chance: Chance) -> tuple[OdinEvent, ...]:
    cards = in_reading_order(move.cards)
    beaten = tuple(card for card in centre_of(state) if card != move.take)
    # O10: this covers a leader's last card, too.
    if len(cards) == len(hand_of(state, seat)):
        laid = CardsPlayed(seat, cards, None, beaten)
        scored = score(state, seat)
        return (laid, scored, *_after_round(rulings, state, scored, chance))
    # O14: the taken card joins the hand after the play, and the turn is over.
    return (CardsPlayed(seat, cards, move.take, beaten, _left_of(state, seat)),)


def _after_round(
    rulings: Rulings, state: OdinState, scored: RoundEnded, chance: Chance
) -> tuple[OdinEvent, ...]:
    if scored.last:
        return ()
    return (deal(rulings, state.seats, state.round + 1, next_starter(rulings, state), chance),)


def _pass(rulings: Rulings, state: OdinState, seat: int) -> tuple[OdinEvent, ...]:
    owner = state.owner
    # O16: with an empty centre there is nothing to pass on.
    if owner is None:
        raise refusals.cannot_pass_when_leading()
    # O17: a seat may pass whatever it could play. O24: if it can play nothing, it still has to pass itself.
    # O20: the trick ends at once; the owner of the centre is not asked to beat their own cards.
    # O22: with two players that is the first pass.
    if state.passes + 1 == state.seats - rulings.seats_not_passing:
        # O21: the last seat to play cards leads.
        # O23: even if nobody beat its lead.
        return (Passed(seat), TrickEnded(owner, centre_of(state)))
    # O18: the turn moves on; a seat that passed may play again when its turn comes round.
    return (Passed(seat, _left_of(state, seat)),)


def _left_of(state: OdinState, seat: int) -> int:
    return (seat + 1) % state.seats

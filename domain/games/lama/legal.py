"""What a seat may do now."""

from collections.abc import Iterator

from domain.games.contract import LegalMoves
from domain.games.lama.cards import LamaCard, playable_on
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Quit, Return
from domain.games.lama.scoring import returnable_chips
from domain.games.lama.state import LamaState


class LamaLegal(LegalMoves, frozen=True):
    """The legal moves of one seat.

    Attributes:
        play: The cards that may be played: the top's own value first, then the next one.
        play_chips: The chips that such a play may name because it empties the hand; it need not name one.
        draw: Whether drawing is allowed.
        quit: Whether quitting is allowed.
        return_chips: The chips that the winner of a round may choose from, largest first.
    """

    play: tuple[LamaCard, ...] = ()
    play_chips: tuple[Chip, ...] = ()
    draw: bool = False
    quit: bool = False
    return_chips: tuple[Chip, ...] = ()


def to_act(state: LamaState) -> tuple[int, ...]:
    """Return the seat that owes a move; empty before the first deal and after the end."""
    if state.turn is not None:
        return (state.turn,)
    return () if state.returning is None else (state.returning,)


def may_draw(state: LamaState) -> bool:
    """Tell whether the seat whose turn it is may draw, even if it could play (M6).

    M9: down to the last card. M39: with six players that may well happen. M10: not once all others have quit,
    which with two players (M35) is as soon as the other quits.
    """
    return state.pile_size > 0 and not state.is_last_active


def legal_moves(state: LamaState, seat: int) -> LamaLegal | None:
    """Return what a seat may do now; None if it owes no move.

    M5: a llama turned up to begin the discard pile is a llama like any other. M13: quitting is always allowed, even
    alone or with a playable card. M12: alone and stuck, a seat can only quit. M40: the same goes for a seat with
    nothing to play once the pile is used up.
    """
    if state.turn == seat:
        hand = state.hand(seat)
        play = tuple([value for value in playable_on(state.top) if value in hand])
        play_chips = returnable_chips(state.totals[seat]) if play and len(hand) == 1 else ()
        return LamaLegal(play, play_chips, may_draw(state), quit=True)
    if state.returning == seat:
        return LamaLegal(return_chips=returnable_chips(state.totals[seat]))
    return None


def expand(legal: LamaLegal) -> Iterator[LamaMove]:
    """Yield every legal move once."""
    for card in legal.play:
        yield Play(card)
        for chip in legal.play_chips:
            yield Play(card, chip)
    if legal.draw:
        yield Draw()
    if legal.quit:
        yield Quit()
    for chip in legal.return_chips:
        yield Return(chip)


def fallback(state: LamaState, seat: int) -> LamaMove:
    """Return the move made when time runs out: return the largest chip, or quit the round.

    Quitting is always legal, and nobody has to wait for that seat again in this round.
    """
    if state.returning == seat:
        return Return(returnable_chips(state.totals[seat])[0])
    return Quit()

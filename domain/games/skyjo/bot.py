"""A bot that plays Skyjo sensibly, from what its seat sees and nothing else."""

from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Flip, Reveal, SkyjoMove, Take
from domain.games.skyjo.view import SkyjoView


def choose(view: SkyjoView, legal: SkyjoLegal, seat: int) -> SkyjoMove:
    """Return the first move that gets on."""
    if legal.reveal:
        return Reveal(legal.reveal[: legal.reveal_up_to])
    if legal.flip:
        return Flip(legal.flip[0])
    return Take(view.boards[seat].index(None))

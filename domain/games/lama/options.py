"""A table's choices for L.A.M.A."""

from typing import Annotated, Literal

import msgspec

from domain.games.contract import Options

FEWEST_SEATS = 2
MOST_SEATS = 6


class LamaOptions(Options, frozen=True):
    """The options, defaults first.

    Attributes:
        limit: The points that end the game as soon as a seat holds them after a round; ``single`` is a game of
            one round.
        next_starter: M20: who starts the next round. ``last_played``: the last seat that laid a card;
            ``last_acted``: the last seat that did anything. They differ only when everybody has quit.
        first: M34: who starts the first round. The youngest, says the booklet: so the table may name the seat;
            ``random`` draws it from the match's sealed seed.
    """

    limit: Literal[40, "single"] = 40
    next_starter: Literal["last_played", "last_acted"] = "last_played"
    first: Literal["random"] | Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)] = "random"

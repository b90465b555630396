"""A table's choices for L.A.M.A."""

from typing import Annotated, Literal

import msgspec

from domain.games.contract import Options

FEWEST_SEATS = 2
MOST_SEATS = 6


class LamaOptions(Options, frozen=True):
    """The options, defaults first.

    Attributes:
        limit: The game ends after a round in which a seat reaches this many points; ``single`` is a game of one
            round.
        next_starter: M20: who starts the next round. ``last_played``: the last seat that played a card;
            ``last_acted``: the last seat that did anything. They differ only if everybody quit.
        first: M34: who starts the first round. The booklet says the youngest, so the table may name the seat;
            ``random`` draws it from the match's sealed seed.
    """

    limit: Literal[40, "single"] = 40
    next_starter: Literal["last_played", "last_acted"] = "last_played"
    first: Literal["random"] | Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)] = "random"

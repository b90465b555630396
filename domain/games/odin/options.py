"""A table's choices for Odin."""

from typing import Annotated, Literal

import msgspec

from domain.games.contract import Options

Limit = Literal[15, 10, 20, "single"]
"""The total at which a match ends, the default first; ``single`` is one round (O32)."""

First = Literal["random"] | Annotated[int, msgspec.Meta(ge=0)]
"""Who starts the first round: a drawn seat, or the seat with this number (O29)."""


class OdinOptions(Options, frozen=True):
    """The options, defaults first.

    Attributes:
        limit: The total at which the match ends, tested after each round; ``single`` plays one round.
        first: Who starts the first round.
    """

    limit: Limit = 15
    first: First = "random"

"""A table's choices for Skyjo. The base game has no option; playing a single round is a house option."""

from typing import Literal

from domain.games.contract import Options

Limit = Literal[100, "single"]


class SkyjoOptions(Options, frozen=True):
    """The options, defaults first.

    Attributes:
        limit: The total at which the match ends, tested after each round (K25); ``single`` plays one round.
    """

    limit: Limit = 100

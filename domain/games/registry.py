"""Which games there are, by key and rules number. The one file that a new game touches."""

from collections.abc import Mapping
from typing import cast

from domain.games.contract import AnyGame
from domain.games.lama.game import Lama
from domain.games.odin.game import Odin
from domain.games.skyjo.game import Skyjo

# The cast erases a game's own types: from here on the match hands a game only states, events and moves
# that came from this same game.
_GAMES: tuple[AnyGame, ...] = (cast("AnyGame", Lama()), cast("AnyGame", Odin()), cast("AnyGame", Skyjo()))

GAMES: Mapping[tuple[str, int], AnyGame] = {(game.key, game.rules_number): game for game in _GAMES}

CURRENT: Mapping[str, AnyGame] = {
    game.key: game for game in sorted(_GAMES, key=lambda game: game.rules_number)
}
"""The rules number that new matches of each game take."""

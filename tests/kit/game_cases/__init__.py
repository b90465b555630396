"""What holds for every game, as tests that a game's own tests import.

::

    from tests.kit.game_cases import GameCases

    class TestWhist(GameCases):
        game = Whist()

That runs the whole suite over the game: contract, cards, legal moves, chance, secrecy, bot, words and pages. What the
class says beside its game makes the suite stricter; see :class:`tests.kit.game_cases.matches.Cases`.
"""

from tests.kit.game_cases.playing import PlayingCases
from tests.kit.game_cases.secrecy import SecrecyCases
from tests.kit.game_cases.surface import SurfaceCases


class GameCases(PlayingCases, SecrecyCases, SurfaceCases):
    """All cases."""

"""Every game that is registered has its cases (see :mod:`tests.kit.game_cases`), wherever its tests are."""

from collections.abc import Iterator
from importlib import import_module

from domain.viewers import seat_viewer
from tests.kit.cards import check_cards
from tests.kit.checkout import ROOT
from tests.kit.game_cases import GameCases
from tests.kit.game_cases.matches import FIRST_CHANCE, fold
from tests.kit.games import every_game


def kinds(kind: type[GameCases]) -> Iterator[type[GameCases]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds(one)


@every_game
def test_it_has_its_cases(game):
    for path in ROOT.glob("tests/**/test_cases.py"):
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    found = [kind for kind in kinds(GameCases) if kind.game is game]
    assert found, f"{game.key} has no class of GameCases under rules {game.rules_number}"


@every_game
def test_a_first_deal_is_made_up_behind_a_seats_view(game):
    state = game.initial(game.options_type(), game.seats[0])
    dealt = fold(game, state, game.start(state, FIRST_CHANCE))
    for one in (state, dealt):
        seen = game.view(one, seat_viewer(0))
        made_up = game.sample(seen, 0, FIRST_CHANCE)
        assert game.view(made_up, seat_viewer(0)) == seen
        check_cards(game, made_up)
    seat = game.to_act(dealt)[0]
    assert game.fallback(dealt, seat) in game.expand(game.legal_moves(dealt, seat))
    known = game.knows(dealt, seat_viewer(seat))
    assert [game.name_of(game.redeal(dealt, seat, FIRST_CHANCE), card) for card in known] == [
        game.name_of(dealt, card) for card in known
    ]

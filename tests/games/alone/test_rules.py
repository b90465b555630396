"""The rules of Alone at the Top that are its own."""

from tests.games.alone.cards import winner_of


def test_the_highest_card_that_nobody_else_laid_wins():
    assert winner_of((40, 120, 90)) == 1
    assert winner_of((120, 120, 90, 10)) == 2
    assert winner_of((30, 30)) is None

"""A card's numeral stays on the card, and is underlined where its game says so."""

import re

import pytest

from api.pages.drawing import card_html
from api.pages.games import page_of
from api.pages.static_files import static_files
from api.pages.table_pages import styles_of
from domain.games.registry import CURRENT

NUMERAL = re.compile(r"<text[^>]*>([^<]*)</text>").search
CARDS = [(game, card) for game in sorted(CURRENT) for card in dict.fromkeys(CURRENT[game].cards)]


def is_squeezed(drawn: str) -> bool:
    return 'textLength="48" lengthAdjust="spacingAndGlyphs"' in drawn


@pytest.mark.parametrize(("game", "card"), CARDS)
def test_a_numeral_of_three_characters_is_squeezed_into_the_card(game, card):
    drawn = str(card_html(game, card, "en"))
    numeral = NUMERAL(drawn)
    assert numeral is not None
    assert is_squeezed(drawn) == (len(numeral[1]) > 2)


def test_such_cards_exist():
    assert is_squeezed(str(card_html("alone", 120, "en")))
    assert not is_squeezed(str(card_html("alone", 90, "en")))


def test_six_and_nine_are_underlined_where_a_game_has_both():
    for game, card, underlined in (
        ("odin", "R6", True),
        ("odin", "R9", True),
        ("odin", "R8", False),
        ("skyjo", 9, True),
        ("skyjo", -2, False),
        ("lama", "6", True),
        ("alone", 60, False),
    ):
        assert ("under" in str(card_html(game, card, "en")).split('"')[1].split()) == underlined, (game, card)


@pytest.mark.parametrize(("game", "card"), CARDS)
def test_the_style_sheet_knows_every_tone(game, card):
    styles = b"".join(static_files()[name].content for name in styles_of(game)).decode()
    for tone in page_of(game).face(card, "en").tone.split():
        assert re.search(rf"\.{tone}\b", styles), tone

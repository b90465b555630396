"""Texts as they are said: what is put in does not spoil how they are written."""

from services.words.numbers import decimal
from services.words.phrases import counted, phrase, words_in


def test_a_name_that_ends_with_a_full_stop_brings_it_along():
    words = words_in("en")
    assert words.say(phrase("It lets you in as {name}."), name="Zoé B.") == "It lets you in as Zoé B."
    assert words.say(phrase("{name}: {said}"), name="Zoé B.", said="No.") == "Zoé B.: No."


def test_numbers_below_zero_have_a_minus_sign_and_french_ones_a_comma():
    points = counted("{points} point", "{points} points", "points")
    assert words_in("en").say(points, points=-1) == "\N{MINUS SIGN}1 point"
    assert words_in("en").say(points, points=-2) == "\N{MINUS SIGN}2 points"
    assert (decimal(25.5, "en"), decimal(25.5, "fr"), decimal(8.0, "fr")) == ("25.5", "25,5", "8")

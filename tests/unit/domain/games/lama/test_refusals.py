"""Refusals: stable codes, each with the arguments that its sentence needs."""

import pytest

from domain.errors import Refused
from domain.games.lama import refusals

CODES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("card_not_in_hand", ("card",)),
    ("lama.cannot_draw_alone", ()),
    ("lama.card_not_playable", ("card", "top", "playable")),
    ("lama.chip_before_last_card", ("chip", "cards_left")),
    ("lama.chip_not_held", ("chip", "total", "chips")),
    ("lama.first_not_a_seat", ("first", "seats")),
    ("lama.no_return_asked", ()),
    ("lama.pile_empty", ()),
    ("lama.return_asked", ("chips",)),
    ("lama.seats_out_of_range", ("seats", "fewest", "most")),
)
"""Every code of the game's own, with the names of its arguments."""

EXAMPLES = (
    refusals.card_not_in_hand("4"),
    refusals.cannot_draw_alone(),
    refusals.card_not_playable("4", "6"),
    refusals.chip_before_last_card("white", 2),
    refusals.chip_not_held("black", 9, ("white", "none")),
    refusals.first_not_a_seat(5, 3),
    refusals.no_return_asked(),
    refusals.pile_empty(),
    refusals.return_asked(("white", "none")),
    refusals.seats_out_of_range(7, 2, 6),
)


def test_all_codes_are_listed_with_their_arguments():
    assert {(refusal.code, tuple(refusal.arguments)) for refusal in EXAMPLES} == set(CODES)


@pytest.mark.parametrize("refusal", EXAMPLES, ids=lambda refusal: refusal.code)
def test_every_refusal_names_a_rule(refusal: Refused):
    assert refusal.rule


def test_codes_are_listed_once():
    codes = [code for code, _ in CODES]

    assert len(codes) == len(set(codes)) == len(EXAMPLES)

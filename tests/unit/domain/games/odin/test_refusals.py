"""Every refusal: its code, the rule it names, and what a sentence about it needs."""

import pytest

from domain.errors import NotAsked, Refused
from domain.games.odin.moves import OdinMove, Play
from domain.games.odin.options import OdinOptions
from domain.games.odin.state import OdinState
from tests.unit.domain.games.odin.arrange import GAME, PASS, given, play, refusal

CODES = (
    # code, rule, arguments
    ("card_not_in_hand", "1.A", ("card",)),
    ("odin.no_cards", "1.A", ()),
    ("odin.repeated_card", "1.A", ("card",)),
    ("odin.lead_one_card", "O7", ("played", "hand")),
    ("odin.wrong_count", "O1", ("played", "fewest", "most")),
    ("odin.mixed_set", "O6", ("cards",)),
    ("odin.value_not_higher", "O3", ("cards", "value", "centre", "to_beat")),
    ("odin.take_required", "O13", ("choices",)),
    ("odin.take_not_in_centre", "O13", ("card", "choices")),
    ("odin.take_when_leading", "O15", ("card",)),
    ("odin.take_when_going_out", "O12", ("card",)),
    ("odin.cannot_pass_when_leading", "O16", ()),
    ("odin.first_is_no_seat", "O29", ("first", "seats")),
    ("odin.wrong_number_of_seats", "O33", ("seats", "fewest", "most")),
)
"""Every code with its rule and the names of its arguments. ``not_your_turn`` is shared by all games."""

LEADING = given("R1 R2 B5", "Y1")
FOLLOWING = given("B5 B6 B7 V4 G1", "Y1", centre="R8 R2")
LAST_TWO = given("B9 V9", "Y1", centre="R8 R2")

CASES: list[tuple[OdinState, OdinMove, str, str, dict[str, object]]] = [
    (LEADING, Play(()), "odin.no_cards", "1.A", {}),
    (LEADING, play("R1 R1"), "odin.repeated_card", "1.A", {"card": "R1"}),
    (LEADING, play("Y1"), "card_not_in_hand", "1.A", {"card": "Y1"}),
    (LEADING, play("R1 R2"), "odin.lead_one_card", "O7", {"played": 2, "hand": 3}),
    (LEADING, play("R1 R2 B5"), "odin.mixed_set", "O6", {"cards": ("R1", "R2", "B5")}),
    (LEADING, play("R1", "Y1"), "odin.take_when_leading", "O15", {"card": "Y1"}),
    (LEADING, PASS, "odin.cannot_pass_when_leading", "O16", {}),
    (FOLLOWING, play("B5"), "odin.wrong_count", "O1", {"played": 1, "fewest": 2, "most": 3}),
    (FOLLOWING, play("B5 V4"), "odin.mixed_set", "O6", {"cards": ("B5", "V4")}),
    (
        FOLLOWING,
        play("B6 B7", "R8"),
        "odin.value_not_higher",
        "O3",
        {"cards": ("B6", "B7"), "value": 76, "centre": ("R8", "R2"), "to_beat": 82},
    ),
    (FOLLOWING, play("B5 B6 B7"), "odin.take_required", "O13", {"choices": ("R8", "R2")}),
    (
        FOLLOWING,
        play("B5 B6 B7", "B5"),
        "odin.take_not_in_centre",
        "O13",
        {"card": "B5", "choices": ("R8", "R2")},
    ),
    (LAST_TWO, play("B9 V9", "R8"), "odin.take_when_going_out", "O12", {"card": "R8"}),
]


@pytest.mark.parametrize(
    ("state", "move", "code", "rule", "arguments"), CASES, ids=[case[2] for case in CASES]
)
def test_a_refused_move_names_its_cause(
    state: OdinState, move: OdinMove, code: str, rule: str, arguments: dict[str, object]
):
    refused = refusal(state, move)

    assert refused is not None
    assert (refused.code, refused.rule, refused.arguments) == (code, rule, arguments)


def test_every_code_is_listed_with_its_rule_and_arguments():
    listed = {(code, rule, arguments) for code, rule, arguments in CODES}
    seen = {(code, rule, tuple(arguments)) for _, _, code, rule, arguments in CASES}
    for options, seats in ((OdinOptions(first=5), 3), (OdinOptions(), 9)):
        with pytest.raises(Refused) as refused:
            GAME.initial(options, seats)
        seen.add((refused.value.code, refused.value.rule, tuple(refused.value.arguments)))

    assert listed == seen
    assert len(CODES) == len({code for code, _, _ in CODES})


def test_a_seat_that_is_not_asked_is_told_who_is():
    refused = refusal(LEADING, play("Y1"), seat=1)

    assert isinstance(refused, NotAsked)
    assert refused.arguments == {"seat": 1, "to_act": (0,)}


def test_nobody_is_asked_before_the_start():
    refused = refusal(GAME.initial(OdinOptions(), 2), PASS, seat=0)

    assert isinstance(refused, NotAsked)
    assert refused.arguments == {"seat": 0, "to_act": ()}

"""Every refusal: its code, the rule, and what its sentence needs."""

import pytest

from domain.errors import NotAsked, Refused
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.options import SkyjoOptions
from domain.games.skyjo.state import SkyjoState
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, given, new_round, refused, when

CODES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("skyjo.drawn_card_first", ()),
    ("skyjo.flip_needs_hidden", ("slot", "hidden")),
    ("skyjo.no_such_slot", ("slot", "remaining")),
    ("skyjo.nothing_drawn", ()),
    ("skyjo.reveal_count", ("count", "left")),
    ("skyjo.reveal_first", ("left",)),
    ("skyjo.reveal_needs_hidden", ("slot", "hidden")),
    ("skyjo.reveal_over", ()),
    ("skyjo.reveal_same_slot", ("slot",)),
    ("skyjo.seats_out_of_range", ("seats", "fewest", "most")),
    ("skyjo.slot_gone", ("slot", "remaining")),
)
"""Every code of the game's own, with the names of its arguments."""

REVEALING = when(new_round(2), 0, Reveal((4,))).state
PLAYING = given("9 (8) 7 | gone | (1) 2 (3) | 1 2 3", "1 2 3", discard="0")
PLACING = given("9 (8) 7 | gone | (1) 2 (3) | 1 2 3", "1 2 3", discard="0", drawn=5)
REMAINING = (0, 1, 2, 6, 7, 8, 9, 10, 11)
ALL = tuple(range(12))
NOT_FOUR = tuple(slot for slot in ALL if slot != 4)

CASES: tuple[tuple[SkyjoState, SkyjoMove, str, str, dict[str, object]], ...] = (
    (REVEALING, Draw(), "skyjo.reveal_first", "K4", {"left": 1}),
    (REVEALING, Take(0), "skyjo.reveal_first", "K4", {"left": 1}),
    (REVEALING, Reveal(()), "skyjo.reveal_count", "K4", {"count": 0, "left": 1}),
    (REVEALING, Reveal((0, 1)), "skyjo.reveal_count", "K4", {"count": 2, "left": 1}),
    (new_round(2), Reveal((0, 1, 2)), "skyjo.reveal_count", "K4", {"count": 3, "left": 2}),
    (new_round(2), Reveal((3, 3)), "skyjo.reveal_same_slot", "K4", {"slot": 3}),
    (new_round(2), Reveal((3, 12)), "skyjo.no_such_slot", "K30", {"slot": 12, "remaining": ALL}),
    (REVEALING, Reveal((4,)), "skyjo.reveal_needs_hidden", "K4", {"slot": 4, "hidden": NOT_FOUR}),
    (REVEALING, Reveal((-1,)), "skyjo.no_such_slot", "K30", {"slot": -1, "remaining": ALL}),
    (PLAYING, Reveal((1,)), "skyjo.reveal_over", "K4", {}),
    (PLAYING, Swap(0), "skyjo.nothing_drawn", "K7", {}),
    (PLAYING, Flip(1), "skyjo.nothing_drawn", "K7", {}),
    (PLAYING, Take(12), "skyjo.no_such_slot", "K30", {"slot": 12, "remaining": REMAINING}),
    (PLAYING, Take(-1), "skyjo.no_such_slot", "K30", {"slot": -1, "remaining": REMAINING}),
    (PLAYING, Take(4), "skyjo.slot_gone", "K30", {"slot": 4, "remaining": REMAINING}),
    (PLACING, Reveal((1,)), "skyjo.reveal_over", "K4", {}),
    (PLACING, Take(0), "skyjo.drawn_card_first", "K7", {}),
    (PLACING, Draw(), "skyjo.drawn_card_first", "K7", {}),
    (PLACING, Swap(99), "skyjo.no_such_slot", "K30", {"slot": 99, "remaining": REMAINING}),
    (PLACING, Swap(5), "skyjo.slot_gone", "K30", {"slot": 5, "remaining": REMAINING}),
    (PLACING, Flip(3), "skyjo.slot_gone", "K30", {"slot": 3, "remaining": REMAINING}),
    (PLACING, Flip(0), "skyjo.flip_needs_hidden", "K7", {"slot": 0, "hidden": (1, 6, 8)}),
)


@pytest.mark.parametrize(("state", "move", "code", "rule", "arguments"), CASES)
def test_a_refusal_names_its_cause_its_rule_and_what_would_be_right(
    state: SkyjoState, move: SkyjoMove, code: str, rule: str, arguments: dict[str, object]
) -> None:
    refusal = refused(state, 0, move)

    assert (refusal.code, refusal.rule, refusal.arguments) == (code, rule, arguments)


def test_every_code_is_listed_with_its_arguments() -> None:
    with pytest.raises(Refused) as seats:
        GAME.initial(SkyjoOptions(), 9)
    found = {code: tuple(arguments) for _, _, code, _, arguments in CASES}
    found[seats.value.code] = tuple(seats.value.arguments)

    assert dict(CODES) == found
    assert len(CODES) == len(found)


def test_a_seat_that_is_not_asked_is_told_who_is() -> None:
    with pytest.raises(NotAsked) as caught:
        GAME.decide(PLAYING, 1, Draw(), CHANCE)

    assert caught.value.arguments == {"seat": 1, "to_act": (0,)}

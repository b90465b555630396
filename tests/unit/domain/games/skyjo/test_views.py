"""What viewers see and know, what they do not, and full states drawn to fit what they see."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import HealthCheck, given, settings

from domain.errors import Refused
from domain.games.skyjo.cards import CARDS
from domain.games.skyjo.events import SkyjoEvent
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.options import SkyjoOptions
from domain.games.skyjo.state import SkyjoState
from domain.games.skyjo.view import SkyjoView
from domain.sealing import redact, seal
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import (
    CHANCE,
    GAME,
    all_faces,
    hidden_otherwise,
    new_round,
    when,
)
from tests.unit.domain.games.skyjo.playing import SEEDS, Step, chance_of, matches

look_through = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))

TABLE = arrange.given(
    "9 (8) 7 | gone | gone | 1 (2) 3",
    "(4) 5 6 | gone | gone | gone",
    discard="0 11",
    pile="-2 -1",
    drawn=12,
    closer=1,
    totals=(3, -4),
    idle_turns=1,
)
OPEN = (
    '{"phase":"play","limit":100,"round":1,"turn":0,"starter":0,"closer":1,"turns_to_stall":23,'
    '"boards":[[9,null,7,"gone","gone","gone","gone","gone","gone",1,null,3],'
    '[null,5,6,"gone","gone","gone","gone","gone","gone","gone","gone","gone"]],'
    '"top":11,"discard":[0,11],"pile_size":2,"totals":[3,-4],"sheet":[],'
)


def json_of(value: object) -> str:
    return msgspec.json.encode(value).decode()


def viewers(state: SkyjoState) -> list[Viewer]:
    return [SPECTATOR, *(seat_viewer(seat) for seat in range(state.seats))]


def test_a_view_is_written_as_the_specification_says() -> None:
    assert json_of(GAME.view(TABLE, seat_viewer(0))) == OPEN + '"faces":null,"pile":null,"drawn":12}'
    assert json_of(GAME.view(TABLE, seat_viewer(1))) == OPEN + '"faces":null,"pile":null,"drawn":null}'
    assert json_of(GAME.view(TABLE, SPECTATOR)) == OPEN + '"faces":null,"pile":null,"drawn":null}'


def test_who_sees_everything_sees_the_faces_and_the_pile() -> None:
    view = GAME.view(TABLE, EVERYTHING)

    assert view.boards == GAME.view(TABLE, SPECTATOR).boards
    assert view.faces is not None
    assert view.faces[0] == (9, 8, 7, *("gone",) * 6, 1, 2, 3)
    assert view.pile == (-2, -1)
    assert view.drawn == 12
    assert GAME.view(TABLE, Viewer(1, everything=True)) == view


def test_views_before_the_deal_and_in_the_first_flips_and_at_the_end() -> None:
    waiting = GAME.initial(SkyjoOptions(limit="single"), 2)
    view = GAME.view(waiting, seat_viewer(0))
    assert (view.phase, view.boards, view.top, view.pile_size) == ("waiting", (), None, 0)
    assert GAME.to_act(waiting) == ()
    assert GAME.legal_moves(waiting, 0) is None
    assert GAME.knows(waiting, EVERYTHING) == frozenset()

    state = new_round(2)
    assert GAME.view(state, seat_viewer(0)).phase == "reveal"
    for seat in range(2):
        state = when(state, seat, Reveal((0, 1))).state
    assert GAME.view(state, seat_viewer(0)).phase == "play"

    closing = arrange.given(
        "1 2 3 | gone | gone | gone",
        "3 (5) 1 | gone | gone | gone",
        discard="3",
        turn=1,
        closer=0,
        limit="single",
    )
    view = GAME.view(when(closing, 1, Take(0)).state, seat_viewer(0))
    assert (view.phase, view.turn, view.closer) == ("over", None, 0)
    assert view.boards[1][:3] == (3, 5, 1)
    assert view.sheet == ((6, 9),)


def test_a_player_knows_what_lies_open_and_what_he_drew() -> None:
    open_cards = {(1, place) for place in (0, 1, 2, 4, 5, 7, 9, 10)}

    assert GAME.knows(TABLE, SPECTATOR) == GAME.knows(TABLE, seat_viewer(1)) == open_cards
    assert GAME.knows(TABLE, seat_viewer(0)) == open_cards | {(1, 11)}
    assert GAME.knows(TABLE, EVERYTHING) == {(1, place) for place in range(14)}


def test_an_exchange_of_open_cards_teaches_nobody_anything() -> None:
    state = arrange.given("9 (8) 7", "1 2 3", discard="4")

    after = when(state, 0, Take(0)).state

    for viewer in (*viewers(state), EVERYTHING):
        assert GAME.knows(after, viewer) == GAME.knows(state, viewer)


def test_turned_replaced_and_drawn_cards_teach_somebody_something() -> None:
    state = arrange.given("9 (8) 7", "1 2 3", discard="4")
    drawn = when(state, 0, Draw()).state
    mover = seat_viewer(0)

    assert len(GAME.knows(drawn, mover) - GAME.knows(state, mover)) == 1
    assert GAME.knows(drawn, SPECTATOR) == GAME.knows(state, SPECTATOR)
    for move in (Flip(1), Swap(1)):
        after = when(drawn, 0, move).state
        assert len(GAME.knows(after, SPECTATOR) - GAME.knows(drawn, mover)) == 1
    assert len(GAME.knows(when(drawn, 0, Swap(0)).state, SPECTATOR) - GAME.knows(drawn, SPECTATOR)) == 1


def test_a_new_round_is_of_new_cards() -> None:
    state = arrange.given(
        "1 2 3 | gone | gone | gone", "3 (5) 1 | gone | gone | gone", discard="3", turn=1, closer=0, deals=3
    )

    after = when(state, 1, Take(0)).state

    assert GAME.knows(after, SPECTATOR) == {(4, 24)}
    assert {deal for deal, _ in GAME.knows(after, EVERYTHING)} == {4}


@look_through
@given(matches())
def test_what_is_open_is_what_a_viewer_knows(steps: Iterator[Step]) -> None:
    for step in steps:
        state = step.after
        assert len(GAME.knows(state, EVERYTHING)) == len(CARDS)
        for viewer in viewers(state)[:3]:
            view = GAME.view(state, viewer)
            seen = sum(isinstance(cell, int) for cells in view.boards for cell in cells)
            seen += len(view.discard) + isinstance(view.drawn, int)
            assert len(GAME.knows(state, viewer)) == seen
            assert (view.faces, view.pile) == (None, None)


@look_through
@given(matches(), SEEDS)
def test_no_viewer_can_tell_two_tables_apart_that_differ_in_hidden_cards(
    steps: Iterator[Step], seed: int
) -> None:
    random = Random(seed)
    for step in steps:
        state = step.after
        viewer = random.choice(viewers(state))
        other = hidden_otherwise(state, viewer, random)
        assert json_of(GAME.view(state, viewer)) == json_of(GAME.view(other, viewer))
        if viewer.seat is None:
            continue
        assert json_of(GAME.legal_moves(state, viewer.seat)) == json_of(GAME.legal_moves(other, viewer.seat))
        for move in (Draw(), Take(0), Take(12), Swap(3), Flip(6), Reveal((0,)), Reveal((1, 1))):
            assert refusal(state, viewer.seat, move) == refusal(other, viewer.seat, move)


def refusal(state: SkyjoState, seat: int, move: SkyjoMove) -> str | None:
    try:
        GAME.decide(state, seat, move, CHANCE)
    except Refused as refused:
        return json_of((refused.code, refused.rule, dict(refused.arguments)))
    return None


@look_through
@given(matches(), SEEDS)
def test_moves_that_turn_nothing_tell_others_nothing(steps: Iterator[Step], seed: int) -> None:
    random = Random(seed)
    for step in steps:
        state = step.after
        if state.turn is None or state.drawn is not None:
            continue
        viewer = seat_viewer((state.turn + 1) % state.seats)
        other = hidden_otherwise(state, viewer, random)
        visible = [
            slot
            for slot in range(12)
            if GAME.view(state, viewer).boards[state.turn][slot] not in (None, "gone")
        ]
        moves: list[SkyjoMove] = [Draw(), *(Take(slot) for slot in visible)]
        for move in moves:
            events = GAME.decide(state, state.turn, move, CHANCE)
            if "BoardsRevealed" not in {type(event).__name__ for event in events}:
                others = GAME.decide(other, state.turn, move, CHANCE)
                assert [shown(event, viewer) for event in events] == [
                    shown(event, viewer) for event in others
                ]


def shown(event: SkyjoEvent, viewer: Viewer) -> str:
    public, openings = seal(event, 1, CHANCE.seed)
    for name in event.SEALED:
        public[name] = "commitment"
    return type(event).__name__ + json_of(public) + json_of(redact(openings, viewer))


@look_through
@given(matches(), SEEDS)
def test_a_sample_agrees_with_the_view(steps: Iterator[Step], seed: int) -> None:
    for number, step in enumerate(steps):
        if number % 4:
            continue
        state = step.after
        for seat in {number // 4 % state.seats, *GAME.to_act(state)[:1]}:
            view = GAME.view(state, seat_viewer(seat))
            sample = GAME.sample(view, seat, chance_of(seed + number))
            assert GAME.view(sample, seat_viewer(seat)) == view
            assert GAME.to_act(sample) == GAME.to_act(state)
            assert GAME.legal_moves(sample, seat) == GAME.legal_moves(state, seat)
            assert all_faces(sample) == Counter(CARDS)


def test_a_sample_before_the_deal_agrees_with_the_view() -> None:
    view = GAME.view(GAME.initial(SkyjoOptions(limit="single"), 3), seat_viewer(0))

    assert GAME.view(GAME.sample(view, 0, CHANCE), seat_viewer(0)) == view


def test_samples_differ_and_can_be_played_to_the_end() -> None:
    state = new_round(3)
    for seat in range(3):
        state = when(state, seat, Reveal((0, 1))).state
    view = GAME.view(state, seat_viewer(1))
    first, second = (GAME.sample(view, 1, chance_of(seed)) for seed in (1, 2))
    assert first != second

    while not GAME.is_over(first):
        (seat, *_) = GAME.to_act(first)
        first = when(first, seat, GAME.fallback(first, seat)).state
    assert max(first.totals) >= 100


def test_a_view_can_be_read_back() -> None:
    view = GAME.view(TABLE, seat_viewer(1))

    assert msgspec.json.decode(msgspec.json.encode(view), type=SkyjoView) == view

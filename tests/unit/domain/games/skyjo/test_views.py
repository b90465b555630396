"""What viewers see and know."""

import msgspec

from domain.games.skyjo.moves import Draw, Flip, Reveal, Swap, Take
from domain.games.skyjo.options import SkyjoOptions
from domain.games.skyjo.state import SkyjoState
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round, when

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


def test_a_table_is_made_up_behind_the_view_of_who_drew_and_of_who_did_not() -> None:
    table = arrange.given("9 (8) 7 | gone | gone | 1 (2) 3", "(4) 5 6", drawn=12)

    for seat in range(2):
        view = GAME.view(table, seat_viewer(seat))

        assert GAME.view(GAME.sample(view, seat, CHANCE), seat_viewer(seat)) == view

"""The table around the game's own view."""

import msgspec
import pytest

from domain.match.commands import AbandonMatch, HandSeatToBot, ResignSeat
from domain.match.fold import beginning
from domain.match.view import MatchView, match_view, viewer_of
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.kit.games import every_game
from tests.kit.instants import NOON, at
from tests.kit.table import SEED, Table, gathered, nonce_hash_of, nonce_of, started


def seen(table: Table, seat: int | None = None) -> MatchView:
    return match_view(table.position, viewer_of(table.state, seat))


def test_a_match_without_events_has_no_view():
    with pytest.raises(ValueError, match="m1"):
        match_view(beginning("m1"), SPECTATOR)


def test_while_people_gather_there_are_seats_and_no_game():
    view = seen(gathered("lama", 3, bots=1, nonces=True), 0)
    assert (view.lifecycle.phase, view.game, view.legal, view.to_act, view.asked_at) == (
        "gathering",
        None,
        None,
        (),
        None,
    )
    assert [(seat.seat, seat.kind, seat.player, seat.ready) for seat in view.seats] == [
        (0, "person", "player-0", True),
        (1, "person", "player-1", True),
        (2, "bot", "bot-2", True),
    ]
    assert [seat.nonce for seat in view.seats] == [nonce_of(0), nonce_of(1), ""]
    assert view.seats[1].nonce_hash == nonce_hash_of(1)


@every_game
def test_it_names_the_match_its_version_its_head_and_its_last_instant(game):
    table = started(game, 2)
    table.now = at(9)
    view = seen(table.move(table.to_act[0]))
    assert (view.match, view.version, view.head, view.at) == (
        "m1",
        len(table.entries),
        table.entries[-1].h.hex(),
        at(9),
    )
    assert view.terms == table.state.terms


@every_game
def test_who_is_asked_gets_his_legal_moves_and_the_version_at_which_he_was_asked(game):
    table = started(game, 3)
    for seat in range(3):
        view = seen(table, seat)
        assert view.viewer == seat
        assert view.to_act == table.to_act
        if seat in table.to_act:
            assert view.asked_at == table.state.asked_at[seat]
            assert view.legal == game.legal_moves(table.present, seat)
        else:
            assert view.asked_at is None
            assert view.legal is None


@every_game
def test_a_spectator_gets_nobodys_legal_moves(game):
    view = seen(started(game, 3))
    assert (view.viewer, view.legal, view.asked_at) == (None, None, None)
    assert view.game == game.view(started(game, 3).present, SPECTATOR)


@every_game
def test_everybody_sees_until_when_seats_have_time(game):
    table = started(game, 3, per_turn=60)
    expected = {str(seat): at(60) for seat in table.to_act}
    assert seen(table).deadlines == seen(table, 0).deadlines == expected
    assert seen(started(game, 3)).deadlines == {}


@every_game
def test_while_it_runs_the_seed_is_shown_to_nobody_and_afterwards_to_everybody(game):
    table = started(game, 3)
    for seat in (None, 0, 1, 2):
        assert seen(table, seat).seed is None
        assert SEED.encode() not in msgspec.json.encode(seen(table, seat))
    table.when(AbandonMatch("tired"))
    for seat in (None, 0, 1, 2):
        assert seen(table, seat).seed == SEED


@every_game
def test_once_it_is_over_everybody_sees_everything(game):
    table = started(game, 3)
    assert viewer_of(table.state, 1) == seat_viewer(1)
    assert viewer_of(table.state, None) == SPECTATOR
    table.when(AbandonMatch("tired"))
    assert viewer_of(table.state, 1) == Viewer(1, everything=True)
    assert viewer_of(table.state, None) == EVERYTHING
    assert seen(table).game == seen(table, 1).game == game.view(table.present, EVERYTHING)


def test_it_says_who_left_and_for_whom_a_bot_plays():
    view = seen(started("lama", 3).when(HandSeatToBot(0)).when(ResignSeat(1)))
    assert [(seat.stand_in, seat.resigned) for seat in view.seats] == [
        (True, False),
        (True, True),
        (False, False),
    ]
    assert [seat.level for seat in view.seats] == ["steady", "steady", ""]


@every_game
def test_it_is_json(game):
    table = started(game, 2, per_turn=60)
    plain = msgspec.json.decode(msgspec.json.encode(seen(table, table.to_act[0])))
    assert plain["at"] == NOON
    assert plain["seats"][0]["player"] == "player-0"
    assert msgspec.convert(plain["game"], game.view_type) == seen(table, table.to_act[0]).game
    assert msgspec.convert(plain["legal"], game.legal_type) == seen(table, table.to_act[0]).legal

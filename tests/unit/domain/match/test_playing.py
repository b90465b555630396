"""Moves of the game, as far as they are the match's business."""

from domain.chance import Chance
from domain.errors import NotAsked
from domain.match.commands import PlayMove
from domain.match.events import MatchFinished
from tests.kit.games import every_game, every_game_played_by_turns
from tests.kit.options import shortest
from tests.kit.table import Table, gathered, started


def other_seat(table: Table) -> int:
    """Return a seat that is not asked; Skyjo asks all seats at first."""
    while len(table.to_act) == len(table.state.seats):
        table.move(table.to_act[0])
    return next(seat for seat in range(len(table.state.seats)) if seat not in table.to_act)


@every_game
def test_a_move_causes_what_the_game_decides(game):
    table = started(game, 3)
    seat = table.to_act[0]
    move = table.legal(seat)[0]
    expected = game.decide(table.present, seat, move, Chance(table.seed, ("",) * 3))
    table.when(PlayMove(seat, move)).then(*expected)
    after = started(game, 3).present
    for event in expected:
        after = game.evolve(after, event)
    assert table.present == after


@every_game_played_by_turns
def test_a_seat_that_is_not_asked_is_told_who_is(game):
    table = started(game, 3)
    seat = other_seat(table)
    move = table.legal(table.to_act[0])[0]
    table.when(PlayMove(seat, move)).refused("not_your_turn", seat=seat, to_act=table.to_act)
    assert isinstance(table.refusal, NotAsked)


@every_game
def test_nobody_moves_for_a_seat_that_the_table_does_not_have(game):
    table = started(game, 3)
    move = table.legal(table.to_act[0])[0]
    for seat in (-1, 3):
        table.when(PlayMove(seat, move)).refused("seat.unknown", seat=seat, seats=3)


@every_game
def test_nobody_moves_before_the_start(game):
    move = started(game, 2).legal(started(game, 2).to_act[0])[0]
    gathered(game, 2).when(PlayMove(0, move)).refused("match.not_started")
    Table().when(PlayMove(0, move)).refused("match.not_started")


@every_game
def test_a_refused_move_leaves_everything_as_it_was(game):
    table = started(game, 3)
    seat = other_seat(table)
    before, entries = table.position, list(table.entries)
    table.when(PlayMove(seat, table.legal(table.to_act[0])[0]))
    assert table.refusal is not None
    assert (table.position, table.entries) == (before, entries)


@every_game
def test_the_move_that_ends_the_game_ends_the_match_with_its_result(game):
    table = started(game, 3, options=shortest(game))
    while table.state.lifecycle.phase == "playing":
        seat = table.to_act[0]
        table.move(seat, game.fallback(table.present, seat))
    last = table.happened[-1]
    standing = game.standing(table.present)
    assert last == MatchFinished(standing.ranking, standing.totals, standing.stalled)
    assert game.is_over(table.present)
    lifecycle = table.state.lifecycle
    assert (lifecycle.phase, lifecycle.ranking, lifecycle.totals) == ("finished", last.ranking, last.totals)
    assert table.to_act == ()
    assert sorted(seat for group in last.ranking for seat in group) == [0, 1, 2]

"""Taking turns back and stepping forward again, by the table's policy."""

from random import Random

import pytest

from domain.games.lama.moves import Draw
from domain.games.odin.moves import Pass
from domain.games.skyjo.moves import Reveal
from domain.match.clock import NOT_ASKED
from domain.match.commands import HandSeatToBot, ReclaimSeat, RedoMove, ResignSeat, UndoMove
from domain.match.events import MoveRedone, MoveUndone, RequestLapsed, RequestMade
from domain.match.hashing import state_hash
from domain.match.state import Past
from tests.kit.games import every_game
from tests.kit.instants import at
from tests.kit.play import Player
from tests.kit.table import Table, started

UNDO = "k-undo"


def led(undo: str, seats: int = 3, **how) -> tuple[Table, int]:
    """Return a table of Odin whose first leader has laid a card, and that leader."""
    table = started("odin", seats, undo=undo, **how)
    leader = table.to_act[0]
    return table.move(leader), leader


class TestFree:
    """One's own last move, while nobody else has moved and nobody has learned a card but from the mover."""

    def test_a_card_that_was_laid_can_be_taken_up_again(self):
        table, leader = led("free")
        start = table.position.version - 1
        table.when(UndoMove(leader, UNDO)).then(MoveUndone(start, leader))
        assert table.to_act == (leader,)

    def test_not_by_somebody_else(self):
        table, leader = led("free")
        table.when(UndoMove((leader + 1) % 3, UNDO))
        assert table.refusal is not None
        assert table.refusal.code in {"undo.nothing", "undo.not_free"}

    def test_not_once_the_next_seat_has_moved(self):
        table, leader = led("free")
        table.move((leader + 1) % 3, Pass())
        table.when(UndoMove(leader, UNDO)).refused("undo.not_free", policy="free")

    def test_not_a_card_that_was_drawn(self):
        table = started("lama", 3, undo="free")
        seat = table.to_act[0]
        table.move(seat, Draw()).when(UndoMove(seat, UNDO)).refused("undo.not_free")

    def test_not_a_card_that_was_turned(self):
        table = started("skyjo", 3, undo="free")
        table.move(1, Reveal((0,))).when(UndoMove(1, UNDO)).refused("undo.not_free")

    def test_not_a_choice_that_can_be_made_anew_until_all_have_chosen(self):
        table = started("alone", 3, undo="free").move(0)
        table.when(UndoMove(0, UNDO)).refused("undo.choose_again", seat=0)

    def test_what_leaves_the_game_as_it_was_does_not_stand_in_the_way(self):
        table, leader = led("free")
        table.when(HandSeatToBot((leader + 1) % 3)).when(UndoMove(leader, UNDO))
        assert table.refusal is None


class TestPolicies:
    @every_game
    def test_off(self, game):
        table = started(game, 2, undo="off")
        seat = table.to_act[0]
        table.move(seat).when(UndoMove(seat, UNDO)).refused("undo.off", policy="off")

    @every_game
    def test_practice_takes_anything_back(self, game):
        table = started(game, 2, undo="practice")
        hashes = [(table.position.version, state_hash(table.state))]
        for _ in range(9):
            table.move(table.to_act[0])
            hashes.append((table.position.version, state_hash(table.state)))
        for version, wanted in reversed(hashes[:-1]):
            seat = to_act_at(table, version)
            table.when(UndoMove(seat, UNDO, version)).then(MoveUndone(version, seat))
            assert state_hash(table.state) == wanted

    @pytest.mark.parametrize("bots", [2, 0])
    def test_consent_asks_all_other_people_and_no_bots(self, bots):
        table, leader = led("consent", bots=bots)
        table.move((leader + 1) % 3, Pass())
        table.when(UndoMove(leader, UNDO))
        people = [seat for seat in range(3) if table.state.seats[seat].kind == "person" and seat != leader]
        assert type(table.happened[0]) is (RequestMade if people else MoveUndone)

    def test_nothing_can_be_taken_back_before_ones_first_turn(self):
        table, leader = led("practice")
        table.when(UndoMove((leader + 2) % 3, UNDO)).refused("undo.nothing")

    def test_nothing_can_be_taken_back_to_somebody_elses_turn(self):
        table, leader = led("practice")
        lead = table.position.version
        table.move((leader + 1) % 3, Pass())
        table.when(UndoMove(leader, UNDO, lead)).refused("undo.not_your_turn_there", to=lead)

    def test_nothing_can_be_taken_back_to_where_no_command_ended(self):
        table, leader = led("practice")
        table.when(UndoMove(leader, UNDO, 1)).refused("undo.no_turn_there", to=1)
        table.when(UndoMove(leader, UNDO, 999)).refused("undo.no_turn_there", to=999)

    def test_not_before_the_start_nor_for_a_seat_that_is_not_there(self):
        Table().when(UndoMove(0, UNDO)).refused("match.not_started")
        started("odin", 2).when(UndoMove(2, UNDO)).refused("seat.unknown")
        started("odin", 2).when(RedoMove(2)).refused("seat.unknown")

    def test_not_once_the_match_is_over(self):
        table, leader = led("practice", seats=2, bots=1)
        table.when(ResignSeat(0)).when(UndoMove(leader, UNDO)).refused("match.over")


def to_act_at(table: Table, version: int) -> int:
    past = table.state.past
    while past is not None and past.version != version:
        past = past.before
    assert past is not None
    return table.game.to_act(past.game)[0]


def rows(node: Past | None) -> list[int]:
    found = []
    while node is not None:
        found.append(node.version)
        node = node.before
    return found


class TestWhatComesBack:
    @every_game
    def test_is_the_game_as_it_was_and_the_same_cards_come_again(self, game):
        table = started(game, 2, undo="practice")
        seat = table.to_act[0]
        before = table.present
        for move in table.legal(seat)[:12]:
            table.move(seat, move)
            caused, after = table.happened, table.present
            table.when(UndoMove(seat, UNDO))
            assert table.present == before
            table.move(seat, move)
            assert (table.happened, table.present) == (caused, after)
            table.when(UndoMove(seat, UNDO))

    @every_game
    def test_across_the_end_of_a_round_too(self, game):
        table = started(game, 2, undo="practice")
        player = Player(table, Random(3))
        kept = []
        while player.is_on and getattr(table.present, "round", 1) == 1:
            kept.append((table.position.version, table.to_act[0], state_hash(table.state)))
            player.bot_move()
        assert player.is_on, "the first round ended the match"
        version, seat, wanted = kept[-1]
        table.when(UndoMove(seat, UNDO, version)).then(MoveUndone(version, seat))
        assert state_hash(table.state) == wanted

    @every_game
    def test_the_log_only_grows(self, game):
        table = started(game, 2, undo="practice")
        seat = table.to_act[0]
        table.move(seat)
        entries = list(table.entries)
        table.when(UndoMove(seat, UNDO))
        assert table.entries[:-1] == entries

    @every_game
    def test_everybody_who_is_to_act_is_asked_anew(self, game):
        table = started(game, 3, undo="practice")
        seat = table.to_act[0]
        table.move(seat).when(UndoMove(seat, UNDO))
        version = table.position.version
        assert table.state.asked_at == tuple(version if one in table.to_act else 0 for one in range(3))


class TestRedo:
    def test_steps_forward_again(self):
        table, leader = led("free")
        laid, version = table.present, table.position.version
        table.when(UndoMove(leader, UNDO)).when(RedoMove(leader)).then(MoveRedone(version, leader))
        assert table.present == laid

    def test_needs_something_that_was_undone(self):
        table, leader = led("free")
        table.when(RedoMove(leader)).refused("redo.nothing")

    def test_is_for_the_one_whose_move_it_was(self):
        table, leader = led("free")
        table.when(UndoMove(leader, UNDO)).when(RedoMove((leader + 1) % 3)).refused("redo.not_yours")

    def test_in_practice_goes_on_to_the_next_turn_of_the_one_who_asks(self):
        table, leader = led("practice", seats=2)
        other = 1 - leader
        start = table.position.version - 1
        table.move(other, Pass())
        turn = table.position.version
        table.when(UndoMove(leader, UNDO, start)).when(RedoMove(leader)).then(MoveRedone(turn, leader))
        assert table.to_act == (leader,)

    def test_is_over_once_somebody_plays_on(self):
        table, leader = led("free")
        table.when(UndoMove(leader, UNDO))
        table.move(leader).when(RedoMove(leader)).refused("redo.nothing")

    def test_outlives_what_leaves_the_game_as_it_was(self):
        table, leader = led("free")
        table.when(UndoMove(leader, UNDO)).when(HandSeatToBot((leader + 1) % 3)).when(RedoMove(leader))
        assert table.refusal is None

    @every_game
    def test_back_and_forth_is_the_same_row_of_positions(self, game):
        table = started(game, 2, undo="practice")
        for _ in range(8):
            table.move(table.to_act[0])
        past = rows(table.state.past)
        while table.when(UndoMove(0, UNDO)).refusal is None:
            pass
        assert rows(table.state.past)[::-1] + rows(table.state.undone) == past[::-1]
        while table.state.undone is not None:
            table.when(RedoMove(0))
            assert table.refusal is None
        assert rows(table.state.past) == past


class TestTime:
    def test_is_not_given_back_by_an_undo(self):
        table = started("odin", 3, undo="free", per_turn=60)
        leader = table.to_act[0]
        table.now = at(20)
        table.move(leader)
        table.now = at(30)
        table.when(UndoMove(leader, UNDO))
        # Forty seconds were left when he laid the card, at twenty; they run again from thirty on.
        assert table.state.clock.deadline_of(leader) == at(70)
        assert table.state.clock.deadline_of((leader + 1) % 3) == NOT_ASKED

    def test_is_not_given_back_because_a_request_lapses_with_the_undo(self):
        table, leader = led("consent", per_turn=60)
        follower = (leader + 1) % 3
        table.now = at(20)
        table.move(follower, Pass()).when(UndoMove(leader, "k1")).then_types(RequestMade)
        table.now = at(30)
        table.when(UndoMove(follower, UNDO)).then_types(MoveUndone, RequestLapsed)
        assert table.state.clock.deadline_of(follower) == at(70)

    def test_is_not_won_by_going_back_and_forth(self):
        table, leader = led("free", per_turn=60)
        follower = (leader + 1) % 3
        for second in range(10, 60, 10):
            table.now = at(second)
            table.when(UndoMove(leader, UNDO)).when(RedoMove(leader))
            assert table.refusal is None
        # The follower was asked at noon; what he had left each time is what he gets.
        assert table.state.clock.deadline_of(follower) <= at(110)
        assert table.to_act == (follower,)

    def test_of_a_turn_that_is_stepped_into_again_goes_on_too(self):
        table, leader = led("practice", seats=2, per_turn=60)
        start = table.position.version - 1
        table.now = at(10)
        table.move(1 - leader, Pass())
        table.now = at(25)
        table.when(UndoMove(leader, UNDO, start))
        table.now = at(40)
        table.when(RedoMove(leader))
        # He led at ten seconds' end, was asked again, and had forty-five seconds left when it was taken back.
        assert table.to_act == (leader,)
        assert table.state.clock.deadline_of(leader) == at(85)

    def test_is_given_as_for_any_turn_where_there_was_no_limit(self):
        table = started("odin", 2, undo="practice", per_turn=60)
        leader = table.to_act[0]
        table.when(HandSeatToBot(1 - leader))
        table.move(leader).move(1 - leader, Pass()).when(ReclaimSeat(1 - leader))
        table.now = at(100)
        table.when(UndoMove(1 - leader, UNDO))
        assert table.to_act == (1 - leader,)
        assert table.state.clock.deadline_of(1 - leader) == at(160)

"""Bots that stand in, resignations, and how those who left are ranked."""

from msgspec.structs import replace

from domain.games.contract import GameResult
from domain.match.commands import Context, HandSeatToBot, ReclaimSeat, ResignSeat
from domain.match.decide import decide
from domain.match.events import MatchFinished, SeatHandedToBot, SeatReclaimed, SeatResigned
from domain.match.levels import LEVELS, STAND_IN
from domain.match.ranking import ranked
from domain.match.state import Seat
from tests.kit.games import every_game
from tests.kit.table import Table, gathered, started


class TestHandingOver:
    def test_a_bot_plays_for_the_person_who_keeps_the_seat(self):
        table = started("lama", 2).when(HandSeatToBot(0)).then(SeatHandedToBot(0, STAND_IN))
        seat = table.state.seats[0]
        assert (seat.player, seat.kind, seat.stand_in, seat.played_by_bot) == (
            "player-0",
            "person",
            True,
            True,
        )

    def test_at_a_level_of_ones_choice(self):
        started("lama", 2).when(HandSeatToBot(1, "steady")).then(SeatHandedToBot(1, "steady"))

    def test_at_a_level_that_does_not_exist(self):
        table = started("lama", 2).when(HandSeatToBot(0, "genius"))
        table.refused("bot.unknown_level", level="genius", known=LEVELS)

    def test_twice(self):
        started("lama", 2).when(HandSeatToBot(0)).when(HandSeatToBot(0)).refused(
            "seat.bot_plays_already", seat=0
        )

    def test_a_bots_own_seat(self):
        started("lama", 2, bots=1).when(HandSeatToBot(1)).refused("seat.empty", seat=1)

    def test_a_seat_that_the_table_does_not_have(self):
        started("lama", 2).when(HandSeatToBot(2)).refused("seat.unknown", seat=2)

    def test_before_the_start(self):
        gathered("lama", 2).when(HandSeatToBot(0)).refused("match.not_started")

    def test_ends_nothing_even_when_the_last_person_does_it(self):
        table = started("lama", 2, bots=1).when(HandSeatToBot(0))
        assert table.state.lifecycle.phase == "playing"


class TestReclaiming:
    def test_gives_the_seat_back(self):
        table = started("lama", 2).when(HandSeatToBot(0)).when(ReclaimSeat(0)).then(SeatReclaimed(0))
        seat = table.state.seats[0]
        assert (seat.stand_in, seat.level, seat.played_by_bot) == (False, "", False)

    def test_a_seat_for_which_no_bot_plays(self):
        started("lama", 2).when(ReclaimSeat(0)).refused("seat.no_bot_plays", seat=0)

    def test_a_seat_that_was_resigned(self):
        table = started("lama", 3).when(ResignSeat(0)).when(ReclaimSeat(0))
        table.refused("seat.resigned", seat=0)

    def test_a_bots_own_seat(self):
        started("lama", 2, bots=1).when(ReclaimSeat(1)).refused("seat.empty", seat=1)

    def test_a_seat_that_the_table_does_not_have(self):
        started("lama", 2).when(ReclaimSeat(-1)).refused("seat.unknown", seat=-1)

    def test_before_the_start(self):
        gathered("lama", 2).when(ReclaimSeat(0)).refused("match.not_started")


class TestResigning:
    @every_game
    def test_leaves_the_seat_to_a_bot_and_the_game_as_it_was(self, game):
        table = started(game, 3)
        before = table.present
        table.when(ResignSeat(1)).then(SeatResigned(1, STAND_IN))
        assert table.present is before
        assert table.state.seats[1].resigned == 1
        assert table.state.seats[1].played_by_bot

    def test_from_a_seat_where_a_bot_stands_in(self):
        started("lama", 3).when(HandSeatToBot(1)).when(ResignSeat(1)).then(SeatResigned(1, STAND_IN))

    def test_twice(self):
        started("lama", 3).when(ResignSeat(0)).when(ResignSeat(0)).refused("seat.resigned", seat=0)

    def test_a_resigned_seat_cannot_be_handed_over(self):
        started("lama", 3).when(ResignSeat(0)).when(HandSeatToBot(0)).refused(
            "seat.bot_plays_already", seat=0
        )

    def test_a_bots_own_seat(self):
        started("lama", 2, bots=1).when(ResignSeat(1)).refused("seat.empty", seat=1)

    def test_a_seat_that_the_table_does_not_have(self):
        started("lama", 2).when(ResignSeat(5)).refused("seat.unknown", seat=5)

    def test_before_the_start(self):
        gathered("lama", 2).when(ResignSeat(0)).refused("match.not_started")
        Table().when(ResignSeat(0)).refused("match.not_started")

    @every_game
    def test_the_match_ends_as_it_stands_when_the_last_person_goes(self, game):
        table = started(game, 3, bots=1).when(ResignSeat(1))
        table.when(ResignSeat(0))
        table.then(SeatResigned(0, STAND_IN), MatchFinished(((2,), (0,), (1,)), (0, 0, 0)))
        assert table.state.lifecycle.phase == "finished"
        assert not table.state.lifecycle.stalled
        assert table.to_act == ()

    @every_game
    def test_a_person_who_lets_a_bot_play_is_still_there(self, game):
        table = started(game, 3).when(HandSeatToBot(1)).when(ResignSeat(0))
        assert table.state.lifecycle.phase == "playing"

    @every_game
    def test_the_last_person_among_people_wins_at_once(self, game):
        table = started(game, 3 if game.seats[1] > 2 else 2).when(ResignSeat(0))
        if len(table.state.seats) > 2:
            assert table.state.lifecycle.phase == "playing"
            table.when(ResignSeat(2))
        assert table.state.lifecycle.ranking[0] == (1,)
        assert table.state.lifecycle.ranking[-1] == (0,)

    @every_game
    def test_with_a_bot_at_the_table_the_last_person_plays_on(self, game):
        table = started(game, 3, bots=1).when(ResignSeat(0))
        assert table.state.lifecycle.phase == "playing"

    def test_under_the_first_rules_of_the_table_the_last_person_played_on(self):
        table = started("odin", 2)
        assert table.state.terms is not None
        before = replace(table.state, terms=replace(table.state.terms, table=1))
        assert decide(before, ResignSeat(0), Context(table.now)) == (SeatResigned(0, "steady"),)


class TestRanking:
    """Who resigned comes last whatever his points, the first to go last of all."""

    STANDING = GameResult(((2,), (0, 3), (1,)), (5, 9, 2, 5))

    def seats(self, **resigned: int) -> tuple[Seat, ...]:
        return tuple(Seat(f"p{seat}", "person", resigned=resigned.get(f"s{seat}", 0)) for seat in range(4))

    def test_without_leavers_it_is_the_games_own(self):
        assert ranked(self.STANDING, self.seats()) == ((2,), (0, 3), (1,))

    def test_a_leaver_leaves_his_group(self):
        assert ranked(self.STANDING, self.seats(s3=1)) == ((2,), (0,), (1,), (3,))

    def test_a_group_that_left_as_a_whole_is_gone(self):
        assert ranked(self.STANDING, self.seats(s2=1)) == ((0, 3), (1,), (2,))

    def test_the_first_leaver_is_last_and_leavers_share_no_place(self):
        assert ranked(self.STANDING, self.seats(s0=2, s3=1)) == ((2,), (1,), (0,), (3,))

    def test_when_all_have_left_the_last_to_go_is_first(self):
        assert ranked(self.STANDING, self.seats(s0=3, s1=1, s2=4, s3=2)) == ((2,), (0,), (3,), (1,))

    @every_game
    def test_holds_at_the_end_of_a_match_that_others_play_on(self, game):
        table = started(game, 4, bots=1).when(ResignSeat(2)).when(ResignSeat(0))
        while table.state.lifecycle.phase == "playing":
            seat = table.to_act[0]
            table.move(seat, game.fallback(table.present, seat))
        ranking = table.state.lifecycle.ranking
        assert ranking[-2:] == ((0,), (2,))
        assert sorted(seat for group in ranking[:-2] for seat in group) == [1, 3]

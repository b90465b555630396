"""How matches end, and that nothing happens in them afterwards."""

from typing import get_args

import pytest

from domain.games.registry import GAMES
from domain.match.commands import (
    AbandonMatch,
    AnnounceExpiry,
    AnnounceNonce,
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    AskToPause,
    AskToResume,
    BeReady,
    Command,
    Context,
    CreateMatch,
    CreditOutage,
    EndMatch,
    ExpireTable,
    GiveTime,
    HandSeatOver,
    HandSeatToBot,
    KeepTable,
    LapseRequest,
    LeaveSeat,
    OpenSeat,
    PlanRests,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ReissueSeat,
    ResignSeat,
    SeatCommand,
    SeatPlan,
    StartMatch,
    TakeSeat,
    TimeOut,
    UndoMove,
    UnsealLog,
    VoidMatch,
    WithdrawAsking,
    WithdrawRequest,
)
from domain.match.decide import decide
from domain.match.events import (
    MatchAbandoned,
    MatchCreated,
    MatchFinished,
    MatchStarted,
    SeatReady,
    SeatResigned,
    SeatTaken,
)
from domain.match.ranking import ranked
from domain.match.state import EVENTS_KEPT_FREE, EVENTS_LIMIT, TABLE_RULES, Terms
from domain.match.verification import verify
from tests.kit.games import every_game
from tests.kit.instants import NOON, at
from tests.kit.table import SEED, Table, gathered, started


class TestAbandoning:
    def test_while_people_gather(self):
        table = gathered("lama", 3).when(AbandonMatch("nobody came")).then(MatchAbandoned("nobody came"))
        assert table.state.lifecycle.phase == "abandoned"
        assert table.state.lifecycle.reason == "nobody came"

    @every_game
    def test_while_it_is_played(self, game):
        table = started(game, 2).move(started(game, 2).to_act[0])
        table.when(AbandonMatch("lights out")).then(MatchAbandoned("lights out"))
        assert table.to_act == ()
        assert table.state.game is not None

    def test_gives_no_ranking(self):
        lifecycle = started("odin", 2).when(AbandonMatch("")).state.lifecycle
        assert (lifecycle.ranking, lifecycle.totals, lifecycle.stalled) == ((), (), False)

    def test_a_match_that_does_not_exist(self):
        Table().when(AbandonMatch("")).refused("match.unknown")


def finished() -> Table:
    return started("lama", 2, bots=1).when(ResignSeat(0))


def abandoned() -> Table:
    return started("lama", 2).when(AbandonMatch("tired"))


def every_command() -> list[Command]:
    table = started("lama", 2)
    seat = table.to_act[0]
    return [
        CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", SEED),
        TakeSeat("ann"),
        BeReady(0),
        LeaveSeat(0),
        AnnounceNonce(0, "00" * 32),
        OpenSeat(0),
        AskForSeat("dora", 0, "k2"),
        WithdrawAsking("dora"),
        StartMatch(),
        AnnounceExpiry(),
        KeepTable(),
        ExpireTable(),
        PlayMove(seat, table.legal(seat)[0]),
        TimeOut(0),
        HandSeatToBot(0),
        ReclaimSeat(0),
        ResignSeat(0),
        AbandonMatch("again"),
        UndoMove(0, "k1"),
        RedoMove(0),
        AskToEnd(0, "k1"),
        AskToPause(0, 3600, "k1"),
        AskToResume(0, "k1"),
        GiveTime(0, 1, 15),
        CreditOutage(NOON, at(1)),
        PlanRests((0,), at(1), ()),
        AnswerRequest(0, "k1", agree=True),
        WithdrawRequest(0, "k1"),
        LapseRequest("k1"),
        UnsealLog("why"),
        EndMatch("why"),
        VoidMatch("why"),
        HandSeatOver(0, "why"),
        ReissueSeat(0, "why"),
    ]


def test_the_list_below_is_whole():
    kinds = {*get_args(Command), *SeatCommand.__subclasses__()} - {SeatCommand}
    assert {type(command) for command in every_command()} == kinds


@pytest.mark.parametrize("ended", [finished, abandoned])
@pytest.mark.parametrize("command", every_command(), ids=lambda command: type(command).__name__)
def test_an_ended_match_takes_no_command(ended, command):
    table = ended()
    table.when(command).refused("match.over", phase=ended.__name__)


def test_a_command_that_would_change_nothing_is_refused(monkeypatch):
    table = gathered("lama", 2)
    monkeypatch.setattr("domain.match.decide._DECIDERS", {"StartMatch": lambda *_: ()})
    with pytest.raises(Exception, match=r"command\.without_effect"):
        decide(table.state, StartMatch(), Context(NOON))


def nearly_full(game, limit: int, bots: int = 0, table_rules: int = 1) -> Table:
    """Return a started table for two with a small limit of events."""
    table = Table()
    table.given(
        MatchCreated(Terms(game.key, game.rules_number, {}, 2, "host", limit=limit, table=table_rules), SEED)
    )
    for seat in range(2 - bots):
        table.given(SeatTaken(seat, f"player-{seat}", "person")).given(SeatReady(seat))
    for seat in range(2 - bots, 2):
        table.given(SeatTaken(seat, f"bot-{seat}", "bot", "steady"))
    return table.when(StartMatch())


class TestLimitOfEvents:
    def test_is_twenty_thousand_with_some_kept_free(self):
        assert (EVENTS_LIMIT, EVENTS_KEPT_FREE) == (20_000, 64)
        assert Terms("lama", 1, {}, 2, "host").limit == EVENTS_LIMIT

    @every_game
    def test_ends_the_match_with_its_present_ranking_as_stalled(self, game):
        table = nearly_full(game, limit=EVENTS_KEPT_FREE + 12)
        while table.state.lifecycle.phase == "playing":
            seat = table.to_act[0]
            table.move(seat, game.fallback(table.present, seat))
        standing = game.standing(table.present)
        last = table.happened[-1]
        assert last == MatchFinished(ranked(standing, table.state.seats), standing.totals, stalled=True)
        assert table.state.lifecycle.stalled
        assert table.position.version <= EVENTS_KEPT_FREE + 12

    @every_game
    def test_gives_no_winner_under_the_present_rules_of_the_table(self, game):
        """Else whoever leads could fill the log with what does not move the game."""
        table = nearly_full(game, limit=EVENTS_KEPT_FREE + 12, table_rules=TABLE_RULES)
        while table.state.lifecycle.phase == "playing":
            seat = table.to_act[0]
            table.move(seat, game.fallback(table.present, seat))
        assert table.happened[-1] == MatchAbandoned("log_full")
        assert verify("m1", table.entries, complete=True).good

    @every_game
    def test_comes_at_the_command_that_reaches_the_part_kept_free_and_not_before(self, game):
        table = nearly_full(game, limit=EVENTS_KEPT_FREE + 10**3)
        room = table.position.version + 4
        table = nearly_full(game, limit=EVENTS_KEPT_FREE + room)
        before = 0
        while table.state.lifecycle.phase == "playing":
            before = table.position.version
            table.when(HandSeatToBot(0) if not table.state.seats[0].stand_in else ReclaimSeat(0))
        assert before + 1 == room
        assert [type(event) for event in table.happened[1:]] == [MatchFinished]

    @every_game
    def test_does_not_touch_a_match_that_ends_by_itself_with_that_command(self, game):
        table = nearly_full(game, limit=EVENTS_KEPT_FREE + 1, bots=1)
        table.when(ResignSeat(0)).then_types(SeatResigned, MatchFinished)
        assert not table.state.lifecycle.stalled

    def test_leaves_an_abandoned_match_abandoned(self):
        table = nearly_full(GAMES["lama", 1], limit=EVENTS_KEPT_FREE + 1)
        table.when(AbandonMatch("full")).then(MatchAbandoned("full"))

    def test_does_not_hinder_the_start(self):
        table = nearly_full(GAMES["lama", 1], limit=EVENTS_KEPT_FREE)
        assert table.happened[0] == MatchStarted()

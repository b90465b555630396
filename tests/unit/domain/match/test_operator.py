"""What operators do to a match stands in its log, with their reason."""

import pytest

from domain.match.command_handler import CommandMetadata
from domain.match.commands import EndMatch, HandSeatOver, PlayMove, ReissueSeat, UnsealLog, VoidMatch
from domain.match.decide_operator import LONGEST_REASON
from domain.match.events import (
    LogUnsealed,
    MatchAbandoned,
    MatchFinished,
    OperatorActed,
    RequestLapsed,
    RequestMade,
    SeatHandedToBot,
)
from domain.match.hashing import state_hash
from domain.viewers import EVERYTHING
from tests.kit.games import every_game
from tests.kit.instants import at
from tests.kit.invariants import check_chain
from tests.kit.table import Table, gathered, started


def by_operator(table: Table) -> CommandMetadata:
    return table.metadata(None, "operator", "operator")


@every_game
def test_looking_at_hidden_cards_is_told_and_changes_nothing(game):
    table = started(game, game.seats[0])
    before = table.state
    table.when(UnsealLog(" a player asks for help "), metadata=by_operator(table))
    table.then(LogUnsealed("a player asks for help"))
    assert state_hash(table.state) == state_hash(before)
    assert (table.state.asked_at, table.state.past) == (before.asked_at, before.past)
    assert (table.envelopes[-1].actor, table.envelopes[-1].door) == ("operator", "operator")
    check_chain(table)


@every_game
def test_an_operator_ends_a_match_as_it_stands(game):
    table = started(game, game.seats[0])
    table.when(EndMatch("nobody came back"), metadata=by_operator(table))
    totals = game.standing(table.present).totals
    table.then_types(OperatorActed, MatchFinished)
    assert table.happened[0] == OperatorActed("end", "nobody came back")
    assert (table.state.lifecycle.totals, table.state.lifecycle.stalled) == (totals, True)
    check_chain(table)


def test_an_operator_voids_a_match_at_any_time_and_open_requests_lapse():
    table = gathered("lama", 2).when(VoidMatch("a wrong table"))
    table.then(OperatorActed("void", "a wrong table"), MatchAbandoned("operator"))
    table = started("lama", 2).given(RequestMade("r", "end", 0, at(3600)))
    table.when(VoidMatch("x")).then_types(OperatorActed, RequestLapsed, MatchAbandoned)


def test_an_operator_lets_a_bot_play_for_somebody():
    table = started("odin", 3)
    table.when(HandSeatOver(1, "gone for weeks"), metadata=by_operator(table))
    table.then(OperatorActed("hand_over", "gone for weeks"), SeatHandedToBot(1, "steady"))
    table.when(HandSeatOver(1, "again")).refused("seat.bot_plays_already")
    table.when(HandSeatOver(7, "whom?")).refused("seat.unknown")


@every_game
def test_a_lost_seat_is_given_back_and_nothing_else_changes(game):
    table = started(game, game.seats[0])
    before = table.state
    table.when(ReissueSeat(1, " lost her phone "), metadata=by_operator(table))
    table.then(OperatorActed("reissue", "lost her phone", 1))
    table.when(ReissueSeat(None, "he too"), metadata=by_operator(table))
    table.then(OperatorActed("reissue_host", "he too"))
    assert state_hash(table.state) == state_hash(before)
    assert (table.state.asked_at, table.state.past) == (before.asked_at, before.past)
    check_chain(table)


def test_only_a_persons_seat_can_be_given_back():
    table = gathered("lama", 2, bots=1)
    table.when(ReissueSeat(1, "a bot?")).refused("seat.empty", seat=1)
    table.when(ReissueSeat(7, "whose?")).refused("seat.unknown")
    table.when(ReissueSeat(0, "")).refused("reason.missing")


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "x" * (LONGEST_REASON + 1), "bell\x07"])
@pytest.mark.parametrize("command", [UnsealLog, EndMatch, VoidMatch])
def test_no_act_without_a_reason(command, reason):
    started("lama", 2).when(command(reason)).refused("reason.missing", longest=LONGEST_REASON)


def test_only_what_is_there_and_runs_can_be_acted_upon():
    Table().when(UnsealLog("x")).refused("match.unknown")
    Table().when(VoidMatch("x")).refused("match.unknown")
    gathered("lama", 2).when(EndMatch("x")).refused("match.not_started")
    over = started("lama", 2).when(VoidMatch("x"))
    over.when(UnsealLog("x")).refused("match.over")


@every_game
def test_every_card_that_can_be_known_has_a_name(game):
    table = started(game, game.seats[1])
    for _ in range(60):
        if not table.to_act:
            break
        seat = table.to_act[0]
        table.when(PlayMove(seat, game.fallback(table.present, seat)))
    known = game.knows(table.present, EVERYTHING)
    names = sorted(str(game.name_of(table.present, card)) for card in known)
    assert names == sorted(map(str, game.cards))

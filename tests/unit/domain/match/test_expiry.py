"""A table that never begins is told its end, and closed, unless something happens at it."""

import pytest

from domain.instants import after
from domain.match.clock import NOT_ASKED
from domain.match.commands import (
    AnnounceExpiry,
    CreateMatch,
    ExpireTable,
    KeepTable,
    LeaveSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.events import ExpiryAnnounced, MatchAbandoned, MatchCreated, TableKept
from domain.match.expiry import PATIENCE, next_of_expiry
from domain.match.state import Terms
from domain.match.verification import verify
from tests.kit.instants import NOON
from tests.kit.table import SEED, Table, gathered, started


def waiting(*people: str) -> Table:
    table = Table().when(CreateMatch("lama", {}, (SeatPlan(), SeatPlan(), SeatPlan("steady")), "host", SEED))
    for person in people:
        table.when(TakeSeat(person))
    return table


def told(table: Table) -> Table:
    table.now = next_of_expiry(table.state, table.position.at)
    return table.when(AnnounceExpiry())


class TestTheNotice:
    @pytest.mark.parametrize("people", [(), ("ann",), ("ann", "ben")])
    def test_comes_the_later_the_more_people_ever_sat_there(self, people):
        table, patience = waiting(*people), PATIENCE[len(people)]
        assert next_of_expiry(table.state, table.position.at) == after(NOON, patience.quiet)
        told(table).then(ExpiryAnnounced(after(NOON, patience.quiet + patience.notice)))
        assert next_of_expiry(table.state, table.position.at) == table.state.expires

    def test_counts_a_person_who_comes_and_goes_once_and_who_left_too(self):
        table = waiting("ann").when(LeaveSeat(0)).when(TakeSeat("ann")).when(LeaveSeat(0))
        assert table.state.visitors == ("ann",)
        assert table.when(TakeSeat("ben")).state.visitors == ("ann", "ben")
        assert table.when(TakeSeat("cleo")).state.visitors == ("ann", "ben")

    def test_is_given_once(self):
        told(waiting("ann")).when(AnnounceExpiry()).refused("expiry.announced")

    @pytest.mark.parametrize("command", [TakeSeat("ben"), LeaveSeat(0), KeepTable()])
    def test_is_void_when_something_happens(self, command):
        table = told(waiting("ann")).when(command)
        assert table.refusal is None
        assert table.state.expires == NOT_ASKED
        table.when(ExpireTable()).refused("expiry.not_yet")

    def test_is_not_for_a_match_that_has_begun_or_ended(self):
        running = started("lama", 2)
        assert next_of_expiry(running.state, running.position.at) == NOT_ASKED
        running.when(AnnounceExpiry()).refused("match.already_started")

    def test_does_not_keep_a_match_from_beginning(self):
        table = told(gathered("lama", 2)).when(StartMatch())
        assert table.refusal is None
        assert table.state.expires == NOT_ASKED


class TestTheEnd:
    def test_comes_with_the_told_instant_and_not_before(self):
        table = told(waiting("ann"))
        table.when(ExpireTable()).refused("expiry.not_yet", until=table.state.expires)
        table.now = table.state.expires
        table.when(ExpireTable()).then(MatchAbandoned("expired"))
        assert next_of_expiry(table.state, table.position.at) == NOT_ASKED
        verdict = verify("m1", table.entries, complete=True, rules=True)
        assert verdict.good, verdict

    def test_never_comes_untold(self):
        table = waiting()
        table.now = after(NOON, 10**8)
        table.when(ExpireTable()).refused("expiry.not_yet")

    def test_comes_to_tables_of_earlier_rules_too(self):
        table = told(Table().given(MatchCreated(Terms("lama", 1, {}, 2, "host"), SEED)))
        table.now = table.state.expires
        table.when(ExpireTable()).then(MatchAbandoned("expired"))


class TestKeepingATable:
    def test_starts_the_time_anew(self):
        table = told(waiting("ann")).when(KeepTable()).then(TableKept())
        assert next_of_expiry(table.state, table.position.at) == after(table.now, PATIENCE[1].quiet)

    def test_is_refused_while_no_end_was_told(self):
        waiting("ann").when(KeepTable()).refused("expiry.not_announced")

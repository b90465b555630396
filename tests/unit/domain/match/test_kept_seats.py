"""Seats that are kept for people: who has the invitation takes it, nobody else, until the host opens it."""

from domain.match.commands import CreateMatch, LeaveSeat, OpenSeat, SeatPlan, TakeSeat
from domain.match.events import MatchCreated, SeatKept, SeatLeft, SeatOpened, SeatTaken
from domain.match.verification import verify
from tests.kit.table import SEED, Table


def kept() -> Table:
    plans = (SeatPlan(), SeatPlan(kept="k1"), SeatPlan("normal"), SeatPlan(kept="k3"))
    return Table().when(CreateMatch("lama", {}, plans, "host", SEED))


def is_good(table: Table) -> bool:
    verdict = verify("m1", table.entries, complete=True, rules=True)
    assert verdict.good, verdict
    return True


def test_the_log_says_which_seats_are_kept():
    table = kept()
    assert [type(event) for event in table.happened] == [MatchCreated, SeatTaken, SeatKept, SeatKept]
    assert table.happened[2:] == (SeatKept(1, "k1"), SeatKept(3, "k3"))
    assert is_good(table)


def test_who_is_invited_gets_their_seat_without_asking_for_it():
    table = kept().when(TakeSeat("cleo", invitation="k3")).then(SeatTaken(3, "cleo", "person"))
    table.when(TakeSeat("ann", 1, invitation="k1")).then(SeatTaken(1, "ann", "person"))
    assert is_good(table)


def test_who_is_invited_may_sit_elsewhere():
    kept().when(TakeSeat("cleo", 0, invitation="k3")).then(SeatTaken(0, "cleo", "person"))


def test_nobody_else_takes_it():
    table = kept()
    table.when(TakeSeat("ben", 1)).refused("seat.kept", seat=1, free=(0,))
    table.when(TakeSeat("ben", 1, invitation="k3")).refused("seat.kept", seat=1, free=(3, 0))
    table.when(TakeSeat("ben", invitation="k9")).then(SeatTaken(0, "ben", "person"))
    table.when(TakeSeat("cleo")).refused("seat.none_free")


def test_the_host_opens_it_for_everybody():
    table = kept().when(OpenSeat(1)).then(SeatOpened(1))
    table.when(OpenSeat(1)).refused("seat.not_kept", seat=1)
    table.when(OpenSeat(9)).refused("seat.unknown")
    table.when(TakeSeat("ben", 1)).then(SeatTaken(1, "ben", "person"))
    assert is_good(table)


def test_it_is_free_once_its_person_has_left():
    table = kept().when(TakeSeat("ann", invitation="k1")).when(LeaveSeat(1)).then(SeatLeft(1))
    table.when(TakeSeat("ben", 1)).then(SeatTaken(1, "ben", "person"))
    assert is_good(table)

"""The events of a match as rows, and finding among them."""

import msgspec
import pytest

from domain.errors import Malformed
from domain.instants import Instant
from domain.match.commands import HandSeatToBot
from services.audit.refused_commands import RefusedCommand, refused_between, refused_commands
from services.watch.inspection.rows import row_of, rows_of
from services.watch.inspection.search import Search, instant_said, page_before, page_from
from tests.kit.logs import finished
from tests.kit.table import started

LOG = finished("skyjo", 3, whole=True)


def versions(page):
    return [row.version for row in page.rows]


def test_a_row_tells_what_is_public_of_an_event():
    table = started("lama", 2)
    table.now = Instant("2026-11-29T12:00:02.500Z")
    table.when(HandSeatToBot(0, ""))
    last = list(rows_of(table.entries))[-1]
    assert (last.type, last.actor, last.door, last.seat) == ("SeatHandedToBot", "player-0", "api", 0)
    assert (last.since_last, last.size) == (2500, len(table.entries[-1].e))
    assert last.hash == table.entries[-1].h.hex()
    assert (last.first, last.last) == (last.version, last.version)


def test_the_size_of_a_row_does_not_depend_on_what_is_sealed():
    entry = next(entry for entry in LOG if entry.s)
    bigger = msgspec.structs.replace(entry, s=entry.s + b" " * 99)
    assert row_of(entry) == row_of(bigger)


@pytest.mark.parametrize("stored", [b"", b"\xff\xfe", b"[]", b'{"v":1}', b"null", b'{"v":"1"}'])
def test_what_cannot_be_read_is_a_row_all_the_same(stored):
    rows = list(rows_of([LOG[0], msgspec.structs.replace(LOG[1], e=stored), LOG[2]]))
    assert (rows[1].version, rows[1].type, rows[1].since_last, rows[2].since_last) == (2, "", None, None)


def test_pages_follow_each_other_without_a_gap_in_both_directions():
    page = page_from(LOG, Search(), 1, 50)
    forth = versions(page)
    while page.later is not None:
        page = page_from(LOG, Search(), page.later, 50)
        forth += versions(page)
    assert forth == list(range(1, len(LOG) + 1))
    page = page_before(LOG, Search(), len(LOG) + 1, 50)
    back = versions(page)
    while page.earlier is not None:
        page = page_before(LOG, Search(), page.earlier, 50)
        back = versions(page) + back
    assert back == forth


def test_pages_of_what_was_found_follow_each_other_as_well():
    search = Search(type="roundscored")
    wanted = [row.version for row in rows_of(LOG) if row.type == "RoundScored"]
    assert len(wanted) > 3
    first = page_from(LOG, search, 1, 2)
    assert (versions(first), first.earlier, first.later) == (wanted[:2], None, wanted[2])
    second = page_from(LOG, search, first.later or 0, 2)
    assert (versions(second), second.earlier) == (wanted[2:4], wanted[2])
    assert versions(page_before(LOG, search, second.earlier or 0, 2)) == wanted[:2]
    last = page_before(LOG, search, 10**6, 2)
    assert (versions(last), last.later) == (wanted[-2:], None)


@pytest.mark.parametrize("first", [0, 1, 5, 10**9])
def test_odd_places_give_pages_too(first):
    for page in (page_from(LOG, Search(), first, 3), page_before(LOG, Search(), first, 3)):
        assert len(page.rows) <= 3
    nothing = page_from(LOG, Search(actor="nobody"), first, 3)
    assert (nothing.rows, nothing.earlier, nothing.later) == ((), None, None)
    assert page_from((), Search(), first, 3).rows == page_before((), Search(), first, 3).rows == ()


def test_events_are_found_by_actor_command_and_time():
    row = row_of(LOG[20])
    for search in (
        Search(actor=row.actor.upper()),
        Search(command=row.command),
        Search(since=row.at, until=row.at),
    ):
        assert row.version in versions(page_from(LOG, search, 1, 500))
    assert not page_from(LOG, Search(command="no such command"), 1, 500).rows


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("2026-11-29", "2026-11-29T00:00:00.000Z", "2026-11-29T23:59:59.999Z"),
        (" 2026-11-29T19:46 ", "2026-11-29T19:46:00.000Z", "2026-11-29T19:46:59.999Z"),
        ("2026-11-29 19:46:23", "2026-11-29T19:46:23.000Z", "2026-11-29T19:46:23.999Z"),
        ("2026-11-29T19:46:23.125Z", "2026-11-29T19:46:23.125Z", "2026-11-29T19:46:23.125Z"),
        ("2026-11-29T20:46+01:00", "2026-11-29T19:46:00.000Z", "2026-11-29T19:46:59.999Z"),
        ("", "", ""),
    ],
)
def test_a_time_is_written_as_people_write_it(said, start, end):
    assert (instant_said(said), instant_said(said, end=True)) == (start, end)


@pytest.mark.parametrize(
    "said", ["yesterday", "2026-13-01", "1", "0001-01-01T00:00+14:00", "2026-11-29T", "٢٠٢٦"]
)
def test_what_is_no_time_is_told(said):
    with pytest.raises(Malformed):
        instant_said(said)


def test_refused_commands_are_told_beside_the_events_between_which_they_came():
    kept = [
        b'{"at":"2026-11-29T12:00:01.000Z","code":"not_your_turn","kind":"PlayMove"}',
        b"not JSON",
        b'{"at":"2026-11-29T12:00:05.000Z","code":"lama.card_not_playable","kind":"PlayMove"}',
    ]
    refused = refused_commands(kept)
    assert [one.code for one in refused] == ["not_your_turn", "lama.card_not_playable"]
    early, late = "2026-11-29T12:00:00.000Z", "2026-11-29T12:00:03.000Z"
    assert refused_between(refused, early, late) == refused[:1]
    assert refused_between(refused, late, None) == refused[1:]
    assert refused_between(refused, None, None) == refused
    assert RefusedCommand() == refused_commands([b"{}"])[0]

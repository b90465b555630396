import msgspec
import pytest

from domain.chain import genesis
from domain.entries import StoredEntry
from services.log.event_store.checks import (
    GREATEST_NUMBER,
    MOST_BYTES,
    MOST_ENTRIES,
    check_append,
    check_number,
    due_after,
)
from services.log.event_store.contract import Status
from tests.conformance.journal import Journal, entries_after


@pytest.fixture
def append():
    ada = Journal()
    ada.take(ada.command(3))
    return ada.command(2)


def test_an_append_that_follows_is_taken(append):
    check_append(append)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.ARCHIVED},
        {"entries": (), "types": ()},
        {"types": ("Played",)},
        {"types": ("Played", "a,b")},
        {"fingerprint": ""},
        {"game": "a game"},
        {"expected_version": 2},
        {"expected_version": -1},
        {"expected_head": genesis("m")},
        {"limit": -1},
        {"rules": -1},
        {"due": -1},
        {"due": GREATEST_NUMBER + 1},
    ],
)
def test_an_append_that_contradicts_itself_is_refused(append, changes):
    with pytest.raises(ValueError, match=r"."):
        check_append(msgspec.structs.replace(append, **changes))


@pytest.mark.parametrize("wrong", ["order", "hash", "envelope", "gap"])
def test_entries_must_be_a_chain(append, wrong):
    first, second = append.entries
    entries = {
        "order": (second, first),
        "hash": (first, StoredEntry(5, second.e, second.s, b"\0" * 32)),
        "envelope": (StoredEntry(4, b"{}", first.s, first.h), second),
        "gap": (first, StoredEntry(6, second.e, second.s, second.h)),
    }[wrong]
    with pytest.raises(ValueError, match="does not follow"):
        check_append(msgspec.structs.replace(append, entries=entries))


def test_a_command_has_a_greatest_number_of_events_and_bytes():
    ada = Journal()
    check_append(ada.command(MOST_ENTRIES))
    with pytest.raises(ValueError, match="events"):
        check_append(ada.command(MOST_ENTRIES + 1))
    huge = entries_after(0, ada.head, (b"x" * MOST_BYTES,))
    check_append(ada.command(entries=huge))
    huge = entries_after(0, ada.head, (b"x" * (MOST_BYTES + 1),))
    with pytest.raises(ValueError, match="bytes"):
        check_append(ada.command(entries=huge))


@pytest.mark.parametrize("number", [-1, GREATEST_NUMBER + 1])
def test_numbers_stay_where_a_double_is_exact(number):
    assert float(GREATEST_NUMBER) != float(GREATEST_NUMBER - 1)
    with pytest.raises(ValueError, match="not between"):
        check_number(number)


def test_a_closed_match_is_never_due():
    assert due_after(Journal().command(due=5)) == 5
    assert due_after(Journal().command(due=5, status=Status.CLOSED)) is None

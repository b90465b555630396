"""The chain does not hash openings, so each is held against its commitment, its event and the seed."""

import json

import msgspec

from domain.entries import decode_openings, encode_openings
from domain.viewers import seat_viewer
from tests.kit.log import rechained, redacted
from tests.kit.tampering import changed, found, reopened, replaced, where_sealed


def test_a_value_that_was_changed(table):
    for index in where_sealed(table.entries):
        edited = reopened(table.entries[index], lambda opening: opening.update(value="something else"))
        assert found(replaced(table.entries, index, edited)) == ("seal.differs", index + 1)


def test_a_salt_that_was_changed(table):
    for index in where_sealed(table.entries):
        edited = reopened(table.entries[index], lambda opening: opening.update(salt="00" * 32))
        assert found(replaced(table.entries, index, edited)) == ("seal.differs", index + 1)


def test_a_salt_that_is_none(table):
    edited = reopened(table.entries[0], lambda opening: opening.update(salt="salt"))
    assert found(replaced(table.entries, 0, edited)) == ("seal.unreadable", 1)


def test_an_opening_that_was_taken_away(table):
    for index in where_sealed(table.entries):
        entry = table.entries[index]
        fewer = msgspec.structs.replace(entry, s=encode_openings(decode_openings(entry.s)[1:]))
        assert found(replaced(table.entries, index, fewer)) == ("seal.opening_missing", index + 1)


def test_an_opening_that_opens_nothing(table):
    for index in where_sealed(table.entries):
        edited = reopened(table.entries[index], lambda opening: opening.update(field="joker"))
        assert found(replaced(table.entries, index, edited)) == ("seal.opens_nothing", index + 1)


def test_an_opening_that_stands_there_twice(table):
    for index in where_sealed(table.entries):
        openings = decode_openings(table.entries[index].s)
        twice = msgspec.structs.replace(table.entries[index], s=encode_openings((*openings, openings[0])))
        assert found(replaced(table.entries, index, twice)) == ("seal.opened_twice", index + 1)


def test_two_openings_that_changed_places(table):
    for index in where_sealed(table.entries):
        openings = decode_openings(table.entries[index].s)
        if len(openings) < 2:
            continue
        one, other = openings[:2]
        exchanged = (
            msgspec.structs.replace(one, value=other.value, salt=other.salt),
            msgspec.structs.replace(other, value=one.value, salt=one.salt),
            *openings[2:],
        )
        entry = msgspec.structs.replace(table.entries[index], s=encode_openings(exchanged))
        assert found(replaced(table.entries, index, entry)) == ("seal.differs", index + 1)


def test_an_opening_from_another_event(table):
    first, other = where_sealed(table.entries)[:2]
    taken = decode_openings(table.entries[first].s)[0]
    openings = decode_openings(table.entries[other].s)
    foreign = msgspec.structs.replace(taken, field=openings[0].field)
    entry = msgspec.structs.replace(table.entries[other], s=encode_openings((foreign, *openings[1:])))
    assert found(replaced(table.entries, other, entry)) == ("seal.differs", other + 1)


def test_an_opening_that_more_seats_may_have_than_the_event_says(table):
    for index in where_sealed(table.entries):
        edited = reopened(table.entries[index], lambda opening: opening.update(seats=[0, 1, 2]))
        assert found(replaced(table.entries, index, edited)) == ("seal.audience_differs", index + 1)


def test_openings_that_cannot_be_read(table):
    broken = msgspec.structs.replace(table.entries[0], s=b"[")
    assert found(replaced(table.entries, 0, broken)) == ("log.unreadable", 1)


def test_a_field_that_ought_to_be_sealed_and_stands_open(table):
    index = next(index for index in where_sealed(table.entries) if index)
    entry = table.entries[index]
    opening = decode_openings(entry.s)[-1]
    name, _, _ = opening.field.partition("/")
    bared = changed(entry, lambda plain: plain["data"].update({name: json.loads(bytes(opening.value))}))
    rest = tuple(other for other in decode_openings(entry.s) if other.field.partition("/")[0] != name)
    bared = msgspec.structs.replace(bared, s=encode_openings(rest))
    log = rechained("m1", replaced(table.entries, index, bared))
    assert found(log) == ("seal.other_fields", index + 1)
    assert found(log, complete=False) == ("seal.other_fields", index + 1)


def test_all_that_a_viewer_was_given_is_checked_too(table):
    viewer = seat_viewer(1)
    log = [redacted(entry, viewer) for entry in table.entries]
    assert found(log, complete=False) == ("", 0)
    for index in where_sealed(log):
        edited = reopened(log[index], lambda opening: opening.update(value=["made up"]))
        assert found(replaced(log, index, edited), complete=False) == ("seal.differs", index + 1)

"""Whether an archived document may be handed out unread."""

import pytest

from services.log.archive.documents import document_of, vouched_for
from tests.kit.table import started


@pytest.fixture(scope="module")
def table():
    table = started("lama", 2)
    return table.move(table.to_act[0])


@pytest.fixture
def document(table):
    return document_of("m1", "lama", 1, table.entries)


def test_a_document_as_it_was_written_is(document, table):
    assert vouched_for(document, len(table.entries), table.entries[-1].h)


def test_not_if_any_byte_is_another_or_missing(document, table):
    version, head = len(table.entries), table.entries[-1].h
    for at in range(0, len(document), 97):
        other = document[:at] + bytes([document[at] ^ 1]) + document[at + 1 :]
        assert not vouched_for(other, version, head), at
        assert not vouched_for(document[:at], version, head), at


def test_not_if_the_record_knows_another_end(document, table):
    assert not vouched_for(document, len(table.entries) - 1, table.entries[-1].h)
    assert not vouched_for(document, len(table.entries), table.entries[0].h)

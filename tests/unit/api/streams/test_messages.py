"""What is written once for several readers never holds what one of them may not have."""

from typing import Any

import msgspec
import pytest

from api.streams.messages import Eyes, Messages, line_of
from domain.entries import decode_openings
from domain.games.registry import CURRENT
from domain.viewers import Viewer
from tests.kit.table import started


def _lines(data: bytes) -> list[dict[str, Any]]:
    return [msgspec.json.decode(part.partition(b"data: ")[2]) for part in data.split(b"\n\n") if part]


@pytest.mark.parametrize("game", sorted(CURRENT))
@pytest.mark.parametrize("order", [(0, 1, 2, None), (None, 2, 1, 0)])
def test_every_reader_gets_the_openings_of_their_own_seat_whoever_was_served_before(game, order):
    table = started(game, 3)
    for _ in range(8):
        table.move(table.to_act[0])
    messages = Messages(list(table.entries))
    for seat in order:
        mine = {
            (entry.version, opening.field)
            for entry in table.entries
            for opening in decode_openings(entry.s)
            if seat is not None and seat in opening.seats
        }
        lines = _lines(messages.news(Eyes(seat)).data)
        assert {(line["version"], one["field"]) for line in lines for one in line["openings"]} == mine
        assert lines == [
            msgspec.json.decode(msgspec.json.encode(line_of(entry, Viewer(seat)))) for entry in table.entries
        ]


def test_readers_who_may_have_the_same_share_the_bytes():
    table = started("lama", 3)
    messages = Messages(list(table.entries))
    everybody = [messages.news(Eyes(seat)).data for seat in (None, 0, 1, 2)]
    assert len(set(everybody)) == 4  # the deal tells each seat its own hand
    public = Messages([entry for entry in table.entries if not entry.s])
    assert len({public.news(Eyes(seat)).data for seat in (None, 0, 1, 2)}) == 1
    assert len(public._written) == sum(not entry.s for entry in table.entries)

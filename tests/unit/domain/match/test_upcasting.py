"""Reading formats that earlier releases wrote."""

from typing import Any

import msgspec
import pytest

from domain.entries import FORMAT, decode_envelope
from domain.match import codec as codec_module
from domain.match.codec import Codec
from domain.match.events import MATCH_EVENTS, SeatReady
from domain.match.upcasting import STEPS, NewerRelease, UnknownFormat, upcast
from tests.kit.table import gathered


def _renamed(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """An imagined older format, in which being ready was called otherwise."""
    return (SeatReady.__name__, {"seat": data["chair"]}) if kind == "ChairReady" else (kind, data)


def test_every_format_up_to_the_present_one_can_be_read():
    assert set(STEPS) == set(range(1, FORMAT))


def test_steps_are_taken_one_after_the_other():
    steps = {1: lambda kind, data: (kind, {**data, "b": 1}), 2: lambda kind, data: (kind + "!", data)}

    assert upcast(1, "A", {"a": 0}, steps, present=3) == ("A!", {"a": 0, "b": 1})


def test_the_present_format_is_read_as_it_is():
    assert upcast(FORMAT, "A", {"a": 0}) == ("A", {"a": 0})


def test_a_format_of_a_newer_release_is_refused_by_name():
    with pytest.raises(NewerRelease, match=f"format {FORMAT + 1}"):
        upcast(FORMAT + 1, "A", {})


def test_a_gap_in_the_steps_is_refused():
    with pytest.raises(UnknownFormat):
        upcast(1, "A", {}, {}, present=2)


def test_an_old_log_is_read_through_its_step(monkeypatch):
    table = gathered("lama", 2)
    envelope = next(one for one in table.envelopes if one.type == "SeatReady")
    old = decode_envelope(
        table.entries[envelope.v - 1]
        .e.replace(b'"SeatReady"', b'"ChairReady"')
        .replace(b'{"seat":0', b'{"chair":0')
    )
    monkeypatch.setattr(codec_module, "upcast", lambda _, kind, data: _renamed(kind, data))

    event = Codec(MATCH_EVENTS, written=FORMAT - 1).event(old, ())

    assert event == SeatReady(0)


def test_an_old_log_with_a_type_that_no_step_knows(monkeypatch):
    strange = msgspec.structs.replace(gathered("lama", 2).envelopes[-1], type="CentreBurnt")
    monkeypatch.setattr(codec_module, "upcast", lambda _, kind, data: (kind, data))
    with pytest.raises(NewerRelease, match="CentreBurnt"):
        Codec(MATCH_EVENTS, written=FORMAT - 1).event(strange, ())

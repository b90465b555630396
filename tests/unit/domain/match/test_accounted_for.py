"""What stands in a log is accounted for, byte by byte, and a seat that may choose again is told since when."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.entries import StoredEntry
from domain.games.registry import CURRENT, move_types
from domain.instants import seconds_between
from domain.match.commands import PlayMove
from domain.match.evolve import may_move_since, seats_that_may_act
from domain.match.verification import verified, verify
from tests.kit.instants import NOON, at
from tests.kit.log import rechained
from tests.kit.table import Table, gathered, started
from tests.kit.tampering import changed, replaced

Change = Callable[[dict[str, Any]], object]


def rewritten(log: list[StoredEntry], version: int, change: Change) -> list[StoredEntry]:
    """Return a log in which somebody changed one envelope, and made all hashes fit."""
    return rechained("m1", replaced(log, version - 1, changed(log[version - 1], change)))


def found(log: list[StoredEntry]) -> str:
    return verify("m1", log, complete=True, rules=True).code


@pytest.mark.parametrize(
    ("version", "change", "code"),
    [
        (2, lambda envelope: envelope["command"].update(id="not an id"), "log.command_malformed"),
        (1, lambda envelope: envelope["data"].update(chance="00" * 32), "log.unknown_rules"),
        (2, lambda envelope: envelope["data"].update(colour="blue"), "log.newer_release"),
        (2, lambda envelope: envelope["data"].update(secret={"sealed": "00" * 32}), "seal.opening_missing"),
        (2, lambda envelope: envelope["data"].update(level=""), "rules.differs"),
        (2, lambda envelope: envelope.update(data=dict(reversed(envelope["data"].items()))), "rules.differs"),
    ],
)
def test_an_envelope_that_its_writer_would_not_write_is_found(version: int, change: Change, code: str):
    log = list(gathered("odin", 2).entries)
    assert found(log) == ""
    assert found(rewritten(log, version, change)) == code


def test_a_sealed_field_that_no_type_has_is_of_a_newer_release_where_it_may_stay_closed():
    log = rewritten(
        list(gathered("odin", 2).entries),
        2,
        lambda envelope: envelope["data"].update(x={"sealed": "00" * 32}),
    )
    assert verify("m1", log, complete=False).code == "log.newer_release"


def test_openings_that_their_writer_would_not_write_are_found():
    first, *rest = gathered("odin", 2).entries
    spaced = msgspec.structs.replace(first, s=first.s.replace(b'{"field"', b'{ "field"', 1))
    assert found([spaced, *rest]) == "seal.not_canonical"


def test_a_good_log_gives_the_position_at_its_head():
    table = started("odin", 2)
    verdict, position = verified("m1", table.entries)
    assert verdict.good
    assert position == table.position
    assert verified("m1", [])[1] is None


def chosen(table: Table, seat: int) -> Table:
    return table.when(PlayMove(seat, table.legal(seat)[0]))


@pytest.mark.parametrize("game", [game for game in CURRENT.values() if game.key == "alone"])
def test_a_seat_that_may_choose_again_may_since_its_own_choice(game):
    table = started(game, 3)
    assert not seats_that_may_act(table.state)
    assert may_move_since(table.state, 0) == 0
    mine = chosen(table, 0).position.version
    assert may_move_since(table.state, 0) == mine
    chosen(table, 1)
    assert may_move_since(table.state, 0) == mine
    assert may_move_since(table.state, 2) == 0


def test_small_things_that_others_stand_on():
    assert seconds_between(NOON, at(90)) == 90
    for game in CURRENT.values():
        assert set(move_types(game).values()) == set(game.move_types)

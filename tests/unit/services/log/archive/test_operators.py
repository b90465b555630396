"""What operators do and look at: through the one door, with a trace; and who knew a card."""

from typing import Any

import pytest

from domain.entries import decode_envelope
from domain.errors import Malformed, Refused
from domain.match.commands import EndMatch, UnsealLog, VoidMatch
from domain.match.verification import verify
from domain.viewers import seat_viewer
from services.audit.knowledge import who_knew
from services.audit.operators import act_as_operator, unseal
from services.errors import MatchClosed, NoSuchMatch, NoSuchVersion
from services.log.event_store.contract import Status
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from tests.kit.logs import finished, put, running
from tests.kit.table import Table, started


@pytest.fixture
def service(house):
    return MatchService(house.log, MatchReader(house.log), house.clock)


async def test_looking_leaves_a_trace_in_a_running_match_only(house, service):
    log = await put(house.store, "m1", running(), Status.OPEN)
    assert await unseal(service, "m1", "a complaint")
    entries = await house.log.read("m1")
    told = decode_envelope(entries[-1].e)
    assert (len(entries), told.type, told.actor, told.door) == (
        len(log) + 1,
        "LogUnsealed",
        "operator",
        "operator",
    )
    assert verify("m1", entries, complete=True).good
    await put(house.store, "m2", finished())
    assert not await unseal(service, "m2", "a complaint")
    await house.archivist.archive("m2")
    assert not await unseal(service, "m2", "a complaint")
    with pytest.raises(NoSuchMatch):
        await unseal(service, "nobody", "a complaint")


async def test_acts_are_events_and_refused_ones_are_kept(house, service):
    await put(house.store, "m1", running(), Status.OPEN)
    with pytest.raises(Refused):
        await act_as_operator(service, "m1", UnsealLog(" "))
    (refusal,) = await house.store.refusals("m1")
    assert b"reason.missing" in refusal
    outcome = await act_as_operator(service, "m1", EndMatch("stuck"))
    assert outcome.position.state.lifecycle.phase == "finished"
    assert (await house.store.meta("m1")).status is Status.CLOSED
    with pytest.raises(MatchClosed):
        await act_as_operator(service, "m1", VoidMatch("too late"))


def rows(table: Table, card: str, version: int | None = None):
    return who_knew("m1", table.entries, card, version or table.position.version)


def test_a_dealt_card_is_known_to_its_holder_alone():
    table = started("odin", 3)
    dealt = table.position.version
    hands = [hand_of(table, seat) for seat in range(3)]
    for seat, hand in enumerate(hands):
        (row,) = rows(table, hand[0])
        assert (row.seats, row.open) == ({seat: dealt}, None)
    unknown = next(card for card in map(str, table.game.cards) if not any(card in hand for hand in hands))
    (row,) = rows(table, unknown)
    assert (row.seats, row.open) == ({}, None)


def hand_of(table: Table, seat: int) -> tuple[str, ...]:
    seen: Any = table.game.view(table.present, seat_viewer(seat))
    return tuple(seen.hands[seat])


def test_a_played_card_is_known_to_all_from_then_on_and_not_before():
    from domain.games.odin.moves import Play

    table = started("odin", 2)
    seat = table.to_act[0]
    card = hand_of(table, seat)[0]
    before = table.position.version
    table.move(seat, Play((card,)))
    (row,) = rows(table, card.lower())
    assert row.open is not None
    assert row.open > before
    assert set(row.seats) == {0, 1}
    assert row.seats[seat] <= before
    (row,) = rows(table, card, before)
    assert (row.open, set(row.seats)) == (None, {seat})


def test_each_copy_of_a_card_has_its_row():
    table = started("skyjo", 2)
    assert len(rows(table, "12")) == 10
    assert len(rows(started("lama", 2), "L")) == 8
    assert rows(table, "12", 1) == ()


def test_unknown_cards_and_versions_are_named():
    table = started("lama", 2)
    with pytest.raises(Malformed, match="lama has no card 7; there are 1, 2"):
        rows(table, "7")
    with pytest.raises(NoSuchVersion):
        rows(table, "1", 999)

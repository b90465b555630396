"""What is kept of refused commands, and how a full log is handled."""

import msgspec
import pytest

from domain.errors import Refused
from domain.games.lama.cards import VALUES
from domain.games.lama.moves import Play
from domain.match.commands import (
    AbandonMatch,
    BeReady,
    HandSeatToBot,
    LeaveSeat,
    PlayMove,
    StartMatch,
    TakeSeat,
    UnsealLog,
)
from domain.match.events import MatchCreated
from domain.match.state import EVENTS_KEPT_FREE, EVENTS_LIMIT, GATHERING_LIMIT, Terms
from domain.viewers import seat_viewer
from services.errors import CommandIdReused, MatchFull, StaleVersion
from services.log.event_store.contract import ACTORS_KEPT, Append, Status
from tests.kit.house import House
from tests.kit.table import SEED, Table


class TestRefusals:
    async def test_are_kept_with_who_when_what_and_why(self):
        house = await House().begin("lama", 3)
        house.clock.advance(7)
        with pytest.raises(Refused):
            await house.do(LeaveSeat(1), id="k1")
        (kept,) = await house.store.refusals("m1")
        assert msgspec.json.decode(kept) == {
            "at": "2026-11-29T12:00:07.000Z",
            "actor": "player-1",
            "door": "api",
            "command": "k1",
            "kind": "LeaveSeat",
            "code": "match.already_started",
            "trace": "t1",
        }

    async def test_name_no_card_of_the_move_that_was_refused(self):
        house = await House().begin("lama", 3)
        (seat,) = await house.to_act()
        with pytest.raises(Refused, match="card"):
            await house.do(PlayMove(seat, Play(await card_not_held(house, seat))))
        (kept,) = await house.store.refusals("m1")
        assert msgspec.json.decode(kept).keys() == {"at", "actor", "door", "command", "kind", "code", "trace"}

    async def test_name_no_nonce(self):
        house = await House().begin("lama", 3)
        with pytest.raises(Refused):
            await house.do(BeReady(1, "my secret luck"))
        assert b"luck" not in b"".join(await house.store.refusals("m1"))

    async def test_stale_versions_are_kept_as_well(self):
        house = await House().begin("lama", 3)
        with pytest.raises(StaleVersion):
            await house.move(if_match=1)
        (kept,) = await house.store.refusals("m1")
        assert msgspec.json.decode(kept)["code"] == "version.stale"

    async def test_ids_that_were_used_before_are_kept_as_well(self):
        house = await House().begin("lama", 3)
        await house.do(HandSeatToBot(1), id="k1")
        with pytest.raises(CommandIdReused):
            await house.do(HandSeatToBot(1, "gentle"), id="k1")
        (kept,) = await house.store.refusals("m1")
        assert msgspec.json.decode(kept)["code"] == "command.id_reused"

    async def test_leave_the_match_as_it_was(self):
        house = await House().begin("lama", 3)
        before = await house.head()
        with pytest.raises(Refused):
            await house.do(LeaveSeat(1))
        assert await house.beside().head() == before


async def card_not_held(house: House, seat: int):
    game, present = await house.game()
    held = game.view(present, seat_viewer(seat)).hands[seat]  # type: ignore[attr-defined]
    return next(value for value in VALUES if value not in held)


async def small(limit: int) -> House:
    """Return a service with a table for two whose log may hold few events."""
    table = Table().given(MatchCreated(Terms("lama", 1, {}, 2, "host", limit=limit), SEED))
    house = House()
    await house.store.append(
        Append(
            match="m1",
            actor="host",
            command_id="c",
            fingerprint="f",
            expected_version=0,
            expected_head=Table().position.head,
            entries=tuple(table.entries),
            types=("MatchCreated",),
            status=Status.OPEN,
            game="lama",
            rules=1,
            due=None,
            limit=limit,
        )
    )
    return house


class TestAFullLog:
    async def test_takes_no_more_sitting_down_and_standing_up(self):
        house = await small(EVENTS_KEPT_FREE + 6)
        for _ in range(2):
            await house.do(TakeSeat("ann", 0), actor="ann")
            await house.do(LeaveSeat(0), actor="ann")
        await house.do(TakeSeat("ann", 0), actor="ann")
        with pytest.raises(MatchFull):
            await house.do(LeaveSeat(0), actor="ann")

    async def test_can_still_be_abandoned(self):
        house = await small(EVENTS_KEPT_FREE + 1)
        with pytest.raises(MatchFull):
            await house.do(TakeSeat("ann", 0))
        await house.do(AbandonMatch("full"))
        assert (await house.head()).state.lifecycle.phase == "abandoned"

    async def test_leaves_room_for_operators(self):
        house = await small(EVENTS_KEPT_FREE + 1)
        await house.do(UnsealLog("why is it full?"), door="operator")

    async def test_ends_a_match_that_is_played_as_it_stands(self):
        house = await small(EVENTS_KEPT_FREE + 12)
        for seat in (0, 1):
            await house.do(TakeSeat(f"player-{seat}", seat))
            await house.do(BeReady(seat))
        await house.do(StartMatch())
        await house.do(HandSeatToBot(1))
        while (await house.head()).state.lifecycle.phase == "playing":
            await house.move()
        assert (await house.head()).state.lifecycle.stalled
        assert (await house.store.meta("m1")).status is Status.CLOSED  # type: ignore[union-attr]


class TestComingAndGoing:
    async def test_leaves_little_behind(self):
        house = await small(EVENTS_LIMIT)
        for number in range(GATHERING_LIMIT // 2):
            await house.do(TakeSeat(f"p{number}", 0), actor=f"p{number}", id="came")
            await house.do(LeaveSeat(0), actor=f"p{number}", id="went")
        with pytest.raises(Refused, match=r"seats\.closed"):
            await house.do(TakeSeat("one-more", 0), actor="one-more")
        players = [f"p{number}" for number in range(GATHERING_LIMIT // 2)]
        known = [player for player in players if await house.store.command("m1", player, "went")]
        assert known == players[1 - ACTORS_KEPT :]

"""Following the feed: each match as it stands, once, whatever is repeated, late, killed or broken."""

import asyncio

import pytest

from domain.entries import StoredEntry
from domain.match.commands import CreateMatch, LeaveSeat, SeatPlan, TakeSeat
from services.bootstrap import present_instant
from services.errors import StoreUnavailable
from services.log.subscription import StoreWentBack
from services.matches.reader import MatchReader
from services.projections.following import Follower
from services.projections.ledger import Ledger
from services.projections.listing import MatchFilter
from services.projections.matches import place_of_player
from services.projections.row_updates import RowUpdater
from services.projections.standing import consumers, dead_letters
from tests.kit.logs import finished, named, running
from tests.kit.table import Table
from workers.projection_loop import ProjectionLoop


async def lag(house) -> int:
    found = await consumers(house.client, house.store.shards)
    mine = [one for one in found if one.consumer.startswith("matches.")]
    assert len(mine) == house.store.shards
    return sum(one.head - one.checkpoint for one in mine)


async def test_a_new_event_is_in_the_row(house):
    await house.rebuilder.rebuild()
    log = running()
    await house.grow("m1", log, 3)
    await house.catch_up()
    assert (await house.listing.row("m1")).version == 3
    await house.grow("m1", log, len(log))
    assert (await house.listing.row("m1")).version == 3
    assert await lag(house) == 1
    await house.catch_up()
    assert (await house.listing.row("m1")).version == len(log)
    assert await lag(house) == 0


async def test_who_stands_up_is_no_longer_found(house):
    table = Table("m1")
    table.when(CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", table.seed))
    seated = len(table.when(TakeSeat("anna", 0)).entries)
    log = tuple(table.when(LeaveSeat(0)).entries)
    await house.rebuilder.rebuild()
    await house.grow("m1", log, seated)
    await house.catch_up()
    rows, anna = await house.rows(), MatchFilter(player="anna")
    assert [row.match for row in (await house.listing.page(anna, None, 9)).rows] == ["m1"]
    assert any(place_of_player("anna")[0] in key for key in await house.stored(of=rows))
    await house.grow("m1", log, len(log))
    await house.catch_up()
    assert (await house.listing.page(anna, None, 9)).rows == ()
    assert not any(place_of_player("anna")[0] in key for key in await house.stored(of=rows))


async def test_what_is_over_is_no_longer_among_those_that_go_on(house):
    await house.rebuilder.rebuild()
    log = finished()
    await house.grow("m1", log, len(log) - 5)
    await house.catch_up()
    rows = await house.rows()
    assert {key.split()[1] for key in await house.stored(of=rows)} == {
        *("rows", "open", place_of_player("player-0")[0])
    }
    await house.grow("m1", log, len(log))
    await house.catch_up()
    assert {key.split()[1] for key in await house.stored(of=rows)} == {
        *("rows", "ended", place_of_player("player-0")[0])
    }


async def test_pointers_that_come_again_or_late_change_nothing(house):
    await house.rebuilder.rebuild()
    log = running()
    for events in range(1, len(log) + 1):
        await house.grow("m1", log, events)
    await house.catch_up()
    rows = await house.rows()
    before = await house.stored(of=rows)
    shard = rows.shard_of("m1")
    # As if the checkpoint had been kept in an older copy than the rows.
    await house.client.hset(house.ledger.keyspace.of_shard(shard).shard, rows.checkpoint_field, 0)
    await house.catch_up()
    assert await house.stored(of=rows) == before
    assert await lag(house) == 0


async def test_two_who_follow_at_once_take_everything_once(house):
    await house.rebuilder.rebuild()
    log = running()
    followers = [await house.follower() for _ in range(2)]
    for events in range(1, len(log) + 1):
        await house.grow(f"m{events % 3}", log, events)
        await asyncio.gather(*(follower.step(0) for follower in followers))
    while await lag(house):
        await asyncio.gather(*(follower.step(0) for follower in followers))
    live = await house.stored(of=await house.rows())
    await house.rebuilder.rebuild()
    assert await house.stored(of=await house.rows()) == live


async def test_the_feed_keeps_what_a_projection_has_not_read(house):
    await house.rebuilder.rebuild()
    await house.put("m1", running())
    shard = (await house.rows()).shard_of("m1")
    assert await house.store.trim_feed(shard) == 0
    await house.catch_up()
    assert await house.store.trim_feed(shard) == 1


class Breaking(MatchReader):
    """A reader that cannot read one match."""

    broken = True

    async def head(self, match, *, proven=False):
        if self.broken and match == "bad":
            raise KeyError(match)
        return await super().head(match, proven=proven)


async def test_a_match_that_cannot_be_taken_is_put_aside_and_the_others_go_on(house):
    await house.rebuilder.rebuild()
    reader = Breaking(house.log)
    follower = await house.follower(reader)
    await house.grow("bad", running(), 2)
    await house.put("good", running())
    while await follower.step(0):
        pass
    assert await house.listing.row("good") is not None
    assert await house.listing.row("bad") is None
    (one,) = await dead_letters(house.client, house.store.shards)
    assert (one.projection, one.match, one.version) == ("matches", "bad", 2)
    assert one.reason == "It could not be taken (KeyError); the service log says where"
    # It is tried again when it moves on.
    reader.broken = False
    await house.grow("bad", running(), 3)
    await follower.step(0)
    assert (await house.listing.row("bad")).version == 3
    assert await dead_letters(house.client, house.store.shards) == ()


async def test_a_rebuild_tries_parked_matches_again(house):
    await house.rebuilder.rebuild()
    follower = await house.follower(Breaking(house.log))
    await house.put("bad", running())
    await follower.step(0)
    assert await dead_letters(house.client, house.store.shards)
    await house.rebuilder.rebuild()
    assert await dead_letters(house.client, house.store.shards) == ()
    assert await house.listing.row("bad") is not None


class TestAStoreThatWentBack:
    async def test_is_noticed_by_a_feed_that_ends_before_the_checkpoint(self, house):
        await house.rebuilder.rebuild()
        await house.put("m1", running())
        await house.catch_up()
        shard = house.ledger.keyspace.of_shard((await house.rows()).shard_of("m1"))
        await house.client.hset(shard.shard, "position", 0)
        with pytest.raises(StoreWentBack, match="ends at 0"):
            await (await house.follower()).step(0)

    async def test_is_noticed_by_another_hash_at_a_known_version(self, house):
        await house.rebuilder.rebuild()
        log = running()
        await house.grow("m1", log, 4)
        await house.catch_up()
        await self.rewrite(house, named("m1", running(number=1)), 6)
        with pytest.raises(StoreWentBack, match="another history at version 4"):
            await (await house.follower()).step(0)

    async def test_halts_the_loop_until_a_rebuild(self, house):
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        await loop.step(0)
        await house.grow("m1", running(), 4)
        assert await loop.step(0) == 1
        await self.rewrite(house, named("m1", running(number=1)), 6)
        assert await loop.step(0) is None
        halted = (await house.generations.standing()).halted
        assert "another history" in halted.reason
        assert await loop.step(0) is None
        assert (await house.listing.row("m1")).version == 4
        await house.rebuilder.rebuild()
        assert (await house.generations.standing()).halted is None
        assert await loop.step(0) == 0
        assert (await house.listing.row("m1")).version == 6

    async def rewrite(self, house, log: tuple[StoredEntry, ...], events: int) -> None:
        """Put another history in the place of a match's."""
        keys = house.ledger.keyspace.of_match("m1")
        await house.client.delete(keys.events)
        for entry in log[:events]:
            fields = {b"e": entry.e, b"s": entry.s, b"h": entry.h}
            await house.client.xadd(
                keys.events, {k: v for k, v in fields.items() if v}, id=f"{entry.version}-0"
            )
        await house.client.hset(keys.meta, mapping={"version": events, "head": log[events - 1].h})
        shard = house.ledger.keyspace.of_shard_of("m1")
        position = await house.client.hincrby(shard.shard, "position", 1)
        await house.client.xadd(
            shard.feed, {"m": "m1", "f": "5", "t": str(events), "y": "Some"}, id=f"{position}-0"
        )


class Killed(Exception):
    """The process ends here."""


class Dying(Ledger):
    """Rows whose writer is killed before or after a commit."""

    when = ""

    async def commit(self, rows, updates, advances=()):
        if self.when == "before":
            raise Killed
        done = await super().commit(rows, updates, advances)
        if self.when == "after":
            raise Killed
        return done


@pytest.mark.parametrize("when", ["before", "after", "away"])
async def test_being_killed_between_two_steps_loses_and_doubles_nothing(house, when):
    await house.rebuilder.rebuild()
    log = running("odin")
    ledger = Dying(house.client, house.store.shards)
    for events in range(1, len(log) + 1):
        await house.grow(f"m{events % 5}", log, events)
        ledger.when = when
        updater = RowUpdater(house.log, MatchReader(house.log), present_instant)
        follower = Follower(ledger, await house.rows(), updater, house.log)
        if when == "away":
            ledger.commit = unavailable  # type: ignore[method-assign]
        with pytest.raises((Killed, StoreUnavailable)):
            await follower.step(0)
        if events % 3 == 0:
            await house.catch_up()
    await house.catch_up()
    live = await house.stored(of=await house.rows())
    await house.rebuilder.rebuild()
    assert await house.stored(of=await house.rows()) == live


async def unavailable(*_: object) -> bool:
    raise StoreUnavailable("gone fishing")


async def test_a_row_of_an_event_that_a_lost_primary_took_with_it_is_not_written(house):
    """The other event stands there now; what was read before is in memory, and its row was under way."""
    await house.rebuilder.rebuild()
    log = running()
    await house.grow("m1", log, 3)
    await house.catch_up()
    await house.grow("m1", log, 4)
    (key,) = [key async for key in house.client.scan_iter(match="tb:{s*}:m:m1:ev")]
    rows = await house.rows()
    before = await house.stored(of=rows)
    updater = RowUpdater(house.store, MatchReader(house.store), present_instant)
    ledger = Ledger(house.client, house.store.shards)
    (update,) = await updater.updates({"m1": 4}, await ledger.rows(rows, ["m1"]))
    ((entry_id, _),) = await house.client.xrange(key, "4-0", "4-0")
    await house.client.xdel(key, entry_id)
    assert not await ledger.commit(rows, [update])
    assert await house.stored(of=rows) == before

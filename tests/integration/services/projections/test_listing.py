"""Lists of matches: what is in a row, in which order, and what a filter lets through."""

from itertools import count as count_from

import msgspec
import pytest

from domain.errors import Malformed
from domain.instants import after, milliseconds_of
from domain.match.commands import CreateMatch, SeatPlan, TakeSeat
from domain.match.fold import beginning, fold
from services.log.event_store.keys import shard_of
from services.projections.ledger import RowUpdate
from services.projections.list_reader import ListReader
from services.projections.listing import Listing, MatchFilter, Parts
from services.projections.matches import STATES, marks_of, place_of_player, read_row, row_of
from tests.kit.instants import NOON
from tests.kit.logs import finished, named, running
from tests.kit.table import Table

EVERYTHING = MatchFilter()


async def listed(house, wanted=EVERYTHING, count=100):
    page = await house.listing.page(wanted, None, count)
    return [row.match for row in page.rows]


class TestARow:
    async def test_tells_how_far_a_match_is_and_who_plays_it(self, house):
        await house.put("m1", running())
        await house.rebuilder.rebuild()
        row = await house.listing.row("m1")
        assert (row.game, row.rules, row.state, row.version) == ("lama", 1, "playing", len(running()))
        assert [(held.seat, held.kind, held.player) for held in row.players] == [
            (0, "person", "player-0"),
            (1, "bot", "bot-1"),
        ]
        assert row.asked
        assert row.round == 1
        assert row.made_at <= row.changed_at
        assert not row.archived
        assert not row.private

    async def test_of_a_match_that_is_over_asks_nobody(self, house):
        await house.put("m1", finished())
        await house.rebuilder.rebuild()
        row = await house.listing.row("m1")
        assert (row.state, row.asked, row.due) == ("finished", (), None)

    async def test_says_at_once_that_its_match_was_archived(self, house):
        await house.put("m1", finished())
        await house.rebuilder.rebuild()
        await house.archivist.archive("m1")
        assert (await house.listing.row("m1")).archived

    async def test_is_none_for_an_unknown_match(self, house):
        await house.rebuilder.rebuild()
        assert await house.listing.row("m1") is None


class TestFilters:
    async def test_let_through_what_fits(self, house):
        await house.put("gathers", running()[:1])
        await house.put("plays", running("odin"))
        await house.put("over", finished("skyjo"))
        await house.rebuilder.rebuild()
        assert set(await listed(house)) == {"gathers", "plays", "over"}
        assert await listed(house, MatchFilter(game="odin")) == ["plays"]
        assert await listed(house, MatchFilter(state="finished")) == ["over"]
        assert await listed(house, MatchFilter(state="gathering")) == ["gathers"]
        assert set(await listed(house, MatchFilter(player="player-0"))) == {"plays", "over"}
        assert await listed(house, MatchFilter(player="somebody else")) == []
        at = (await house.listing.row("over")).changed_at
        assert "over" in await listed(house, MatchFilter(since=at))
        assert "over" not in await listed(house, MatchFilter(until=at))
        assert await listed(house, MatchFilter(since=after(at, 3600))) == []

    async def test_keep_private_matches_from_all_who_have_no_part_in_them(self, house):
        await house.put("open", running())
        await house.put("closed", running(visibility="private"))
        await house.rebuilder.rebuild()
        assert set(await listed(house)) == {"open", "closed"}
        assert await listed(house, MatchFilter(seen_by=Parts())) == ["open"]
        for parts in (Parts(hosts=frozenset({"closed"})), Parts(players=frozenset({"player-0"}))):
            assert set(await listed(house, MatchFilter(seen_by=parts))) == {"open", "closed"}
        for parts in (Parts(hosts=frozenset({"open"})), Parts(players=frozenset({"player-1", "bot-2"}))):
            assert await listed(house, MatchFilter(seen_by=parts)) == ["open"]


class TestPlayers:
    """Players are found in small sets that they share with others."""

    async def seated(self, house, match, *players):
        table = Table("m1")
        table.when(CreateMatch("lama", {}, (SeatPlan(),) * 2, "host", table.seed))
        for number, player in enumerate(players):
            table.when(TakeSeat(player, number))
        await house.put(match, tuple(table.entries))

    async def test_at_one_table_are_found_each_although_they_share_a_set(self, house):
        (index, first), (same, second) = place_of_player("p92"), place_of_player("p100")
        assert index == same
        assert first != second
        await self.seated(house, "both", "p92", "p100")
        await self.seated(house, "one", "p100")
        await house.rebuilder.rebuild()
        assert await listed(house, MatchFilter(player="p92")) == ["both"]
        assert set(await listed(house, MatchFilter(player="p100"))) == {"both", "one"}

    async def test_are_found_without_looking_at_others_in_their_set(self, house):
        index, own = place_of_player("p92")
        crowd = [f"q{number}" for number in range(5000) if place_of_player(f"q{number}")[0] == index]
        for number, player in enumerate(crowd):
            await self.seated(house, f"m{number}", player)
        await self.seated(house, "mine", "p92")
        await house.rebuilder.rebuild()
        alike = [player for player in crowd if place_of_player(player)[1] == own]
        assert len(crowd) > 10 * (1 + len(alike))
        reader = ListReader(house.store.look, house.store.shards)
        found = await reader.of_player(await house.rows(), "p92")
        assert {position.match for position in found} >= {"mine"}
        assert len(found) == 1 + len(alike)


class TestPages:
    async def test_show_every_match_once_whatever_their_size(self, house):
        for number in range(30):
            await house.put(f"m{number}", running(number=number % 3))
        await house.rebuilder.rebuild()
        whole = [row.match for row in (await house.listing.page(EVERYTHING, None, 100)).rows]
        assert sorted(whole) == sorted(f"m{number}" for number in range(30))
        for size in (1, 7, 29, 30):
            seen, after_this = [], None
            while True:
                page = await house.listing.page(EVERYTHING, after_this, size)
                assert len(page.rows) <= size
                seen += [row.match for row in page.rows]
                after_this = page.next
                if after_this is None:
                    break
            assert seen == whole

    async def test_go_from_the_newest_change_to_the_oldest(self, house):
        for number in range(5):
            await house.put(f"m{number}", running(number=number))
        await house.rebuilder.rebuild()
        rows = (await house.listing.page(EVERYTHING, None, 100)).rows
        order = [(row.changed_at, row.match) for row in rows]
        assert order == sorted(order, reverse=True)

    async def test_name_no_match_in_their_mark_that_they_do_not_show(self, house):
        for number in range(8):
            await house.put(f"hidden{number}", running(visibility="private"))
            await house.put(f"shown{number}", running())
        await house.rebuilder.rebuild()
        after_this, seen = None, 0
        while True:
            page = await house.listing.page(MatchFilter(seen_by=Parts()), after_this, 1)
            seen += len(page.rows)
            after_this = page.next
            if after_this is None:
                break
            assert "hidden" not in after_this
        assert seen == 8

    @pytest.mark.parametrize("mark", ["", "x", "1", ".m1", "1.", "1.a b", "-1.m1", "1e9.m", "9" * 16 + ".m"])
    async def test_begin_only_where_a_page_before_ended(self, house, mark):
        with pytest.raises(Malformed):
            await house.listing.page(EVERYTHING, mark, 10)


class TestManyMatches:
    """A page costs what is on it, however many matches there are beside it."""

    @pytest.fixture
    async def cost_of(self, house):
        """Return what a page asks of the store: how many commands, and how many rows."""
        commands, rows = 0, 0

        async def look(asked):
            nonlocal commands, rows
            commands += len(asked)
            rows += sum(
                len(command) - 2 for command in asked if command[0] == "HMGET" and "rows" in command[1]
            )
            return await house.store.look(asked)

        listing = Listing(look, house.store.shards)

        async def cost(wanted, after=None):
            nonlocal commands, rows
            commands, rows = 0, 0
            page = await listing.page(wanted, after, 20)
            assert len(page.rows) == 20
            return commands, rows

        await house.rebuilder.rebuild()
        return cost

    @staticmethod
    async def _written(house, count, newest, *, ended):
        """Write rows of as many matches, a minute apart, one in each shard after the other."""
        names = {
            shard: (f"{newest}-{number}" for number in count_from(0)) for shard in range(house.store.shards)
        }
        template = read_row(row_of(fold(beginning("m1"), named("m1", running())), NOON))
        updates = []
        for number in range(count):
            shard = number % house.store.shards
            match = next(one for one in names[shard] if shard_of(one, house.store.shards) == shard)
            changed_at = newest - number * 60_000
            state = STATES.index("finished" if ended else "playing")
            row = msgspec.json.encode(msgspec.structs.replace(template, changed_at=changed_at, state=state))
            updates.append(RowUpdate(match, 0, row, marks_of(row)))
        assert await house.ledger.commit(await house.rows(), updates)

    async def test_of_matches_that_go_on_and_of_those_that_are_over(self, house, cost_of):
        now = milliseconds_of(NOON)
        over, going = MatchFilter(state="finished", seen_by=Parts()), MatchFilter(state="playing")
        await self._written(house, 100, now, ended=True)
        await self._written(house, 100, now - 1, ended=False)
        costs = [await cost_of(over), await cost_of(going), await cost_of(MatchFilter())]
        # Many that go on have moved since, many have ended before, and there are as many more of either.
        await self._written(house, 800, now - 10**8, ended=True)
        await self._written(house, 800, now - 10**8 + 1, ended=False)
        assert [await cost_of(over), await cost_of(going), await cost_of(MatchFilter())] == costs
        await self._written(house, 800, now + 10**8, ended=False)
        assert [await cost_of(over), await cost_of(going)] == costs[:2]
        assert await cost_of(MatchFilter()) <= costs[2]

"""What somebody has played: found page by page, the same however the index came to be."""

from random import Random

import pytest

from services.people.identity import Holder
from services.people.memberships import Memberships
from services.people.played_tables import PlayedTables, ended_key, unended_key
from services.projections.list_reader import ListReader, Range
from services.projections.played import PlayedReader, PlayedWanted, outcome_of
from tests.kit.games import GAME_KEYS
from tests.kit.instants import NOON
from tests.kit.logs import finished, running

ANNA = "anna"
ALL = PlayedWanted()


def reader_of(house) -> PlayedReader:
    rows = ListReader(house.store.look, house.store.shards)
    return PlayedReader(rows, PlayedTables(house.client), Memberships(house.client))


async def sits(house, match: str, player: str = "player-0", person: str = ANNA) -> None:
    await Memberships(house.client).collect(person, Holder(match, player, "seat"), NOON)


async def pages(reader: PlayedReader, wanted=ALL, size: int = 3, also=None) -> list[str]:
    found, after = [], None
    while True:
        page = await reader.page(ANNA, wanted, after, size, also)
        assert len(page.tables) <= size
        found += [table.match for table in page.tables]
        if page.next is None:
            return found
        after = page.next


@pytest.mark.parametrize("seed", range(3))
async def test_the_index_that_grew_is_the_one_that_is_made_anew(house, seed):
    random = Random(seed)
    memberships, reader = Memberships(house.client), reader_of(house)
    await house.rebuilder.rebuild()
    matches: list[str] = []
    for number in range(24):
        match, game = f"match{number}", random.choice(GAME_KEYS)
        log = random.choice((finished(game), finished(game, 3, 1), running(game)))
        await house.put(match, log)
        # Seats belong to players of the log, and a person may take one up later, or lose it.
        await sits(house, match, "player-0")
        matches.append(match)
        if random.random() < 0.3:
            gone = random.choice(matches)
            await memberships.drop(ANNA, Holder(gone, "player-0", "seat"))
        if random.random() < 0.4:
            await house.catch_up()
            await pages(reader, size=random.randint(1, 5))
    await house.catch_up()
    grown = await pages(reader, size=random.randint(1, 9))
    held = {one.holder.match for one in await memberships.of(ANNA)}
    rows = await ListReader(house.store.look, house.store.shards).rows(await house.rows(), held)
    over = {match: row.changed_at for match, row in rows.items() if row.is_over}
    assert grown == [match for _, match in sorted(((at, match) for match, at in over.items()), reverse=True)]
    await house.client.delete(ended_key(ANNA), unended_key(ANNA))
    assert await pages(reader) == grown


async def test_tables_are_found_by_game_outcome_length_and_date(house):
    for number, game in enumerate(GAME_KEYS):
        await house.put(f"{game}1", finished(game, 2, number))
        await house.put(f"{game}2", finished(game, 2, number + 7, whole=True))
        await sits(house, f"{game}1")
        await sits(house, f"{game}2")
    await house.rebuilder.rebuild()
    reader = reader_of(house)
    everything = (await reader.page(ANNA, PlayedWanted(), None, 50)).tables
    assert len(everything) == 2 * len(GAME_KEYS)
    for game in GAME_KEYS:
        assert set(await pages(reader, PlayedWanted(game))) == {f"{game}1", f"{game}2"}
    for outcome in ("won", "lost", "hosted"):
        wanted = {table.match for table in everything if outcome_of(table) == outcome}
        assert set(await pages(reader, PlayedWanted(outcome=outcome))) == wanted
    long = {table.match for table in everything if table.row.round >= 3}
    assert set(await pages(reader, PlayedWanted(rounds=Range(3, None)))) == long
    middle = sorted(table.row.changed_at for table in everything)[len(everything) // 2]
    late = {table.match for table in everything if table.row.changed_at >= middle}
    assert set(await pages(reader, PlayedWanted(ended=Range(middle, None)))) == late

    async def not_the_first(tables):
        return [table for table in tables if not table.match.endswith("1")]

    assert set(await pages(reader, also=not_the_first)) == {f"{game}2" for game in GAME_KEYS}


async def test_many_that_ended_at_once_are_all_found_once(house):
    log = finished()
    for number in range(9):
        await house.put(f"m{number}", log)
        await sits(house, f"m{number}")
    await house.rebuilder.rebuild()
    assert await pages(reader_of(house), size=2) == [f"m{number}" for number in range(8, -1, -1)]


async def test_a_page_costs_the_same_however_much_was_played(house):
    log = finished()
    await house.put("match0", log)
    await house.rebuilder.rebuild()
    played = PlayedTables(house.client)
    sent: list[int] = []
    for many in (300, 3000):
        await house.client.delete(ended_key(ANNA))
        await played.make(ANNA, [])
        await played.settle(ANNA, {f"x{number}": 10_000 + number for number in range(many)}, [])
        asked = 0

        async def look(commands, *, store=house.store):
            nonlocal asked
            asked += sum(len(command) for command in commands)
            return await store.look(commands)

        reader = PlayedReader(ListReader(look, house.store.shards), played, Memberships(house.client))
        page = await reader.page(ANNA, PlayedWanted(game="none"), None, 20)
        assert page.tables == ()
        sent.append(asked)
        await house.client.delete(ended_key(ANNA))
    # Each stops at its bound, or at the end.
    assert sent[1] <= 2.5 * sent[0]

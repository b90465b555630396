"""Leagues that run by themselves: tables are made once, people come or not, leave or not, and it all adds up."""

import asyncio
from collections.abc import AsyncIterator
from fractions import Fraction
from random import Random

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.match.fold import Position
from services.people.clubs.changes import closed, removed
from services.people.clubs.league import LeagueTable, LeagueTerms
from services.standings.leagues import changes
from services.standings.leagues.reading import standing_of
from services.standings.leagues.results import results_of, state_of
from tests.kit.league_house import A_DAY, LeagueHouse

QUICK = LeagueTerms("odin", 4, rounds=2, waits=False, options={"limit": "single"})


@pytest.fixture
async def client() -> AsyncIterator[FakeAsyncRedis]:
    async with FakeAsyncRedis() as found:
        yield found


async def running(client: FakeAsyncRedis, people: int, terms: LeagueTerms = QUICK) -> LeagueHouse:
    house = LeagueHouse(client, people)
    await house.runner.begin(await house.gather(terms))
    return house


async def table_of(house: LeagueHouse) -> list[tuple[int, str, Fraction]]:
    standing = standing_of(await house.present(), await house.rows())
    return [(row.rank, house.people[int(row.entrant)], row.points) for row in standing.table]


def by_hand(ended: list[tuple[list[str], Position]]) -> dict[str, Fraction]:
    """Everybody's points, counted from the ends of matches with nothing of the service's."""
    points: dict[str, Fraction] = {}
    for people, position in ended:
        groups = position.state.lifecycle.ranking
        for seat, person in enumerate(people):
            points.setdefault(person, Fraction(0))
            mine = next(number for number, group in enumerate(groups) if seat in group)
            for other in range(len(people)):
                theirs = next(number for number, group in enumerate(groups) if other in group)
                if other != seat:
                    won = 2 if theirs > mine else 1 if theirs == mine else 0
                    points[person] += Fraction(won, 2 * (len(people) - 1))
    return points


async def test_a_league_of_twelve_is_played_whole_and_its_table_is_as_by_hand(client):
    random = Random(16)
    terms = LeagueTerms("odin", 4, rounds=4, waits=False, options={"limit": "single"})
    house = await running(client, 12, terms)
    ended: list[tuple[list[str], Position]] = []
    while not (league := await house.present()).is_over:
        for table in await house.open_tables():
            await house.sit(table)
            resigning = random.randrange(4) if random.random() < 0.3 else None
            people = [house.people[one] for one in table.seats]
            ended.append((people, await house.play(table, random, resigning)))
        await house.look()
        assert len(ended) <= 12
    assert league.state == "finished"
    assert len(ended) == 12
    found, points = await table_of(house), by_hand(ended)
    assert {who: had for _, who, had in found} == points
    in_order = sorted(points.values(), reverse=True)
    assert [had for _, _, had in found] == in_order
    assert all(rank <= in_order.index(had) + in_order.count(had) for rank, _, had in found)
    assert all(rank > in_order.index(had) for rank, _, had in found)
    # Rows come in whatever order shards have: nothing hangs on it.
    rows = list((await house.rows()).items())
    random.shuffle(rows)
    assert results_of(league, dict(rows)) == results_of(league, await house.rows())


async def test_many_processes_at_once_make_each_table_once_and_tell_each_of_their_seat(client):
    house = LeagueHouse(client, 8)
    await house.gather(QUICK)
    runners = [house.another() for _ in range(4)]
    await house.clubs.leagues.change("l1", lambda one: changes.begun(one, house.clock()))
    await asyncio.gather(*(one.look("l1") for one in runners for _ in range(2)))
    tables = await house.open_tables()
    assert len(tables) == len({table.match for table in tables}) == 2
    assert len(await house.rows()) == 2
    for table in tables:
        position = await house.reader.head(table.match)
        kept = [seat.kept or "" for seat in position.state.seats]
        assert await house.memberships.persons_of(kept) == [house.people[one] for one in table.seats]
        assert [match for match, _ in await house.memberships.offers(house.people[table.seats[0]])] == [
            table.match
        ]


@pytest.mark.parametrize("breaks_at", [1, 4, 5, 8])
async def test_what_breaks_off_is_done_later(client, monkeypatch, breaks_at):
    house = LeagueHouse(client, 8)
    await house.gather(QUICK)
    await house.clubs.leagues.change("l1", lambda one: changes.begun(one, house.clock()))
    left, append = breaks_at, house.memberships.offer

    async def breaking(*given: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise asyncio.CancelledError
        await append(*given)

    monkeypatch.setattr(house.memberships, "offer", breaking)
    try:
        await house.look()
    except asyncio.CancelledError:
        await house.look()
    assert len(await house.rows()) == len(await house.open_tables()) == 2


async def test_who_leaves_is_not_waited_for(client):
    house = await running(client, 8)
    first, second = await house.open_tables()
    gone = house.people[first.seats[1]]
    league = await house.runner.withdraw(await house.present(), gone)
    fresh = next(table for table in await house.open_tables() if table.match != second.match)
    assert set(fresh.seats) == set(first.seats) - {first.seats[1]}
    assert (await house.reader.head(first.match)).state.lifecycle.phase == "abandoned"
    assert all(first.seats[1] not in table.seats for table in league.rounds[1].tables)
    # What has begun is played on.
    await house.sit(second)
    await house.runner.withdraw(await house.present(), house.people[second.seats[0]])
    assert (await house.reader.head(second.match)).state.lifecycle.phase == "playing"
    with pytest.raises(Refused) as refusal:
        await house.runner.again(await house.present(), second.match)
    assert refusal.value.code == "league.table_not_over"


async def test_who_alone_is_left_at_a_table_has_come(client):
    house = await running(client, 2, LeagueTerms("odin", 2, rounds=1, days=3))
    (table,) = await house.open_tables()
    await house.runner.withdraw(await house.present(), house.people[table.seats[0]])
    league = await house.present()
    assert league.state == "finished"
    winner = house.people[table.seats[1]]
    assert (await table_of(house))[0] == (1, winner, Fraction(1))


async def test_a_table_at_which_not_all_came_counts_for_those_who_did(client):
    house = await running(client, 4, LeagueTerms("odin", 4, rounds=1, days=2))
    (table,) = await house.open_tables()
    came = table.seats[:3]
    await house.sit(table, came)
    house.clock.advance(2 * A_DAY - 60)
    assert (await house.look()).state == "running"
    house.clock.advance(120)
    league = await house.look()
    assert league.state == "finished"
    assert state_of(league.rounds[0].tables[0], {}) == "unplayed"
    found = await table_of(house)
    assert [(rank, points) for rank, _, points in found] == [(1, Fraction(2, 3))] * 3 + [(4, 0)]
    assert found[3][1] == house.people[table.seats[3]]


async def test_tables_wait_longer_than_others_do_and_rounds_for_their_dates(client):
    house = await running(client, 8, LeagueTerms("odin", 4, rounds=2, days=30))
    first = await house.open_tables()
    for _ in range(29):
        house.clock.advance(A_DAY)
        await house.runner.step(50)
    assert [table.match for table in await house.open_tables()] == [table.match for table in first]
    for table in first:
        await house.sit(table)
        await house.play(table, Random(1), 0)
    assert not await played_on(house)
    house.clock.advance(A_DAY)
    assert len(await played_on(house)) == 2


async def played_on(house: LeagueHouse) -> list[LeagueTable]:
    await house.look()
    return await house.open_tables()


async def test_bots_fill_tables_up_and_count_for_nobody(client):
    terms = LeagueTerms(
        "odin", 3, rounds=1, bots="steady", points="places", places=(3, 1), options={"limit": "single"}
    )
    house = await running(client, 5, terms)
    tables = sorted(await house.open_tables(), key=lambda one: len(one.seats))
    assert [len(table.seats) for table in tables] == [2, 3]
    position = await house.reader.head(tables[0].match)
    assert [seat.kind for seat in position.state.seats] == ["open", "open", "bot"]
    for table in tables:
        await house.sit(table)
        await house.play(table, Random(3))
    await house.look()
    assert sum(points for _, _, points in await table_of(house)) == 2 * (3 + 1)


async def test_what_ended_without_a_result_is_played_again_or_counts_for_nobody(client):
    house = await running(client, 4, LeagueTerms("odin", 4, rounds=2, days=3, options={"limit": "single"}))
    (table,) = await house.open_tables()
    await house.sit(table)
    league = await house.runner.end_table(await house.present(), table.match)
    assert state_of(league.rounds[0].tables[0], await house.rows()) == "without_result"
    league = await house.runner.again(league, table.match)
    (fresh,) = await house.open_tables()
    assert fresh.match != table.match
    await house.sit(fresh)
    await house.play(fresh, Random(5))
    await house.look()
    with pytest.raises(Refused) as refusal:
        await house.runner.again(await house.present(), fresh.match)
    assert refusal.value.code == "league.table_has_result"
    league = await house.runner.call_off(await house.present())
    assert (league.state, len(league.rounds)) == ("called_off", 1)
    assert sum(points for _, _, points in await table_of(house)) == 2


async def test_who_leaves_the_club_leaves_its_leagues_and_with_the_club_they_go(client):
    house = await running(client, 8)
    host, now = house.people[0], house.clock()
    await house.clubs.change("c1", lambda club: removed(club, host, "n-p3", now))
    league = await house.look()
    assert not league.takes_part("p3")
    assert all(3 not in table.seats for table in await house.open_tables())
    await house.clubs.leagues.replace_person("p4", "")
    assert (await house.look()).entrants[4].person == ""
    assert await house.clubs.leagues.of_person("p4") == []
    await house.clubs.change("c1", lambda club: closed(club, host))
    assert await house.clubs.leagues.of("l1") is None
    assert await house.runner.look("l1") is None
    assert await house.clubs.leagues.due(house.clock(), 9) == []


async def test_a_league_begins_on_its_day_if_enough_take_part(client):
    house = LeagueHouse(client, 3)
    day = house.clock.seconds + 5 * A_DAY
    house.clock.advance(day)
    starts = house.clock()
    house.clock.advance(-day)
    await house.gather(LeagueTerms("odin", 3, rounds=1, starts=starts))
    assert (await house.look()).state == "gathering"
    house.clock.advance(day + 1)
    assert await house.runner.step(9) == 1
    assert (await house.present()).state == "running"
    assert len(await house.open_tables()) == 1

"""Leagues with random lives: people come, do not come, leave; hosts end tables and have them played again."""

from collections.abc import AsyncIterator
from fractions import Fraction
from random import Random

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from services.errors import NoSuchMember
from services.people.clubs.league import LeagueTable, LeagueTerms
from services.standings.leagues.reading import standing_of
from tests.kit.league_house import A_DAY, LeagueHouse


@pytest.fixture
async def client() -> AsyncIterator[FakeAsyncRedis]:
    async with FakeAsyncRedis() as found:
        yield found


class Life:
    """A league's life, and what happened in it, noted by who made it happen.

    Attributes:
        points: What each finished or unplayed match counts for, by person's number.
    """

    def __init__(self, house: LeagueHouse, random: Random) -> None:
        self.house = house
        self.random = random
        self.points: dict[str, dict[int, Fraction]] = {}
        self.sat: dict[str, set[int]] = {}

    async def visit(self, table: LeagueTable) -> None:
        """Let all, some or none of a table come; if all do, they play."""
        absent = self.random.random()
        came = set(table.seats)
        if absent < 0.3:
            came = {one for one in table.seats if self.random.random() < 0.5}
        if self.sat.get(table.match):
            return
        self.sat[table.match] = came
        await self.house.sit(table, sorted(came))
        if came != set(table.seats):
            return
        if self.random.random() < 0.15:
            await self.house.runner.end_table(await self.house.present(), table.match)
            if self.random.random() < 0.5:
                await self.house.runner.again(await self.house.present(), table.match)
            return
        position = await self.house.play(table, self.random, self.random.randrange(len(table.seats)))
        groups = position.state.lifecycle.ranking
        place = {seat: number for number, group in enumerate(groups) for seat in group}
        others = len(table.seats) - 1
        self.points[table.match] = {
            who: sum(
                (
                    Fraction((place[other] > place[seat]) * 2 + (place[other] == place[seat]), 2 * others)
                    for other in range(len(table.seats))
                    if other != seat
                ),
                Fraction(0),
            )
            for seat, who in enumerate(table.seats)
        }

    async def leave(self) -> None:
        """Let somebody leave, if they may."""
        who = self.random.choice(self.house.people)
        try:
            await self.house.runner.withdraw(await self.house.present(), who)
        except (NoSuchMember, Refused):
            return

    async def unplayed(self) -> None:
        """Note tables that closed because not all came, from who sat there and who is left."""
        league = await self.house.present()
        for one in league.rounds:
            for table in one.tables:
                if table.came is None or table.match in self.points:
                    continue
                sat = self.sat.get(table.match, set())
                plays = {who for who in table.seats if league.entrants[who].plays}
                # Either time ran out and those count who sat there, or one alone was left in the league.
                assert set(table.came) in ({*sat}, {*plays})
                others = len(table.seats) - 1
                won = Fraction(2 * others - (len(table.came) - 1), 2 * others) if others else Fraction(0)
                self.points[table.match] = dict.fromkeys(table.came, won)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_a_league_ends_and_its_table_adds_up(client, seed):
    random = Random(seed)
    house = LeagueHouse(client, random.randint(5, 9))
    terms = LeagueTerms(
        "odin",
        random.randint(2, 4),
        rounds=3,
        days=2,
        waits=random.random() < 0.5,
        options={"limit": "single"},
    )
    await house.runner.begin(await house.gather(terms))
    life = Life(house, random)
    league = await house.present()
    for _ in range(40):
        if league.is_over:
            break
        for table in await house.open_tables():
            await life.visit(table)
        if random.random() < 0.25:
            await life.leave()
        house.clock.advance(A_DAY * random.choice((0.1, 0.5, 1)))
        league = await house.look()
        await life.unplayed()
        for one in league.rounds:
            seated = [who for table in one.tables for who in table.seats]
            assert len(seated) == len(set(seated))
    assert league.state == "finished"
    assert len(await house.rows()) >= len(league.tables())
    standing = standing_of(league, await house.rows())
    known = league.tables()
    for row in standing.table:
        hand = sum(
            (
                points.get(int(row.entrant), Fraction(0))
                for match, points in life.points.items()
                if match in known
            ),
            Fraction(0),
        )
        assert row.points == hand, row
    ranks = [row.rank for row in standing.table]
    assert ranks == sorted(ranks)
    assert [row.points for row in standing.table] == sorted(
        (row.points for row in standing.table), reverse=True
    )

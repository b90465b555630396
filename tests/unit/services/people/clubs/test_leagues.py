"""Leagues as they are kept: made once, found by who is in them, and left by who is erased."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.instants import Instant, after
from services.errors import NoSuchLeague
from services.people.clubs.dossier_kind import PlacesInLeagues
from services.people.clubs.league import MOST_LEAGUES, League, LeagueEntrant, LeagueTerms
from services.people.clubs.leagues import Leagues
from services.people.dossiers import Whom

NOW = Instant("2026-11-30T12:00:00.000Z")


def league(name: str, *people: str, **more: Any) -> League:
    entrants = tuple(LeagueEntrant(one, NOW) for one in people)
    return League(name, "c1", name.title(), "hanna", NOW, LeagueTerms("lama", 4), entrants=entrants, **more)


@pytest.fixture
async def leagues() -> AsyncIterator[Leagues]:
    async with FakeAsyncRedis() as client:
        yield Leagues(client)


async def test_a_league_is_made_once_and_found_by_its_club_and_its_people(leagues: Leagues):
    made = await leagues.create(league("winter", "max", invited=("zoe",)))
    assert await leagues.create(league("winter")) == made
    assert await leagues.of_club("c1") == [made]
    for person in ("hanna", "max", "zoe"):
        assert await leagues.of_person(person) == [made]
    assert await leagues.asking("zoe") == [made]
    assert await leagues.asking("max") == await leagues.asking("") == []
    assert await leagues.due(NOW, 9) == ["winter"]
    await leagues.look_again("winter", after(NOW, 60))
    assert await leagues.due(NOW, 9) == []


async def test_a_club_runs_only_some_at_once(leagues: Leagues):
    for number in range(MOST_LEAGUES):
        await leagues.create(league(f"l{number}"))
    with pytest.raises(Refused) as refusal:
        await leagues.create(league("late"))
    assert refusal.value.code == "league.too_many"
    with pytest.raises(NoSuchLeague):
        await leagues.change("late", lambda present: present)


async def test_two_persons_who_become_one_keep_one_place(leagues: Leagues):
    kind = PlacesInLeagues(leagues)
    await leagues.create(league("alone", "max"))
    await leagues.create(league("both", "max", "maxim"))
    await kind.move(Whom("max"), "maxim")
    alone, both = [await leagues.of(name) for name in ("alone", "both")]
    assert alone is not None
    assert both is not None
    assert [one.person for one in alone.entrants] == ["maxim"]
    # Nobody plays twice in a league; what the other one played stands without a name.
    assert [one.person for one in both.entrants] == ["", "maxim"]
    assert await leagues.of_person("max") == []


async def test_who_is_erased_leaves_no_name(leagues: Leagues):
    kind = PlacesInLeagues(leagues)
    await leagues.create(league("winter", "hanna", "max", invited=("zoe",)))
    (shown,) = await kind.shown(Whom("hanna"))
    assert (shown["name"], shown["made"], shown["asked"], shown["since"]) == ("Winter", True, False, NOW)
    for person in ("hanna", "zoe"):
        await kind.erase(Whom(person))
    left = await leagues.of("winter")
    assert left is not None
    assert (left.maker, left.invited, [one.person for one in left.entrants]) == ("", (), ["", "max"])
    assert await kind.shown(Whom("hanna")) == []

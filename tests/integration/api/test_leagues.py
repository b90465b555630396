"""Leagues over HTTP: made, played, counted; and what is refused."""

import csv
import io
from fractions import Fraction
from typing import Any

import pytest

from tests.integration.api.tables import Api, fresh_key
from tests.integration.api.test_clubs import Clubhouse

PEOPLE = ("host", "member", "guest", "zoe")


@pytest.fixture
async def house(api: Api) -> Clubhouse:
    found = await Clubhouse.make(api)
    found.people["zoe"] = await found.join(await found.invite(), "Zoe")
    return found


async def step(house: Clubhouse, league: str, what: str, who: str = "host", **body: Any) -> dict[str, Any]:
    answer = await house.api.post(f"{house.path}/leagues/{league}/{what}", token=house.people[who], json=body)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


async def shown(house: Clubhouse, league: str, who: str = "guest") -> dict[str, Any]:
    await house.api.list_anew()
    answer = await house.api.get(f"{house.path}/leagues/{league}", token=house.people[who])
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def play(house: Clubhouse, table: dict[str, Any], loser: int) -> None:
    """Let everybody of a table of two sit down, and one give up at once."""
    path = f"/matches/{table['match']}"
    for who in table["seats"]:
        sat = await house.api.post(
            f"{path}/seats", token=house.people[PEOPLE[who]], key=fresh_key(), json={"ready": True}
        )
        assert sat.status_code == 201, sat.text
    token = house.people[PEOPLE[table["seats"][loser]]]
    assert (await house.api.post(f"{path}/resign", token=token, json={})).status_code == 200


async def test_a_league_is_played_from_its_making_to_its_table(house: Clubhouse):
    made = await house.league(*PEOPLE, seats=2, rounds=0, waits=False)
    league = made["id"]
    assert [one["name"] for one in made["entrants"]] == ["Hanna", "Max", "Gino", "Zoe"]
    found = await step(house, league, "begin")
    assert (found["state"], len(found["rounds"]), found["may_run"]) == ("running", 3, True)
    points = dict.fromkeys(range(4), 0)
    for number in range(3):
        for table in (await shown(house, league))["rounds"][number]["tables"]:
            assert table["state"] == "waiting"
            listed = await house.api.get("/me/turns", token=house.people[PEOPLE[table["seats"][0]]])
            assert listed.status_code == 200
            await play(house, table, loser=1)
            points[table["seats"][0]] += 1
        await house.api.application.league_runner.look(league)
    found = await shown(house, league)
    assert (found["state"], found["you"], found["may_run"]) == ("finished", 2, False)
    by_name = {row["name"]: row for row in found["table"]}
    for number, name in enumerate(("Hanna", "Max", "Gino", "Zoe")):
        assert (by_name[name]["points"], by_name[name]["wins"]) == (points[number], points[number])
    assert {one["played"] for one in found["table"]} == {3}
    tables = [table for one in found["rounds"] for table in one["tables"]]
    assert {frozenset(table["seats"]) for table in tables} == {
        frozenset({one, other}) for one in range(4) for other in range(one)
    }
    assert all(table["places"] == [1, 2] and table["points"] == [1, 0] for table in tables)
    answer = await house.api.get(f"{house.path}/leagues/{league}?format=csv", token=house.people["member"])
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["name"], Fraction(row["points"])) for row in rows] == [
        (row["name"], Fraction(row["points"])) for row in found["table"]
    ]


async def test_the_live_rows_give_the_same_table_as_rows_made_anew(house: Clubhouse):
    league = (await house.league(*PEOPLE, seats=2, rounds=1))["id"]
    found = await step(house, league, "begin")
    for table in found["rounds"][0]["tables"]:
        await play(house, table, loser=0)
    live = await shown(house, league)
    assert await shown(house, league) == live
    assert sum(row["points"] for row in live["table"]) == 2


async def test_people_are_asked_and_answer(house: Clubhouse):
    gino, zoe = await house.member("Gino"), await house.member("Zoe")
    made = await house.league(ask=[gino], by_invitation=True)
    path = f"{house.path}/leagues/{made['id']}"
    asked = await step(house, made["id"], "asked", members=[zoe])
    assert [one["name"] for one in asked["asked"]] == ["Gino", "Zoe"]
    listed = await house.api.get(f"{house.path}/leagues", token=house.people["zoe"])
    assert [(one["asked"], one["takes_part"]) for one in listed.json()["leagues"]] == [(True, False)]
    await step(house, made["id"], "entrants", "guest")
    declined = await house.api.ask("DELETE", f"{path}/entrants/{zoe}", token=house.people["zoe"])
    assert (declined.json()["asked"], [one["name"] for one in declined.json()["entrants"]]) == ([], ["Gino"])
    refused = await house.api.post(f"{path}/entrants", token=house.people["member"], json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "league.by_invitation")
    refused = await house.api.post(f"{path}/begin", token=house.people["host"], json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "league.too_few")


async def test_who_goes_is_told_apart_and_keeps_what_they_played(house: Clubhouse):
    league = (await house.league(*PEOPLE, seats=2, rounds=3, waits=False))["id"]
    found = await step(house, league, "begin")
    for table in found["rounds"][0]["tables"]:
        await play(house, table, loser=0)
    await house.api.application.league_runner.look(league)
    max_ = await house.member("Max")
    answer = await house.api.ask(
        "DELETE", f"{house.path}/leagues/{league}/entrants/{max_}", token=house.people["member"]
    )
    assert answer.status_code == 200
    await house.api.ask("DELETE", f"{house.path}/members/{max_}", token=house.people["host"])
    found = await shown(house, league)
    former = next(row for row in found["table"] if row["left"])
    assert (former["name"], former["member"]) == ("Former member 1", "")
    # Of the round that was open, the table counts for who is left there.
    assert (former["played"], former["missed"]) == (2, 1)
    (unplayed,) = [table for table in found["rounds"][1]["tables"] if 1 in table["seats"]]
    assert unplayed["state"] == "unplayed"
    assert dict(zip(unplayed["seats"], unplayed["points"], strict=True))[1] == 0
    assert sum(unplayed["points"]) == 1
    assert all(1 not in table["seats"] for table in found["rounds"][2]["tables"])
    assert len(found["rounds"][2]["resting"]) == 1


async def test_what_makes_no_sense_is_refused_and_says_what_would(house: Clubhouse):
    token = house.people["host"]
    for body, status, code in (
        ({"seats": 99}, 400, "body.malformed"),
        ({"seats": 9}, 422, "seats.number"),
        ({"game": "chess"}, 422, "game.unknown"),
        ({"name": " "}, 422, "league.name_missing"),
        ({"points": "places"}, 422, "league.places_invalid"),
        ({"points": "places", "places": [1, 2]}, 422, "league.places_invalid"),
        ({"places": [2, 1]}, 422, "league.places_unasked"),
        ({"starts": "2001-01-01"}, 422, "league.starts_too_early"),
        ({"starts": "soon"}, 400, "body.malformed"),
        ({"bots": "godlike"}, 422, "bot.unknown_level"),
        ({"ask": ["nobody"]}, 404, "member.unknown"),
    ):
        given = {"name": "Winter", "game": "lama", "seats": 3, **body}
        answer = await house.api.post(f"{house.path}/leagues", token=token, json=given)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    for path in ("x", "l" + "a" * 20):
        answer = await house.api.get(f"{house.path}/leagues/{path}", token=token)
        assert (answer.status_code, answer.json()["code"]) == (404, "league.unknown")
    other = await Clubhouse.make(house.api)
    theirs = (await other.league())["id"]
    answer = await house.api.get(f"{house.path}/leagues/{theirs}", token=token)
    assert (answer.status_code, answer.json()["code"]) == (404, "league.unknown")


async def test_the_same_request_makes_one_league_and_a_club_runs_only_some(house: Clubhouse):
    token, body = house.people["host"], {"name": "Winter", "game": "lama", "seats": 3}
    made = [await house.api.post(f"{house.path}/leagues", token=token, key="k1", json=body) for _ in range(2)]
    assert made[0].json()["id"] == made[1].json()["id"]
    codes = [
        (await house.api.post(f"{house.path}/leagues", token=token, json=body)).status_code for _ in range(4)
    ]
    assert codes == [201, 201, 201, 409]

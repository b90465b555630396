"""A club's standings over HTTP, from matches that were really played."""

from typing import Any

from tests.integration.api.tables import Api, fresh_key
from tests.integration.api.test_clubs import Clubhouse


async def played(house: Clubhouse, winner: str, loser: str, **body: Any) -> str:
    """Let two members play a match of which one gives up at once."""
    match = await house.table(seats=[{}, {}], **body)
    path, api = f"/matches/{match}", house.api
    for who in (winner, loser):
        sat = await api.post(f"{path}/seats", token=house.people[who], key=fresh_key(), json={"ready": True})
        assert sat.status_code == 201, sat.text
    assert (await api.post(f"{path}/resign", token=house.people[loser], json={})).status_code == 200
    assert (await api.get(path, token=house.people[winner])).json()["lifecycle"]["phase"] == "finished"
    return match


async def standings(house: Clubhouse, query: str = "", who: str = "member"):
    await house.api.list_anew()
    answer = await house.api.get(f"{house.path}/standings{query}", token=house.people[who])
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_results_of_the_clubs_tables_are_counted(api: Api):
    house = await Clubhouse.make(api)
    for winner, loser in (("host", "member"), ("host", "member"), ("member", "host")):
        await played(house, winner, loser)
    await played(house, "member", "host", friendly=True)
    found = await standings(house)
    assert (found["game"], found["matches"]) == ("lama", 3)
    hanna, max_ = found["standings"]
    assert (hanna["rank"], hanna["name"], hanna["matches"], hanna["wins"]) == (1, "Hanna", 3, 2)
    assert (max_["rank"], max_["name"], max_["matches"], max_["wins"]) == (2, "Max", 3, 1)
    assert hanna["rating"] > max_["rating"]
    assert (max_["form"], max_["streak"]) == ([2, 2, 1], 1)
    met = (await standings(house, f"?against={max_['member']}"))["meetings"]
    assert [(one["name"], one["better"], one["worse"]) for one in met] == [("Hanna", 1, 2)]


async def test_somebody_who_left_keeps_their_results_and_loses_their_name(api: Api):
    house = await Clubhouse.make(api)
    await played(house, "host", "member")
    gone = await house.member("Max")
    await api.ask("DELETE", f"{house.path}/members/{gone}", token=house.people["host"])
    rows = (await standings(house, who="host"))["standings"]
    assert [(one["name"], one["member"] != "") for one in rows] == [
        ("Hanna", True),
        ("Former member 1", False),
    ]


async def test_a_spreadsheet_takes_no_name_for_a_formula(api: Api):
    house = await Clubhouse.make(api)
    await api.ask("PATCH", "/me", token=house.people["host"], json={"name": "=1+1"})
    await played(house, "host", "member")
    await api.list_anew()
    answer = await api.get(f"{house.path}/standings?format=csv", token=house.people["member"])
    assert answer.headers["content-type"].startswith("text/csv")
    lines = answer.text.splitlines()
    assert lines[0].startswith("rank,member,name,matches")
    assert ",'=1+1," in lines[1]


async def test_nobody_outside_sees_them_and_nonsense_is_refused(api: Api):
    house = await Clubhouse.make(api)
    outside = await api.get(f"{house.path}/standings", token=house.people["stranger"])
    assert (outside.status_code, outside.json()["code"]) == (404, "club.unknown")
    for query in ("game=chess", "length=week", "format=xml"):
        answer = await api.get(f"{house.path}/standings?{query}", token=house.people["host"])
        assert (answer.status_code, answer.json()["code"]) == (400, "query.malformed")
    assert (await standings(house))["standings"] == []

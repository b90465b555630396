"""All the matches that somebody has played, over HTTP."""

import random

from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_clubs import Clubhouse
from tests.integration.api.test_standings import played


async def my_matches(house: Clubhouse, query: str = "", who: str = "member"):
    await house.api.list_anew()
    answer = await house.api.get(f"/me/matches{query}", token=house.people[who])
    assert answer.status_code == 200, answer.text
    return answer.json()


async def played_out(house: Clubhouse, game: str = "lama", seed: int = 3, **body) -> str:
    """Let two members play a match of one round to its end."""
    match = await house.table(
        seats=[{}, {}], game=game, options={"limit": "single"}, visibility="public", **body
    )
    table = Table(house.api, match, "", game)
    for who in ("member", "host"):
        token = house.people[who]
        sat = await house.api.post(
            f"/matches/{match}/seats", token=token, key=fresh_key(), json={"ready": True}
        )
        table.seats[sat.json()["seat"]] = token
    await table.play_out(random.Random(seed))
    return match


async def test_matches_are_found_by_what_their_people_remember(api: Api):
    house = await Clubhouse.make(api)
    first = await played(house, "member", "host")
    second = await played(house, "host", "member", game="skyjo")
    both = await my_matches(house)
    assert [one["match"] for one in both["matches"]] == [second, first]
    assert [one["result"] for one in both["matches"]] == ["lost", "won"]
    assert [one["place"] for one in both["matches"]] == [2, 1]
    club = house.path.rpartition("/")[2]
    for query, wanted in (
        ("?game=skyjo", [second]),
        ("?result=won", [first]),
        ("?with=hAnnà", [second, first]),
        ("?with=nobody", []),
        (f"?club={club}", [second, first]),
        ("?club=another", []),
        ("?least_rounds=1", [second, first]),
        ("?least_rounds=2", []),
        ("?most_minutes=5&since=2020-01-01", [second, first]),
        ("?until=2020-01-01", []),
        ("?game=&result=&with=&most_minutes=", [second, first]),
    ):
        found = [one["match"] for one in (await my_matches(house, query))["matches"]]
        assert found == wanted, query
    page = await my_matches(house, "?limit=1")
    assert [one["match"] for one in page["matches"]] == [second]
    rest = await my_matches(house, f"?limit=1&after={page['next']}")
    assert ([one["match"] for one in rest["matches"]], rest["next"]) == ([first], None)


async def test_what_cannot_be_asked_is_refused(api: Api):
    house = await Clubhouse.make(api)
    for query in (
        "?game=chess",
        "?result=draw",
        "?moment=skyjo",
        "?moment=skyjo.none",
        "?least_rounds=x",
        "?since=x",
    ):
        answer = await api.get(f"/me/matches{query}", token=house.people["member"])
        assert (answer.status_code, answer.json()["code"]) == (400, "query.malformed"), query
    assert (await api.get("/me/matches")).status_code == 401


async def test_moments_are_looked_for_in_all_my_matches(api: Api):
    house = await Clubhouse.make(api)
    match = await played_out(house)
    found = await my_matches(house, "?moment=lama.highest_round")
    (one,) = found["matches"]
    assert [moment["question"] for moment in one["moments"]] == ["highest_round"] * len(one["moments"])
    told = (await api.get(f"/matches/{match}/moments", token=house.people["member"])).json()
    assert one["moments"][0] in [moment for question in told["questions"] for moment in question["moments"]]

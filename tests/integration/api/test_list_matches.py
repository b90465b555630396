"""``GET /matches``: what may be seen, by whom, and which filters make sense."""

from typing import Any

import pytest

from services.bootstrap import present_instant
from services.people.hashed_secrets import new_secret
from services.people.identity import Holder
from tests.integration.api.tables import Api, Table


async def listed(api: Api, query: str = "", **more: Any) -> list[str]:
    answer = await api.get(f"/matches{query}", **more)
    assert answer.status_code == 200, answer.text
    return [row["match"] for row in answer.json()["matches"]]


class TestWhoSeesWhat:
    async def test_open_tables_are_everybodys(self, api: Api):
        table = await Table.started(api)
        await api.list_anew()
        assert await listed(api) == [table.id]

    async def test_a_private_table_is_for_those_at_it(self, api: Api):
        mine = await Table.started(api, visibility="private")
        other = await Table.started(api, visibility="private")
        await api.list_anew()
        assert await listed(api) == []
        assert await listed(api, token=mine.host) == [mine.id]
        assert await listed(api, token=mine.seats[1]) == [mine.id]
        assert await listed(api, token=other.seats[0]) == [other.id]

    async def test_who_has_left_a_private_table_sees_it_no_longer(self, api: Api):
        table = await Table.make(api, visibility="private")
        seat = await table.sit()
        assert (await api.post(f"{table.path}/leave", token=table.seats[seat])).status_code == 200
        await api.list_anew()
        assert await listed(api, token=table.seats[seat]) == []

    async def test_a_browser_sees_all_its_tables(self, api: Api):
        tables = [await Table.started(api, visibility="private") for _ in range(2)]
        session, application = new_secret(), api.application
        person = (await application.persons.create(present_instant())).id
        await application.sessions.begin(session, person, present_instant())
        for number, table in enumerate(tables):
            token = table.seats[0] if number else table.host
            holder: Holder = await api.application.identity.holder(token, table.id)
            await application.memberships.collect(person, holder, present_instant())
        await api.list_anew()
        cookie = {"Cookie": f"tablee={session}"}
        assert set(await listed(api, headers=cookie)) == {table.id for table in tables}
        assert await listed(api, headers={"Cookie": f"tablee={new_secret()}"}) == []

    async def test_a_token_that_opens_nothing_is_refused(self, api: Api):
        assert (await api.get("/matches", token="n" * 43)).status_code == 401
        answer = await api.get("/matches", headers={"Authorization": "Basic bm86bm8="})
        assert answer.status_code == 401


class TestAnswers:
    async def test_tell_how_far_a_match_is(self, api: Api):
        table = await Table.started(api, "skyjo", people=2, bots=1)
        await api.list_anew()
        (row,) = (await api.get("/matches")).json()["matches"]
        view = await table.view()
        assert {name: row[name] for name in ("match", "game", "rules", "state", "version", "changed_at")} == {
            "match": table.id,
            "game": "skyjo",
            "rules": 1,
            "state": "playing",
            "version": view["version"],
            "changed_at": view["at"],
        }
        assert [held["kind"] for held in row["players"]] == ["person", "person", "bot"]
        assert row["asked"] == view["to_act"]

    async def test_have_a_tag_under_which_they_need_not_come_again(self, api: Api):
        await Table.started(api)
        await api.list_anew()
        first = await api.get("/matches")
        assert first.headers["Cache-Control"] == "private, no-cache"
        assert first.headers["Vary"] == "Authorization, Cookie"
        again = await api.get("/matches", headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
        assert not again.content

    async def test_come_in_pages(self, api: Api):
        tables = [await Table.make(api) for _ in range(5)]
        await api.list_anew()
        seen, query = [], "?limit=2"
        while query:
            page = (await api.get(f"/matches{query}")).json()
            assert len(page["matches"]) <= 2
            seen += [row["match"] for row in page["matches"]]
            query = f"?limit=2&after={page['next']}" if page["next"] else ""
        assert sorted(seen) == sorted(table.id for table in tables)

    async def test_fit_the_filter(self, api: Api):
        played, gathers = await Table.started(api, "odin"), await Table.make(api, "skyjo")
        await api.list_anew()
        player = (await played.view())["seats"][0]["player"]
        assert await listed(api, "?game=odin") == [played.id]
        assert await listed(api, "?state=gathering") == [gathers.id]
        assert await listed(api, f"?player={player}") == [played.id]
        assert await listed(api, f"?player={player}&game=lama") == []
        assert await listed(api, "?since=2999-01-01") == []
        assert await listed(api, "?until=1999-12-31T23:59:59%2B01:00") == []
        assert set(await listed(api, "?since=2020-01-01&until=2999-01-01T00:00:00Z")) == {
            played.id,
            gathers.id,
        }


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("limit=0", "from 1 on"),
        ("limit=-1", "from 1 on"),
        ("since=0001-01-01", "from the year 1970 on"),
        ("player=bot-0", "is the name of a bot"),
    ],
)
async def test_what_would_find_nothing_by_mistake_is_refused_with_what_holds(api: Api, query, told):
    answer = await api.get(f"/matches?{query}")
    assert answer.status_code == 400
    assert told in answer.json()["detail"]


@pytest.mark.parametrize(
    "query",
    [
        "player=a%20b",
        "player=",
        "game=chess",
        "state=asleep",
        "since=yesterday",
        "since=2026-11-29T10:00:00",
        "until=0001-01-01T00:00:00%2B23:00",
        "until=99999-01-01",
        "limit=0",
        "limit=many",
        "limit=-1",
        "after=nowhere",
        "after=1.%00",
        "game=lama&game=odin",
        "state=%ff",
    ],
)
async def test_a_filter_that_makes_no_sense_is_refused_and_says_why(api: Api, query):
    answer = await api.get(f"/matches?{query}")
    assert answer.status_code == 400
    problem = answer.json()
    assert problem["code"] in {"query.malformed", "query.repeated", "list.after_malformed"}
    assert problem["detail"]

"""The inbox of a person over the API."""

from typing import Any

import pytest

from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_me import person


async def seated(api: Api, anna: str, game: str = "lama", **body: Any) -> str:
    """Make a table for two with Anna on the first seat; return its id."""
    asked = {"game": game, "seats": [{}, {}], **body}
    made = await api.post("/matches", token=anna, key=fresh_key(), json=asked)
    assert made.status_code == 201, made.text
    match: str = made.json()["match"]
    sat = await api.post(f"/matches/{match}/seats", token=anna, key=fresh_key(), json={"seat": 0})
    assert sat.status_code == 201, sat.text
    return match


async def begun(api: Api, anna: str, other: str, **body: Any) -> str:
    match = await seated(api, anna, options={"first": 0}, **body)
    path = f"/matches/{match}"
    assert (await api.post(f"{path}/seats", token=other, key=fresh_key(), json={})).status_code == 201
    for token in (anna, other):
        assert (await api.post(f"{path}/ready", token=token, json={})).status_code == 200
    state = (await api.get(path, token=anna)).json()["lifecycle"]["phase"]
    if state == "gathering":
        assert (await api.post(f"{path}/start", token=anna, json={})).status_code == 200
    return match


async def turns(api: Api, token: str, query: str = "", **more: Any) -> dict[str, Any]:
    answer = await api.get(f"/me/turns{query}", token=token, **more)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def matches(tables: list[dict[str, Any]]) -> list[str]:
    return [table["match"] for table in tables]


async def test_a_table_goes_from_list_to_list_at_once(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    match = await begun(api, anna, bert, clock={"per_turn": 3600})
    mine = await turns(api, anna)
    assert (mine["waiting_for_you"], matches(mine["turns"])) == (1, [match])
    (table,) = mine["turns"]
    assert (table["game"], table["round"], table["seat"], table["host"]) == ("lama", 1, 0, True)
    assert [one["name"] for one in table["players"]] == ["Anna", "Bert"]
    assert [one["what"] for one in table["awaited"]] == ["move"]
    assert table["until"] == table["awaited"][0]["until"] > table["changed_at"]
    assert table["last"]
    path = f"/matches/{match}"
    view = (await api.get(path, token=anna)).json()
    moved = await api.post(
        f"{path}/moves", token=anna, key="m1", if_match=view["version"], json={"type": "quit"}
    )
    assert moved.status_code == 200, moved.text
    mine, others = await turns(api, anna), await turns(api, bert)
    assert (mine["waiting_for_you"], matches(others["turns"])) == (0, [match])
    # Nobody has looked at what followed the move.
    assert matches(mine["moved"]) == [match]
    await api.get(path, token=anna)
    assert matches((await turns(api, anna))["waiting"]) == [match]


async def test_readiness_start_and_questions_wait_for_who_owes_them(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    match = await seated(api, anna)
    assert (await turns(api, anna))["turns"] == []
    path = f"/matches/{match}"
    await api.post(f"{path}/seats", token=bert, key=fresh_key(), json={})
    assert [one["what"] for one in (await turns(api, bert))["turns"][0]["awaited"]] == ["ready"]
    match = await begun(api, anna, bert)
    await api.post(f"/matches/{match}/ask-to-end", token=anna, json={})
    (table,) = [one for one in (await turns(api, bert))["turns"] if one["match"] == match]
    assert [one["what"] for one in table["awaited"]] == ["answer"]
    assert table["until"] is not None


async def test_finished_tables_are_searched_and_paged(api: Api):
    anna = await person(api)
    over = []
    for name in ("Zoë", "Bert", "Zoë"):
        other = await person(api, name)
        match = await begun(api, anna, other)
        assert (await api.post(f"/matches/{match}/abandon", token=anna, json={})).status_code == 200
        await api.get(f"/matches/{match}", token=anna)
        over.append(match)
    found = await turns(api, anna, "?limit=2")
    assert matches(found["finished"]) == over[:0:-1]
    rest = await turns(api, anna, f"?limit=2&after={found['next']}")
    assert (matches(rest["finished"]), rest["next"]) == (over[:1], None)
    assert matches((await turns(api, anna, "?find=zoe%20LAMA"))["finished"]) == [over[2], over[0]]
    assert (await turns(api, anna, "?find=odin"))["finished"] == []
    assert matches((await turns(api, anna, f"?find={over[1]}"))["finished"]) == [over[1]]
    await api.list_anew()
    assert matches((await turns(api, anna))["finished"]) == over[::-1]


async def test_words_are_in_the_readers_language_and_hide_what_the_seat_may_not_know(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    match = await begun(api, anna, bert)
    path = f"/matches/{match}"
    view = (await api.get(path, token=anna)).json()
    drawn = await api.post(
        f"{path}/moves", token=anna, key="d", if_match=view["version"], json={"type": "draw"}
    )
    assert drawn.status_code == 200, drawn.text
    mine = (await turns(api, anna, headers={"Accept-Language": "fr"}))["moved"][0]["last"]
    theirs = (await turns(api, bert))["turns"][0]["last"]
    assert mine.startswith("Tu ")
    assert theirs.startswith("Anna draws")
    assert not any(letter.isdigit() for letter in theirs), theirs


async def test_what_has_not_changed_is_not_sent_again(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    await begun(api, anna, bert)
    first = await api.get("/me/turns", token=anna)
    tag = first.headers["ETag"]
    again = await api.get("/me/turns", token=anna, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?after=x", "list.after_malformed"),
        ("?limit=-1", "query.malformed"),
        ("?find=a&find=b", "query.repeated"),
    ],
)
async def test_a_query_that_cannot_be_read_is_refused(api: Api, query, code):
    answer = await api.get(f"/me/turns{query}", token=await person(api))
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_only_a_persons_own_token_opens_it(api: Api):
    table = await Table.started(api)
    assert (await api.get("/me/turns")).json()["code"] == "token.missing"
    assert (await api.get("/me/turns", token="x" * 43)).json()["code"] == "token.unknown"
    assert (await api.get("/me/turns", token=table.seats[0])).json()["code"] == "token.person_needed"

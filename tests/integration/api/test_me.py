"""A person at several tables, by one token of their own."""

import asyncio

import pytest

from tests.integration.api.tables import Api, fresh_key


async def person(api: Api, name: str = "Anna") -> str:
    answer = await api.post("/me", key=fresh_key(), json={"name": name, "time_zone": "Europe/Paris"})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


async def test_one_token_makes_tables_sits_and_plays_at_all_of_them(api: Api):
    anna, tables = await person(api), []
    for visibility in ("public", "private"):
        body = {"game": "lama", "seats": [{}, {"bot": "steady"}], "visibility": visibility}
        made = await api.post("/matches", token=anna, key=fresh_key(), json=body)
        assert (made.status_code, made.json()["host_token"]) == (201, "")
        tables.append(made.json()["match"])
    for match in tables:
        path = f"/matches/{match}"
        sat = await api.post(f"{path}/seats", token=anna, key=fresh_key(), json={})
        assert (sat.status_code, sat.json()["seat_token"]) == (201, "")
        assert (await api.post(f"{path}/ready", token=anna, json={})).status_code == 200
        view = (await api.get(path, token=anna)).json()
        assert view["viewer"] == 0
    players = [
        (await api.get(f"/matches/{match}", token=anna)).json()["seats"][0]["player"] for match in tables
    ]
    assert len(set(players)) == 2  # no log tells that they are one person
    await api.list_anew()
    listed = (await api.get("/matches", token=anna)).json()["matches"]
    assert {row["match"] for row in listed} == set(tables)


async def test_a_person_sits_at_a_table_once_however_often_they_ask(api: Api):
    anna = await person(api)
    made = await api.post("/matches", key=fresh_key(), json={"game": "lama", "seats": [{}, {}, {}]})
    path = f"/matches/{made.json()['match']}/seats"
    answers = await asyncio.gather(*(api.post(path, token=anna, key=fresh_key(), json={}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert {answer.json().get("code") for answer in answers} == {None, "player.already_seated"}


async def test_somebody_with_no_part_in_a_match_sees_it_as_others_do(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    body = {"game": "lama", "seats": [{}, {}], "visibility": "private"}
    made = await api.post("/matches", token=anna, key=fresh_key(), json=body)
    path = f"/matches/{made.json()['match']}"
    assert (await api.get(path, token=bert)).json()["viewer"] is None
    answer = await api.post(f"{path}/ready", token=bert, json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "token.seat_needed")
    answer = await api.post(f"{path}/start", token=bert, json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "token.host_needed")


async def test_the_same_request_makes_one_person(api: Api):
    key = fresh_key()
    answers = await asyncio.gather(*(api.post("/me", key=key, json={"name": "Anna"}) for _ in range(3)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["token"] for answer in answers}) == 1


async def test_a_person_changes_what_they_say_about_themselves(api: Api):
    anna = await person(api)
    changed = await api.ask("PATCH", "/me", token=anna, json={"name": " Anna  B. ", "language": "fr"})
    assert changed.status_code == 200
    shown = (await api.get("/me", token=anna)).json()
    assert shown == changed.json()
    assert shown == {
        "name": "Anna B.",
        "language": "fr",
        "time_zone": "Europe/Paris",
        "since": shown["since"],
    }


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"language": "de"}, "language.unknown"),
        ({"time_zone": "Mars/Olympus"}, "time_zone.unknown"),
        ({"time_zone": "../../etc/passwd"}, "time_zone.unknown"),
        ({"nickname": "A"}, "body.malformed"),
        ({"name": "A" * 101}, "body.malformed"),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(api: Api, body, code):
    anna = await person(api)
    answer = await api.ask("PATCH", "/me", token=anna, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert (await api.get("/me", token=anna)).json()["language"] == ""


async def test_a_token_of_one_table_is_no_persons(api: Api):
    made = await api.post("/matches", key=fresh_key(), json={"game": "lama", "seats": [{}, {}]})
    for token, status, code in (
        (made.json()["host_token"], 403, "token.person_needed"),
        ("x" * 43, 401, "token.unknown"),
        (None, 401, "token.missing"),
    ):
        answer = await api.get("/me", token=token)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


class TestNotices:
    async def test_a_person_chooses_what_they_are_told(self, api: Api):
        anna = await person(api)
        body = {
            "wanted": {"turn": {"mail": False}, "digest": {"feed": True}},
            "quiet": {"begins": 21, "ends": 7},
            "reminders": [24, 3],
        }
        changed = await api.ask("PATCH", "/me/notices", token=anna, json=body)
        assert changed.status_code == 200, changed.text
        shown = (await api.get("/me/notices", token=anna)).json()
        assert shown == changed.json()
        assert shown["wanted"]["turn"] == {"feed": True, "mail": False, "webhook": True, "push": True}
        assert shown["wanted"]["digest"]["feed"] is True
        assert (shown["quiet"], shown["reminders"]) == ({"begins": 21, "ends": 7}, [24, 3])

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"wanted": {"gossip": {"mail": True}}}, "notice.unknown_kind"),
            ({"wanted": {"turn": {"pigeon": True}}}, "notice.unknown_kind"),
            ({"quiet": {"begins": 24, "ends": 7}}, "body.malformed"),
            ({"reminders": [0]}, "body.malformed"),
            ({"reminders": [1, 2, 3, 4, 5]}, "body.malformed"),
        ],
    )
    async def test_what_cannot_be_chosen_is_refused(self, api: Api, body, code):
        anna = await person(api)
        answer = await api.ask("PATCH", "/me/notices", token=anna, json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_two_persons_of_one_name_are_told_apart_at_a_table(api: Api):
    first, second = await person(api), await person(api)
    made = await api.post(
        "/matches", token=first, key=fresh_key(), json={"game": "lama", "seats": [{}, {}, {}]}
    )
    path = f"/matches/{made.json()['match']}/seats"
    for token in (first, second):
        assert (await api.post(path, token=token, key=fresh_key(), json={})).status_code == 201
    state = (await api.application.reader.head(made.json()["match"])).state
    players = [seat.player for seat in state.seats if seat.player]
    assert await api.application.names.of(players) == ["Anna", "Anna B."]

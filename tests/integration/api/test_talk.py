"""Table talk: for the people at the table, and beside the log."""

from typing import Any

import pytest

from services.bootstrap import present_instant
from services.people.talk import MOST_IN_A_MINUTE, MOST_KEPT
from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_keys import made
from tests.integration.api.test_keys import sit as sit_by_key
from tests.integration.api.test_me import person


async def table(api: Api, *tokens: str, **body: Any) -> str:
    """Make a table at which everybody sits, the first of them its host; return its path."""
    asked = {"game": "lama", "seats": [{}] * (len(tokens) + 1), **body}
    answer = await api.post("/matches", token=tokens[0], key=fresh_key(), json=asked)
    path = f"/matches/{answer.json()['match']}"
    for token in tokens:
        sat = await api.post(f"{path}/seats", token=token, key=fresh_key(), json={})
        assert sat.status_code == 201, sat.text
    return path


async def said(api: Api, path: str, token: str, text: str) -> str:
    answer = await api.post(f"{path}/talk", token=token, json={"text": text})
    assert answer.status_code == 200, answer.text
    last: str = answer.json()["messages"][-1]["id"]
    return last


async def heard(api: Api, path: str, token: str, **more: Any) -> list[tuple[str, str]]:
    answer = await api.get(f"{path}/talk", token=token, **more)
    assert answer.status_code == 200, answer.text
    return [(one["name"], one["text"]) for one in answer.json()["messages"]]


async def test_people_at_a_table_talk_and_the_log_knows_nothing_of_it(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    before = (await api.get(path, token=anna)).json()["version"]
    await said(api, path, anna, "  Hello\n\u202e there  ")
    answer = await api.post(f"{path}/talk", token=bert, json={"reaction": "well-played"})
    assert answer.status_code == 200
    assert await heard(api, path, bert) == [("Anna", "Hello there"), ("Bert", "👏 Well played!")]
    french = await heard(api, path, anna, headers={"Accept-Language": "fr"})
    assert french[1] == ("Bert", "👏 Bien joué\N{NO-BREAK SPACE}!")
    assert (await api.get(path, token=anna)).json()["version"] == before
    assert "Hello" not in (await api.get(f"{path}/events?format=ndjson", token=anna)).text


async def test_nobody_else_reads_or_speaks_even_at_a_public_table(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna)
    await said(api, path, anna, "Hello")
    key, _ = await made(api, anna)
    assert (await sit_by_key(api, path, key)).status_code == 201
    for token, code in (
        (None, "token.missing"),
        ("x" * 43, "token.unknown"),
        (bert, "talk.partakers_only"),
        (key, "key.other_scope"),
    ):
        for answer in (
            await api.get(f"{path}/talk", token=token),
            await api.post(f"{path}/talk", token=token, json={"text": "Hi"}),
        ):
            assert answer.json()["code"] == code
            assert "Hello" not in answer.text


async def test_who_stands_up_reads_no_more(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    await api.post(f"{path}/leave", token=bert, json={})
    assert (await api.get(f"{path}/talk", token=bert)).json()["code"] == "talk.partakers_only"


async def test_authors_and_the_host_delete(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    by_anna, by_bert = await said(api, path, anna, "A"), await said(api, path, bert, "B")
    refused = await api.ask("DELETE", f"{path}/talk/{by_anna}", token=bert)
    assert (refused.status_code, refused.json()["code"]) == (403, "talk.not_yours")
    for message, token in ((by_bert, anna), (by_anna, anna)):
        assert (await api.ask("DELETE", f"{path}/talk/{message}", token=token)).status_code == 204
    assert await heard(api, path, bert) == []
    gone = await api.ask("DELETE", f"{path}/talk/{by_anna}", token=anna)
    assert (gone.status_code, gone.json()["code"]) == (404, "talk.unknown")


async def test_somebody_muted_is_not_read_at_any_table(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path, other = await table(api, anna, bert), await table(api, anna, bert)
    message = await said(api, path, bert, "noise")
    await said(api, other, bert, "more noise")
    muted = await api.post(f"{path}/talk/mute", token=anna, json={"message": message})
    assert (muted.json()["messages"], muted.json()["muted"]) == ([], {"Bert": message})
    assert await heard(api, other, anna) == []
    assert await heard(api, other, bert) == [("Bert", "more noise")]
    await api.post(f"{path}/talk/mute", token=anna, json={"message": message, "muted": False})
    assert await heard(api, other, anna) == [("Bert", "more noise")]


async def test_the_host_may_want_no_talk(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    refused = await api.ask("PATCH", f"{path}/talk", token=bert, json={"open": False})
    assert (refused.status_code, refused.json()["code"]) == (403, "token.host_needed")
    closed = await api.ask("PATCH", f"{path}/talk", token=anna, json={"open": False})
    assert closed.json()["open"] is False
    answer = await api.post(f"{path}/talk", token=anna, json={"text": "Hello"})
    assert (answer.status_code, answer.json()["code"]) == (403, "talk.off")
    await api.ask("PATCH", f"{path}/talk", token=anna, json={"open": True})
    await said(api, path, bert, "Hello")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "talk.malformed"),
        ({"text": " \u200b "}, "talk.malformed"),
        ({"text": "a", "reaction": "wow"}, "talk.malformed"),
        ({"text": "a" * 281}, "talk.too_long"),
        ({"reaction": "rude"}, "body.malformed"),
    ],
)
async def test_what_is_not_said_is_explained(api: Api, body, code):
    anna = await person(api)
    answer = await api.post(f"{await table(api, anna)}/talk", token=anna, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_talk_is_bounded_in_number_and_in_haste(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    match = path.rpartition("/")[2]
    for number in range(MOST_IN_A_MINUTE):
        await said(api, path, anna, str(number))
    answer = await api.post(f"{path}/talk", token=anna, json={"text": "once more"})
    assert (answer.status_code, answer.json()["code"]) == (429, "requests.too_many")
    await said(api, path, bert, "others still may")
    talk = api.application.talk
    for number in range(MOST_KEPT):
        await talk.say(match, f"player-{number}", "", text="x")
    assert len(await talk.of(match)) == MOST_KEPT
    assert await api.application.log_client.ttl(f"tb:people:talk:{match}") > 0


async def test_who_has_a_seats_token_only_talks_too(api: Api):
    sat = await Table.started(api)
    await said(api, sat.path, sat.seats[0], "Hello")
    assert await heard(api, sat.path, sat.seats[1]) == [("somebody", "Hello")]
    message = (await api.get(f"{sat.path}/talk", token=sat.host)).json()["messages"][0]["id"]
    refused = await api.post(f"{sat.path}/talk/mute", token=sat.seats[1], json={"message": message})
    assert (refused.status_code, refused.json()["code"]) == (403, "token.person_needed")


async def test_who_is_erased_has_said_nothing(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    path = await table(api, anna, bert)
    await said(api, path, bert, "a secret")
    await said(api, path, anna, "Hello")
    application = api.application
    seats = (await api.get(path)).json()["seats"]
    (owner,) = await application.memberships.persons_of([seats[1]["player"]])
    shown = await application.dossiers.of(owner)
    assert [one["said"] for one in shown["talk"][path.rpartition("/")[2]]] == ["a secret"]
    await application.dossiers.erase(owner, present_instant())
    assert await heard(api, path, anna) == [("Anna", "Hello")]
    left = [name async for name in application.log_client.scan_iter(f"*{owner}*")]
    assert left == []


async def test_the_feed_tells_where_something_was_said(api: Api):
    anna = await person(api)
    path, talk = await table(api, anna), api.application.talk
    _, place = await talk.news("")
    message = await said(api, path, anna, "Hello")
    matches, place = await talk.news(place)
    assert matches == {path.rpartition("/")[2]}
    assert (await talk.news(place))[0] == set()
    await api.ask("DELETE", f"{path}/talk/{message}", token=anna)
    assert (await talk.news(place))[0] == matches


async def test_what_is_sent_twice_under_one_key_is_said_once(api: Api):
    table = await Table.started(api)
    for key, text in (("k1", "Hello"), ("k1", "Hello"), ("k1", "Bye"), ("k2", "Hello")):
        said = await api.post(f"{table.path}/talk", token=table.seats[0], key=key, json={"text": text})
        assert said.status_code == 200, said.text
    heard = (await api.get(f"{table.path}/talk", token=table.seats[1])).json()
    assert [one["text"] for one in heard["messages"]] == ["Hello", "Bye", "Hello"]

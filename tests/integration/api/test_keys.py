"""Bots that people bring: with a key they hold seats of their own, and nothing else opens."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.bootstrap import present_instant
from tests.integration.api.serving import serving
from tests.integration.api.tables import Api, fresh_key
from tests.integration.api.test_me import person
from tests.integration.api.test_turns import matches, turns
from tests.kit.checkout import ROOT


async def made(api: Api, anna: str, name: str = "Robo", **more: Any) -> tuple[str, str]:
    answer = await api.post("/me/keys", token=anna, key=fresh_key(), json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    told = answer.json()
    return told["token"], told["key"]["id"]


async def table_of(api: Api, anna: str, *, ready: bool = True, **body: Any) -> str:
    """Make a table for two at which Anna sits; return its path."""
    asked = {"game": "lama", "seats": [{}, {}], "options": {"first": 1}, **body}
    answer = await api.post("/matches", token=anna, key=fresh_key(), json=asked)
    path = f"/matches/{answer.json()['match']}"
    sat = await api.post(f"{path}/seats", token=anna, key=fresh_key(), json={"seat": 0, "ready": ready})
    assert sat.status_code == 201, sat.text
    return path


async def sit(api: Api, path: str, key: str, **body: Any) -> Any:
    return await api.post(f"{path}/seats", token=key, key=fresh_key(), json=body)


async def test_a_bot_holds_a_seat_of_its_own_beside_its_person(api: Api):
    anna = await person(api)
    key, _ = await made(api, anna)
    assert key.startswith("tablee_")
    path = await table_of(api, anna)
    sat = await sit(api, path, key, ready=True)
    assert (sat.status_code, sat.json()["seat"], sat.json()["seat_token"]) == (201, 1, ""), sat.text
    view = (await api.get(path, token=key)).json()
    assert view["viewer"] == 1
    assert [bool(seat.get("program")) for seat in view["seats"]] == [False, True]
    if view["lifecycle"]["phase"] == "gathering":
        await api.post(f"{path}/start", token=anna, json={})
    view, mine = (await api.get(path, token=key)).json(), (await api.get(path, token=anna)).json()
    assert (view["viewer"], mine["viewer"]) == (1, 0)
    # Neither sees the other's cards.
    assert all(view["game"]["hands"][1])
    assert view["game"]["hands"][0] != mine["game"]["hands"][0]
    moved = await api.post(
        f"{path}/moves", token=key, key="m", if_match=view["version"], json={"type": "quit"}
    )
    assert moved.status_code == 200, moved.text
    refused = await api.post(f"{path}/abandon", token=key, json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "token.host_needed")


async def test_the_inbox_of_a_bot_is_its_own(api: Api):
    anna = await person(api)
    key, _ = await made(api, anna)
    path = await table_of(api, anna)
    assert (await turns(api, key))["waiting"] == []
    assert (await sit(api, path, key)).status_code == 201
    (waiting,) = (await turns(api, key))["turns"]
    assert (waiting["seat"], [one["what"] for one in waiting["awaited"]]) == (1, ["ready"])
    assert [one["name"] for one in waiting["players"]] == ["Anna", "Bot Robo (Anna)"]
    assert [one["kind"] for one in waiting["players"]] == ["person", "bot"]
    # What the bot looks at, its person has not seen.
    await api.get(path, token=key)
    assert matches((await turns(api, anna))["moved"]) == [path.rpartition("/")[2]]


async def test_a_key_for_the_inbox_reads_it_and_nothing_else(api: Api):
    anna = await person(api)
    key, _ = await made(api, anna, "My lamp", scope="inbox")
    path = await table_of(api, anna)
    assert (await turns(api, key)) == (await turns(api, anna))
    for answer in (
        await api.get(path, token=key),
        await sit(api, path, key),
        await api.post(f"{path}/ready", token=key, json={}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "key.other_scope")


async def test_a_key_is_no_person(api: Api):
    anna = await person(api)
    key, key_id = await made(api, anna)
    for method, path in (
        ("GET", "/me"),
        ("PATCH", "/me"),
        ("GET", "/me/keys"),
        ("POST", "/me/keys"),
        ("DELETE", f"/me/keys/{key_id}"),
    ):
        answer = await api.ask(method, path, token=key, key=fresh_key(), json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "token.person_needed"), path
    answer = await api.post("/matches", token=key, key=fresh_key(), json={"game": "lama", "seats": [{}, {}]})
    assert (answer.status_code, answer.json()["code"]) == (401, "token.unknown")


async def test_a_revoked_key_opens_nothing_and_a_bot_of_the_house_plays_on(api: Api):
    anna, bert = await person(api), await person(api, "Bert")
    key, key_id = await made(api, anna)
    path, waiting = await table_of(api, anna), await table_of(api, anna, ready=False)
    for one in (path, waiting):
        assert (await sit(api, one, key, ready=True)).status_code == 201
    if (await api.get(path)).json()["lifecycle"]["phase"] == "gathering":
        await api.post(f"{path}/start", token=anna, json={})
    (listed,) = (await api.get("/me/keys", token=anna)).json()["keys"]
    assert (listed["name"], listed["scope"], len(listed["seats"])) == ("Robo", "bot", 2)
    assert listed["seen"] is not None
    assert "token" not in listed
    foreign = await api.ask("DELETE", f"/me/keys/{key_id}", token=bert)
    assert (foreign.status_code, foreign.json()["code"]) == (404, "key.unknown")
    assert (await api.ask("DELETE", f"/me/keys/{key_id}", token=anna)).status_code == 204
    assert (await api.get(path, token=key)).json()["code"] == "token.unknown"
    assert (await api.get("/me/turns", token=key)).json()["code"] == "token.unknown"
    assert (await api.get(path)).json()["seats"][1]["stand_in"] is True
    assert (await api.get(waiting)).json()["seats"][1]["kind"] == "open"
    assert (await api.get("/me/keys", token=anna)).json()["keys"] == []
    again = await api.ask("DELETE", f"/me/keys/{key_id}", token=anna)
    assert again.status_code == 404


async def test_the_same_request_makes_one_key_and_only_its_hash_is_kept(api: Api):
    anna, key = await person(api), fresh_key()
    answers = await asyncio.gather(
        *(api.post("/me/keys", token=anna, key=key, json={"name": "Robo"}) for _ in range(3))
    )
    assert {answer.status_code for answer in answers} == {201}
    (token,) = {answer.json()["token"] for answer in answers}
    assert len((await api.get("/me/keys", token=anna)).json()["keys"]) == 1
    client = api.application.log_client
    async for name in client.scan_iter():
        assert token not in name.decode()
        if await client.type(name) == b"string":
            assert token.encode() not in (await client.get(name) or b"")


async def test_keys_are_few_and_named(api: Api):
    anna = await person(api)
    for number in range(10):
        await made(api, anna, f"Robo {number}")
    answer = await api.post("/me/keys", token=anna, key=fresh_key(), json={"name": "Robo"})
    assert (answer.status_code, answer.json()["code"]) == (403, "keys.too_many")
    answer = await api.post("/me/keys", token=anna, key=fresh_key(), json={"name": "\u200b \n"})
    assert (answer.status_code, answer.json()["code"]) == (400, "key.name_missing")


async def test_who_is_erased_takes_their_bots_along(api: Api):
    anna = await person(api)
    key, _ = await made(api, anna)
    path = await table_of(api, anna)
    assert (await sit(api, path, key, ready=True)).status_code == 201
    player = (await api.get(path)).json()["seats"][1]["player"]
    application = api.application
    seats = (await api.get(path)).json()["seats"]
    (owner,) = await application.memberships.persons_of([seats[0]["player"]])
    shown = await application.dossiers.of(owner)
    assert shown["keys"][0]["name"] == "Robo"
    assert "secret" not in str(shown["keys"])
    await application.dossiers.erase(owner, present_instant())
    assert await application.names.of([player]) == [""]
    assert (await api.get("/me/turns", token=key)).json()["code"] == "token.unknown"
    keys = [name async for name in application.log_client.scan_iter("tb:people:key*")]
    assert keys == []


GUIDE = ROOT / "docs" / "learn" / "your-own-bot.md"


@pytest.mark.xdist_group("api server")
async def test_the_bot_of_the_guide_plays_a_match_to_its_end(tmp_path: Path):
    (script,) = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    with serving(tmp_path / "data", TABLEE_ADDRESS_RATE="0") as server:
        file = tmp_path / "robo.py"
        file.write_text(
            script.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}").replace("sleep(1)", "sleep(0.05)")
        )
        async with httpx.AsyncClient(base_url=server.url) as client:
            api = Api(client)
            anna = await person(api)
            robots = [(await made(api, anna, name))[0] for name in ("Robo", "Robi")]
            body = {"game": "lama", "seats": [{}, {}], "options": {"limit": "single"}, "start": "ready"}
            answer = await api.post("/matches", token=anna, key=fresh_key(), json=body)
            match = answer.json()["match"]
            running = [
                asyncio.create_task(
                    asyncio.to_thread(
                        subprocess.run,
                        [sys.executable, str(file), key, match],
                        capture_output=True,
                        text=True,
                        check=False,
                        timeout=60,
                    )
                )
                for key in robots
            ]
            ended = await asyncio.gather(*running)
            view = (await api.get(f"/matches/{match}")).json()
    assert [one.returncode for one in ended] == [0, 0], [one.stderr for one in ended]
    assert view["lifecycle"]["phase"] == "finished"
    assert all(seat["program"] for seat in view["seats"])

"""Coming back in through the API; devices, files and erasures; a seat that its host gives back."""

import pytest

from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_me import person


async def came_back(api: Api, token: str | None = None, **body: object):
    return await api.post("/me/sessions", token=token, key=fresh_key(), json=body)


async def link_of(api: Api, token: str) -> str:
    made = await api.post("/me/links", token=token, key=fresh_key())
    assert made.status_code == 201, made.text
    assert made.json()["address"].endswith(f"/s/{made.json()['token']}")
    return str(made.json()["token"])


class TestComingBack:
    async def test_a_link_lets_a_second_program_in_once(self, api: Api):
        anna = await person(api)
        link = await link_of(api, anna)
        shown = await api.get(f"/me/links/{link}")
        assert (shown.json()["leads_to"], shown.json()["state"], shown.json()["name"]) == (
            "person",
            "valid",
            "Anna",
        )
        second = await came_back(api, link=link)
        assert (second.status_code, second.json()["me"]["name"]) == (201, "Anna")
        assert second.json()["token"] != anna
        assert (await api.get(f"/me/links/{link}")).json()["state"] == "used"
        late = await came_back(api, link=link)
        assert (late.status_code, late.json()["code"]) == (410, "link.used")
        devices = (await api.get("/me/devices", token=anna)).json()["devices"]
        assert [device["here"] for device in devices].count(True) == 1
        assert len(devices) == 2

    async def test_the_same_request_gets_the_same_answer(self, api: Api):
        anna = await person(api)
        link, key = await link_of(api, anna), fresh_key()
        answers = [await api.post("/me/sessions", key=key, json={"link": link}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].json() == answers[1].json()

    async def test_a_recovery_code_lets_in_until_it_is_given_up(self, api: Api):
        anna = await person(api)
        assert (await api.get("/me/recovery-code", token=anna)).json() == {"since": "", "used": ""}
        code = (await api.post("/me/recovery-code", token=anna, key=fresh_key())).json()["code"]
        back = await came_back(api, recovery_code=code)
        assert (back.status_code, back.json()["me"]["name"]) == (201, "Anna")
        assert (await api.get("/me/recovery-code", token=anna)).json()["used"]
        assert (await api.ask("DELETE", "/me/recovery-code", token=anna)).status_code == 204
        late = await came_back(api, recovery_code=code)
        assert (late.status_code, late.json()["code"]) == (404, "recovery_code.unknown")

    async def test_somebody_else_joins_or_only_switches(self, api: Api):
        anna, phone = await person(api), await person(api, "Phone")
        body = {"game": "lama", "seats": [{}, {"bot": "steady"}]}
        made = await api.post("/matches", token=phone, key=fresh_key(), json=body)
        match = made.json()["match"]
        await api.post(f"/matches/{match}/seats", token=phone, key=fresh_key(), json={})
        joined = await came_back(api, phone, link=await link_of(api, anna), join=True)
        assert joined.status_code == 201, joined.text
        assert (await api.get(f"/matches/{match}", token=anna)).json()["viewer"] == 0
        assert (await api.get("/me", token=phone)).status_code == 401

    @pytest.mark.parametrize("body", [{}, {"link": "x", "recovery_code": "y"}])
    async def test_one_way_at_a_time(self, api: Api, body):
        answer = await came_back(api, **body)
        assert (answer.status_code, answer.json()["code"]) == (400, "way_back.missing")

    async def test_a_link_that_was_taken_back_opens_nothing(self, api: Api):
        anna = await person(api)
        link = await link_of(api, anna)
        assert (await api.ask("DELETE", "/me/links", token=anna)).status_code == 204
        answer = await came_back(api, link=link)
        assert (answer.status_code, answer.json()["code"]) == (410, "link.revoked")
        assert (await api.get("/me/links/" + "x" * 43)).json()["code"] == "link.unknown"


class TestDevices:
    async def test_signing_out_everywhere_else(self, api: Api):
        anna = await person(api)
        other = (await came_back(api, link=await link_of(api, anna))).json()["token"]
        unused = await link_of(api, anna)
        ended = await api.ask("DELETE", "/me/devices", token=anna)
        assert ended.json() == {"ended": 1}
        assert (await api.get("/me", token=other)).status_code == 401
        assert (await api.get("/me", token=anna)).status_code == 200
        assert (await came_back(api, link=unused)).json()["code"] == "link.revoked"

    async def test_one_device_and_never_another_persons(self, api: Api):
        anna, bert = await person(api), await person(api, "Bert")
        (device,) = (await api.get("/me/devices", token=anna)).json()["devices"]
        answer = await api.ask("DELETE", f"/me/devices/{device['id']}", token=bert)
        assert (answer.status_code, answer.json()["code"]) == (404, "device.unknown")
        assert (await api.ask("DELETE", f"/me/devices/{device['id']}", token=anna)).status_code == 204
        assert (await api.get("/me", token=anna)).status_code == 401


class TestDossiers:
    async def test_the_file_and_then_nothing(self, api: Api):
        anna = await person(api)
        table = await Table.make(api, people=1, bots=1)
        sat = await api.post(f"{table.path}/seats", token=anna, key=fresh_key(), json={})
        assert sat.status_code == 201
        file = (await api.get("/me/file", token=anna)).json()
        assert (file["person"]["name"], file["tables"][0]["match"]) == ("Anna", table.id)
        assert anna not in (await api.get("/me/file", token=anna)).text
        assert (await api.ask("DELETE", "/me", token=anna)).status_code == 204
        assert (await api.get("/me", token=anna)).status_code == 401
        assert (await table.view())["seats"][0]["kind"] == "open"


class TestSeats:
    async def test_the_host_gives_a_lost_seat_back_and_old_tokens_open_nothing(self, api: Api):
        table = await Table.make(api)
        seat = await table.sit()
        made = await api.post(f"{table.path}/seats/{seat}/links", token=table.host, key=fresh_key())
        assert made.status_code == 201, made.text
        shown = (await api.get(f"/me/links/{made.json()['token']}")).json()
        assert (shown["leads_to"], shown["match"]) == ("seat", table.id)
        assert (await api.get(table.path, token=table.seats[seat])).status_code == 200
        anna = await person(api)
        back = await came_back(api, anna, link=made.json()["token"])
        assert (back.status_code, back.json()["match"], back.json()["token"]) == (201, table.id, anna)
        assert (await api.get(table.path, token=anna)).json()["viewer"] == seat
        for path in ("", "/events", "/stream"):
            answer = await api.get(table.path + path, token=table.seats[seat])
            assert (answer.status_code, answer.json()["code"]) == (401, "token.unknown"), path

    async def test_nobody_else_and_not_after_the_deal(self, api: Api):
        table = await Table.make(api)
        seat = await table.sit()
        anna = await person(api)
        for token, code in (
            (table.seats[seat], "token.host_needed"),
            (anna, "token.host_needed"),
            (None, "token.missing"),
        ):
            answer = await api.post(f"{table.path}/seats/{seat}/links", token=token, key=fresh_key())
            assert answer.json()["code"] == code
        answer = await api.post(f"{table.path}/seats/{1 - seat}/links", token=table.host, key=fresh_key())
        assert (answer.status_code, answer.json()["code"]) == (409, "seat.empty")
        for given in ("7", "x"):
            answer = await api.post(f"{table.path}/seats/{given}/links", token=table.host, key=fresh_key())
            assert (answer.status_code, answer.json()["code"]) == (422, "seat.unknown")
        started = await Table.started(api)
        answer = await api.post(f"{started.path}/seats/0/links", token=started.host, key=fresh_key())
        assert (answer.status_code, answer.json()["code"]) == (422, "seat.reissued_by_operator")

    async def test_who_got_a_seat_by_its_token_takes_no_second_one(self, api: Api):
        table = await Table.make(api)
        seat, anna = await table.sit(), await person(api)
        assert (await came_back(api, anna, link=table.seats[seat])).status_code == 201
        answer = await api.post(f"{table.path}/seats", token=anna, key=fresh_key(), json={})
        assert (answer.status_code, answer.json()["code"]) == (409, "player.already_seated")
        assert (await api.get(table.path, token=anna)).json()["viewer"] == seat

    async def test_an_old_token_is_a_way_in_and_stays_good(self, api: Api):
        table = await Table.started(api)
        back = await came_back(api, link=table.seats[0])
        assert (back.status_code, back.json()["match"]) == (201, table.id)
        assert (await api.get(table.path, token=back.json()["token"])).json()["viewer"] == 0
        both = await came_back(api, back.json()["token"], link=table.seats[1])
        assert (both.status_code, both.json()["code"]) == (403, "person.sits_twice")

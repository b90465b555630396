"""Passkeys through the API: a device of one's own keeps one, and lets a program back in."""

import json
from collections.abc import AsyncIterator

import pytest

from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, fresh_key
from tests.integration.api.test_me import person
from tests.kit.authenticator import Authenticator

ORIGIN = "https://tablee.test"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with running_api() as running:
        running.client.base_url = ORIGIN
        yield running


async def kept(api: Api, token: str, device: Authenticator, name: str = "My phone") -> str:
    options = await api.post("/me/passkeys/options", token=token)
    assert options.status_code == 200, options.text
    body = {"answer": device.create(options.text), "name": name}
    made = await api.post("/me/passkeys", token=token, json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def test_a_passkey_lets_a_program_back_in(api: Api):
    anna, phone, key = await person(api), Authenticator(ORIGIN), fresh_key()
    await kept(api, anna, phone)
    options = await api.post("/me/sessions/options", key=key)
    body = {"passkey": phone.get(options.text)}
    back = await api.post("/me/sessions", key=key, json=body)
    assert (back.status_code, back.json()["me"]["name"]) == (201, "Anna")
    again = await api.post("/me/sessions", key=key, json=body)
    assert (again.status_code, again.json()["code"]) == (422, "passkey.challenge_over")
    devices = (await api.get("/me/devices", token=anna)).json()["devices"]
    assert sorted(device["by"] for device in devices) == ["", "passkey"]


async def test_what_is_kept_is_shown_renamed_taken_along_and_removed(api: Api):
    anna, phone, key = await person(api), Authenticator(ORIGIN), fresh_key()
    made = await kept(api, anna, phone)
    (shown,) = (await api.get("/me/passkeys", token=anna)).json()["passkeys"]
    assert (shown["name"], shown["host"], shown["used"]) == ("My phone", "tablee.test", "")
    renamed = await api.ask("PATCH", f"/me/passkeys/{made}", token=anna, json={"name": "Old phone"})
    assert renamed.json()["name"] == "Old phone"
    file = (await api.get("/me/file", token=anna)).json()
    assert "Old phone" in json.dumps(file)
    assert (await api.ask("DELETE", f"/me/passkeys/{made}", token=anna)).status_code == 204
    gone = await api.ask("DELETE", f"/me/passkeys/{made}", token=anna)
    assert (gone.status_code, gone.json()["code"]) == (404, "passkey.unknown")
    options = await api.post("/me/sessions/options", key=key)
    late = await api.post("/me/sessions", key=key, json={"passkey": phone.get(options.text)})
    assert (late.status_code, late.json()["code"]) == (404, "passkey.unknown")


async def test_whoever_is_erased_comes_back_by_no_passkey(api: Api):
    anna, phone, key = await person(api), Authenticator(ORIGIN), fresh_key()
    await kept(api, anna, phone)
    assert (await api.ask("DELETE", "/me", token=anna)).status_code < 300
    assert [one async for one in api.application.log_client.scan_iter(match="*passkey*")] == []
    options = await api.post("/me/sessions/options", key=key)
    late = await api.post("/me/sessions", key=key, json={"passkey": phone.get(options.text)})
    assert late.json()["code"] == "passkey.unknown"


async def test_an_address_without_https_keeps_none(api: Api):
    anna = await person(api)
    api.client.base_url = "http://tablee.test"
    for path, more in (
        ("/me/passkeys/options", {"token": anna}),
        ("/me/sessions/options", {"key": "k" * 32}),
    ):
        answer = await api.post(path, **more)
        assert (answer.status_code, answer.json()["code"]) == (422, "passkey.not_here")

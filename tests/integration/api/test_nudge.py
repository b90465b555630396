"""Nudging through the API."""

from tests.integration.api.tables import Api
from tests.integration.api.test_me import person
from tests.integration.api.test_talk import table


async def test_who_sits_there_may_nudge_and_is_told_why_not(api: Api, monkeypatch):
    anna, bert, stranger = await person(api), await person(api, "Bert"), await person(api, "Cleo")
    path = await table(api, anna, bert)
    assert (await api.post(f"{path}/nudge", token=stranger, json={"seat": 0})).status_code == 403
    refused = await api.post(f"{path}/nudge", token=anna, json={"seat": 2})
    assert (refused.status_code, refused.json()["code"]) == (409, "nudge.nobody")
    assert refused.json()["detail"]
    refused = await api.post(f"{path}/nudge", token=anna, json={"seat": 99})
    assert refused.json()["code"] == "nudge.nobody"
    # Three at a table that is not full: nobody is waited for yet.
    refused = await api.post(f"{path}/nudge", token=anna, json={"seat": 1})
    assert refused.json()["code"] == "nudge.not_awaited"
    cleo = await api.post(f"{path}/seats", token=stranger, key="k" * 43, json={})
    assert cleo.status_code == 201, cleo.text
    refused = await api.post(f"{path}/nudge", token=anna, json={"seat": 1})
    assert refused.json()["code"] == "nudge.too_early"
    monkeypatch.setattr("services.notices.nudging.PATIENCE_SECONDS", 0)
    assert (await api.post(f"{path}/nudge", token=anna, json={"seat": 1})).status_code == 204
    again = await api.post(f"{path}/nudge", token=stranger, json={"seat": 1})
    assert (again.status_code, again.json()["code"]) == (409, "nudge.already")

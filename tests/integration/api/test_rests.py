"""When clocks rest, through the API and on the page."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.integration.api.tables import Api, Table, fresh_key

CHOSEN = {
    "night": {"begins": 22, "ends": 8},
    "days": [6, 7],
    "holidays": [{"first": "2027-12-24", "last": "2028-01-02"}],
}


async def somebody(api: Api) -> str:
    made = await api.post("/me", key=fresh_key(), json={"time_zone": "Europe/Paris"})
    return str(made.json()["token"])


async def test_what_is_chosen_is_shown(api: Api):
    token = await somebody(api)
    assert (await api.get("/me/rests", token=token)).json() == {
        "night": None,
        "days": [],
        "holidays": [],
        "time_zone": "Europe/Paris",
    }
    answer = await api.ask("PUT", "/me/rests", token=token, json=CHOSEN)
    assert answer.status_code == 200
    assert answer.json() == {**CHOSEN, "time_zone": "Europe/Paris"}
    assert (await api.get("/me/rests", token=token)).json() == {**CHOSEN, "time_zone": "Europe/Paris"}
    await api.ask("PUT", "/me/rests", token=token, json={})
    assert (await api.get("/me/rests", token=token)).json()["night"] is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"night": {"begins": 20, "ends": 9}}, "rest.night_too_long"),
        ({"days": [1, 2, 3, 4]}, "rest.too_many_days"),
        ({"holidays": [{"first": "2027-01-01", "last": "2027-03-01"}]}, "rest.holidays_too_long"),
    ],
)
async def test_too_much_is_refused_and_changes_nothing(api: Api, body, code):
    token = await somebody(api)
    answer = await api.ask("PUT", "/me/rests", token=token, json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert (await api.get("/me/rests", token=token)).json()["night"] is None


async def test_it_holds_at_once_at_tables_that_allow_it(api: Api):
    table = await Table.make(api, clock={"per_turn": 86_400, "rests": True})
    tokens = [await somebody(api), await somebody(api)]
    for seat, token in enumerate(tokens):
        body = {"seat": seat, "ready": True}
        seated = await api.post(f"{table.path}/seats", key=fresh_key(), token=token, json=body)
        assert seated.status_code == 201
    await api.post(f"{table.path}/start", token=table.host)
    before = (await api.get(table.path)).json()["deadlines"]
    # A rest that has begun already, whatever day it is: today and the two days after it.
    today = datetime.now(ZoneInfo("Europe/Paris")).isoweekday()
    week = {"days": sorted((day - 1) % 7 + 1 for day in range(today, today + 3))}
    for token in tokens:
        await api.ask("PUT", "/me/rests", token=token, json=week)
    after = (await api.get(table.path)).json()
    assert before
    assert all(after["deadlines"][seat] > deadline for seat, deadline in before.items())
    assert {seat for rest in after["rests"] for seat in rest["seats"]} == {0, 1}

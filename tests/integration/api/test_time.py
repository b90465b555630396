"""Time through the API: clocks that tables choose, pauses, gifts, and what views tell."""

import pytest

from tests.integration.api.tables import Api, Table, fresh_key

CLOCK = {"per_turn": 86_400, "bank": 3600, "absent": "forfeit", "misses": 3, "rests": True}


async def test_a_table_chooses_its_clock(api: Api):
    table = await Table.make(api, clock=CLOCK)
    view = (await api.get(table.path)).json()
    assert view["terms"]["clock"] == CLOCK
    assert view["bank"] == {"0": 3600, "1": 3600}


@pytest.mark.parametrize(
    ("clock", "code"),
    [
        ({"per_turn": 60, "bank": 2_592_001}, "clock.bank_out_of_range"),
        ({"per_turn": 60, "misses": 0}, "clock.misses_out_of_range"),
        ({"per_turn": 60, "misses": 10}, "clock.misses_out_of_range"),
        ({"per_turn": 60, "absent": "punish"}, "clock.absent_unknown"),
        ({"bank": 60}, "clock.needs_turns"),
        ({"per_turn": 60, "rests": True}, "clock.too_quick_for_rests"),
    ],
)
async def test_a_clock_that_no_table_can_have_is_refused(api: Api, clock, code):
    body = {"game": "lama", "seats": [{}, {}], "clock": clock}
    answer = await api.post("/matches", key=fresh_key(), json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


async def test_all_pause_together(api: Api):
    table = await (await Table.make(api, clock={"per_turn": 60})).begin()
    asked = await api.post(f"{table.path}/ask-to-pause", token=table.seats[0], json={"seconds": 3600})
    assert asked.status_code == 200
    view = (await api.get(table.path)).json()
    (request,) = view["requests"]
    assert (request["kind"], request["seconds"], request["seat"]) == ("pause", 3600, 0)
    before = max(view["deadlines"].values())
    agreed = await api.post(
        f"{table.path}/requests/{request['id']}/answer", token=table.seats[1], json={"agree": True}
    )
    assert agreed.status_code == 200
    view = (await api.get(table.path)).json()
    assert [rest["why"] for rest in view["rests"]] == ["pause"]
    assert min(view["deadlines"].values()) > before


async def test_a_gift_is_seen_by_all(api: Api):
    table = await (await Table.make(api, clock={"per_turn": 600})).begin()
    view = (await api.get(table.path)).json()
    asked = view["to_act"][0]
    token = table.seats[1 - asked]
    answer = await api.post(f"{table.path}/give-time", token=token, json={"to": asked, "seconds": 150})
    assert answer.status_code == 200
    later = (await api.get(table.path)).json()
    assert later["deadlines"][str(asked)] > view["deadlines"][str(asked)]
    again = await api.post(f"{table.path}/give-time", token=token, json={"to": asked, "seconds": 451})
    assert (again.status_code, again.json()["code"]) == (422, "time.given_enough")
    own = await api.post(
        f"{table.path}/give-time", token=table.seats[asked], json={"to": asked, "seconds": 1}
    )
    assert (own.status_code, own.json()["code"]) == (422, "time.own")

"""Plans through the API: for their owners alone."""

from tests.integration.api.tables import Api, Table


async def test_a_plan_is_made_shown_to_its_owner_and_cancelled(api: Api):
    table = await Table.started(api, "odin", options={"first": 0})
    path, token = f"{table.path}/plan", table.seats[1]
    assert (await api.get(path, token=token)).json() == {"plan": None, "suspended": False}
    made = await api.ask("PUT", path, token=token, json={"plan": {"type": "pass_when_beaten"}})
    assert made.json() == {"plan": {"type": "pass_when_beaten"}, "suspended": False}
    assert (await api.get(path, token=table.seats[0])).json()["plan"] is None
    assert "pass_when_beaten" not in (await api.get(table.path, token=table.seats[0])).text
    gone = await api.ask("DELETE", path, token=token)
    assert gone.json() == {"plan": None, "suspended": False}


async def test_a_plan_acts_at_once_if_it_is_ones_turn(api: Api):
    table = await Table.started(api, "odin", options={"first": 0})
    view = (await api.get(table.path, token=table.seats[0])).json()
    lead = {"type": "play", "cards": view["legal"]["sets"][0]}
    moved = await api.post(
        f"{table.path}/moves", token=table.seats[0], key="k" * 32, if_match=view["asked_at"], json=lead
    )
    assert moved.status_code == 200
    body = {"plan": {"type": "pass_this_trick"}}
    assert (await api.ask("PUT", f"{table.path}/plan", token=table.seats[1], json=body)).status_code == 200
    assert (await api.get(table.path)).json()["to_act"] == [0]


async def test_what_no_game_has_is_refused(api: Api):
    table = await Table.started(api, "odin")
    for plan in ({"type": "cheat"}, {"type": "take_if_low", "most": 3, "slot": 4}, {}):
        answer = await api.ask("PUT", f"{table.path}/plan", token=table.seats[0], json={"plan": plan})
        assert (answer.status_code, answer.json()["code"]) == (422, "plan.unknown")


async def test_without_a_seat_there_is_no_plan(api: Api):
    table = await Table.started(api, "odin")
    assert (await api.get(f"{table.path}/plan")).status_code == 401
    assert (await api.get(f"{table.path}/plan", token=table.host)).status_code == 403

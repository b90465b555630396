"""A club's hall of records over HTTP, from matches that were really played."""

from tests.integration.api.tables import Api
from tests.integration.api.test_clubs import Clubhouse
from tests.integration.api.test_played import played_out


async def records(house: Clubhouse, query: str = "", who: str = "member"):
    await house.api.list_anew()
    return await house.api.get(f"{house.path}/records{query}", token=house.people[who])


async def test_a_hall_of_records_leads_to_the_moments(api: Api):
    house = await Clubhouse.make(api)
    empty = (await records(house)).json()
    assert (empty["games"], empty["records"]) == ([], [])
    match = await played_out(house, "lama")
    await played_out(house, "lama", friendly=True)
    found = (await records(house, "?game=lama")).json()
    assert found["games"] == ["lama"]
    assert {one["match"] for one in found["records"]} == {match}
    dearest = next(one for one in found["records"] if one["record"] == "highest_round")
    assert dearest["name"] in {"Hanna", "Max"}
    told = (await api.get(f"/matches/{match}/moments", token=house.people["member"])).json()
    moments = {one["version"] for question in told["questions"] for one in question["moments"]}
    assert dearest["version"] in moments
    sheet = await records(house, "?game=lama&format=csv")
    assert sheet.headers["content-type"].startswith("text/csv")
    assert sheet.text.splitlines()[0].startswith("record,title,rank,value,text,member,name,match,version")
    assert len(sheet.text.splitlines()) == 1 + len(found["records"])
    assert (await records(house, "?format=xml")).status_code == 400
    assert (await records(house, "?game=chess")).status_code == 400
    assert (await records(house, who="stranger")).status_code == 404

"""Positions that somebody keeps, with their notes: theirs alone, unless they share one."""

import pytest

from services.people.bookmarks import LONGEST_NOTE
from tests.integration.api.tables import Api
from tests.integration.api.test_clubs import Clubhouse
from tests.integration.api.test_standings import played


@pytest.fixture
async def kept(api: Api):
    house = await Clubhouse.make(api)
    return house, f"/me/bookmarks/{await played(house, 'member', 'host')}/3"


async def listed(house: Clubhouse, who: str = "member"):
    answer = await house.api.get("/me/bookmarks", token=house.people[who])
    assert answer.status_code == 200, answer.text
    return answer.json()["bookmarks"]


async def put(house: Clubhouse, address: str, who: str = "member", **body):
    return await house.api.ask("PUT", address, token=house.people[who], json=body)


async def test_a_position_is_kept_changed_and_forgotten(kept):
    house, address = kept
    first = await put(house, address, note="  Here.\nOr before.  ")
    assert first.status_code == 200, first.text
    assert first.json()["note"] == "Here.\nOr before."
    assert first.json()["address"].endswith("/replay?at=3")
    assert first.json()["shared"] == ""
    again = await put(house, address, note="There.", shared=True)
    assert again.json()["shared"].startswith("/b/")
    assert (await put(house, address, note="There!", shared=True)).json()["shared"] == again.json()["shared"]
    assert [one["note"] for one in await listed(house)] == ["There!"]
    assert await listed(house, "host") == []
    for _ in range(2):
        gone = await house.api.ask("DELETE", address, token=house.people["member"])
        assert gone.status_code == 204
    assert await listed(house) == []


async def test_only_what_one_may_look_at_is_kept_and_only_so_much(kept, monkeypatch):
    house, address = kept
    assert (await put(house, address, "stranger")).status_code == 404
    assert (await house.api.ask("PUT", address, json={})).status_code == 401
    match = address.split("/")[3]
    beyond = await put(house, f"/me/bookmarks/{match}/999")
    assert (beyond.status_code, beyond.json()["code"]) == (404, "version.unknown")
    assert (await put(house, f"/me/bookmarks/{match}/x")).status_code == 400
    assert (await put(house, address, note="x" * (LONGEST_NOTE + 1))).status_code == 400
    monkeypatch.setattr("services.people.bookmarks.MOST", 1)
    assert (await put(house, address)).status_code == 200
    full = await put(house, f"/me/bookmarks/{match}/4")
    assert (full.status_code, full.json()["code"]) == (422, "bookmark.too_many")
    assert (await put(house, address, note="the same one")).status_code == 200


async def test_they_are_in_the_file_and_go_with_their_person(kept):
    house, address = kept
    shared = (await put(house, address, note="Mine.", shared=True)).json()["shared"]
    token = house.people["member"]
    file = (await house.api.get("/me/file", token=token)).json()
    text = str(file)
    assert "Mine." in text
    assert shared.removeprefix("/b/") not in text
    bookmarks = house.api.application.bookmarks
    assert await bookmarks.shared(shared.removeprefix("/b/")) is not None
    await house.api.ask("DELETE", "/me", token=token, json={})
    assert await bookmarks.shared(shared.removeprefix("/b/")) is None


async def test_bookmarks_move_with_a_person_who_becomes_one_with_another(kept):
    house, address = kept
    match = address.split("/")[3]
    await put(house, address, note="Mine.", shared=True)
    await put(house, f"/me/bookmarks/{match}/4", note="Mine, too.")
    bookmarks = house.api.application.bookmarks
    (person,) = {
        one.person
        for one in [await bookmarks.shared((await listed(house))[-1]["shared"].removeprefix("/b/"))]
        if one
    }
    await bookmarks.keep("other", match, 4, "Theirs.", shared=False, now="2026-11-30T12:00:00.000Z")
    await bookmarks.move(person, "other")
    assert [(one.version, one.note) for one in await bookmarks.of("other")] in (
        [(3, "Mine."), (4, "Theirs.")],
        [(4, "Theirs."), (3, "Mine.")],
    )
    moved = await bookmarks.at("other", match, 3)
    assert moved is not None
    found = await bookmarks.shared(moved.share)
    assert found is not None
    assert found.person == "other"

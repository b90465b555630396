import random

import pytest

from tests.integration.api.tables import Api, Table


async def test_a_view_of_now_carries_its_version_and_must_be_asked_for_again(api: Api):
    table = await Table.started(api)
    answer = await api.get(table.path, token=table.seats[0])
    assert answer.headers["ETag"] == f'"{answer.json()["version"]}"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Authorization"


async def test_who_has_the_newest_view_is_told_so_without_a_body(api: Api):
    table = await Table.started(api)
    tag = (await api.get(table.path)).headers["ETag"]
    for written in (tag, f"W/{tag}", f'"1", {tag}', "*"):
        same = await api.get(table.path, headers={"If-None-Match": written})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    await table.play(lambda moves: moves[0])
    changed = await api.get(table.path, headers={"If-None-Match": tag})
    assert changed.status_code == 200


async def test_any_version_can_be_seen_again(api: Api):
    table = await Table.started(api)
    seat, before = await table.turn()
    for _ in range(4):
        await table.play(lambda moves: moves[0])
    answer = await api.get(f"{table.path}/at/{before['version']}", token=table.seats[seat])
    assert answer.json() == before
    assert answer.headers["Cache-Control"] == "private, no-cache"
    first = await api.get(f"{table.path}/at/1")
    assert first.json()["lifecycle"]["phase"] == "gathering"


@pytest.mark.parametrize(
    ("version", "status", "code"),
    [
        ("0", 404, "version.unknown"),
        ("9999", 404, "version.unknown"),
        ("-1", 400, "version.malformed"),
        ("1.0", 400, "version.malformed"),
        ("x", 400, "version.malformed"),
        ("\u0661", 400, "version.malformed"),
        ("9" * 30, 400, "version.malformed"),
    ],
)
async def test_versions_that_are_none(api: Api, version, status, code):
    table = await Table.make(api)
    answer = await api.get(f"{table.path}/at/{version}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("eyes", ["seat2", "seat-1", "seat", "seat1x", "everything", "", "seat999", "Seat0"])
async def test_eyes_that_nobody_has(api: Api, eyes):
    table = await Table.started(api)
    answer = await api.get(f"{table.path}/at/3", params={"as": eyes})
    assert (answer.status_code, answer.json()["code"]) == (400, "as.malformed")


async def test_a_live_answer_is_never_kept_for_ever_and_a_final_one_has_another_tag(api: Api):
    table = await Table.started(api, options={"limit": "single"})
    seat, view = await table.turn()
    address = f"{table.path}/at/{view['version']}?as=seat{seat}"
    live = await api.get(address, token=table.seats[seat])
    assert live.headers["Cache-Control"] == "private, no-cache"
    assert live.json()["game"]["hands"][1 - seat] is None
    await table.play_out(random.Random(1))
    final = await api.get(address, headers={"If-None-Match": live.headers["ETag"]})
    assert final.status_code == 200
    assert final.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert final.json()["viewer"] == seat
    assert all(hand is not None for hand in final.json()["game"]["hands"])
    assert final.json()["seed"]
    again = await api.get(address, headers={"If-None-Match": final.headers["ETag"]})
    assert again.status_code == 304


async def test_an_ended_private_match_stays_private(api: Api):
    table = await Table.started(api, visibility="private")
    await api.post(f"{table.path}/abandon", token=table.host)
    assert (await api.get(f"{table.path}/at/8")).status_code == 403
    seen = await api.get(f"{table.path}/at/8?as=spectator", token=table.seats[0])
    assert seen.headers["Cache-Control"] == "private, max-age=31536000, immutable"


async def test_a_seat_may_look_as_a_spectator(api: Api):
    table = await Table.started(api)
    answer = await api.get(f"{table.path}/at/8?as=spectator", token=table.seats[0])
    assert answer.json()["viewer"] is None
    assert answer.json()["game"]["hands"] == [None, None]


async def test_only_the_seat_to_act_is_told_what_is_legal(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    assert view["legal"]
    assert view["asked_at"] == view["version"]
    for other in (1 - seat, None):
        seen = await table.view(other)
        assert seen["legal"] is None
        assert seen["asked_at"] is None


async def test_head_answers_where_get_does_without_a_body(api: Api):
    table = await Table.started(api)
    for address in (
        "/games",
        table.path,
        f"{table.path}/at/3",
        f"{table.path}/events",
        "/openapi.json",
        "/docs",
    ):
        full = await api.get(address)
        head = await api.ask("HEAD", address)
        assert (head.status_code, head.content) == (200, b""), address
        same = ("Content-Type", "Content-Length", "ETag", "Cache-Control")
        assert [head.headers.get(name) for name in same] == [full.headers.get(name) for name in same]

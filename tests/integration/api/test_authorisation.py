"""Every address with every kind of token: who may what, and what the others are told."""

from typing import Any

import pytest

from tests.integration.api.tables import Api, Table

SEAT = ("ready", "leave", "moves", "resign", "hand-to-bot", "reclaim")
HOST = ("start", "abandon")
READ = ("", "/at/3", "/events", "/events?format=ndjson")

MISSING, UNKNOWN = (401, "token.missing"), (401, "token.unknown")


async def everybody(api: Api) -> tuple[Table, dict[str, str | None]]:
    other = await Table.started(api)
    table = await Table.started(api)
    return table, {
        "nobody": None,
        "a stranger": "x" * 43,
        "other table's seat": other.seats[0],
        "other table's host": other.host,
        "seat": table.seats[0],
        "host": table.host,
    }


@pytest.mark.parametrize("command", SEAT + HOST)
async def test_commands_need_the_right_token_of_this_match(api: Api, command):
    table, tokens = await everybody(api)
    before = (await table.view())["version"]
    wrong = {
        "nobody": MISSING,
        "a stranger": UNKNOWN,
        "other table's seat": UNKNOWN,
        "other table's host": UNKNOWN,
        **({"host": (403, "token.seat_needed")} if command in SEAT else {}),
        **({"seat": (403, "token.host_needed")} if command in HOST else {}),
    }
    for who, expected in wrong.items():
        answer = await api.post(
            f"{table.path}/{command}", token=tokens[who], key="a", if_match=before, json={}
        )
        assert (answer.status_code, answer.json()["code"]) == expected, who
        assert ("WWW-Authenticate" in answer.headers) is (expected[0] == 401)
    assert (await table.view())["version"] == before
    right = "seat" if command in SEAT else "host"
    answer = await api.post(f"{table.path}/{command}", token=tokens[right], key="a", if_match=before, json={})
    assert answer.status_code not in {401, 403}


@pytest.mark.parametrize("address", READ)
async def test_public_matches_show_themselves_to_all_but_false_tokens(api: Api, address):
    table, tokens = await everybody(api)
    for who, token in tokens.items():
        answer = await api.get(table.path + address, token=token)
        if who in {"nobody", "seat", "host"}:
            assert answer.status_code == 200, who
        else:
            assert (answer.status_code, answer.json()["code"]) == UNKNOWN, who


@pytest.mark.parametrize("address", READ)
async def test_private_matches_show_themselves_to_their_people_only(api: Api, address):
    table = await Table.started(api, visibility="private")
    stranger = await api.get(table.path + address)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "match.private")
    for token in (table.seats[0], table.host):
        assert (await api.get(table.path + address, token=token)).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "Basic eDp5",
        "Bearer",
        "Bearer ",
        "Bearer short",
        "Bearer " + "x" * 500,
        "Bearer a token with spaces",
        "Bearer é" + "x" * 40,
        "",
    ],
)
async def test_what_is_no_bearer_token_is_a_false_one(api: Api, header):
    table = await Table.started(api)
    headers: Any = {b"Authorization": header.encode("latin-1")}
    for answer in (
        await api.get(table.path, headers=headers),
        await api.post(f"{table.path}/resign", headers=headers),
    ):
        assert (answer.status_code, answer.json()["code"]) == UNKNOWN


async def test_the_word_bearer_may_be_written_small(api: Api):
    table = await Table.started(api)
    answer = await api.get(table.path, headers={"Authorization": f"bearer {table.seats[1]}"})
    assert answer.json()["viewer"] == 1


async def test_unknown_matches_are_unknown_to_all(api: Api):
    nowhere = "/matches/zzzzzzzzzzzzzzzzzzzz"
    for address in READ:
        answer = await api.get(nowhere + address)
        assert (answer.status_code, answer.json()["code"]) == (404, "match.unknown"), address
    answer = await api.post(f"{nowhere}/seats", key="k" * 16, json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "match.unknown")


@pytest.mark.parametrize("odd", ["a{b}", "a:b", "x" * 65, "é", "a%20b", "a%00b", "..%2f", "%ff%fe"])
async def test_odd_match_ids_never_reach_the_store(api: Api, odd):
    for address in READ:
        answer = await api.get(f"/matches/{odd}{address}")
        assert answer.status_code in {400, 404}, address
        assert answer.headers["Content-Type"] == "application/problem+json"


async def test_only_the_holder_of_a_seat_looks_with_its_eyes(api: Api):
    table = await Table.started(api)
    for seat, token in table.seats.items():
        for eyes in (0, 1):
            answer = await api.get(f"{table.path}/at/8?as=seat{eyes}", token=token)
            if eyes == seat:
                assert answer.json()["viewer"] == seat
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, "seat.other")
    for other in (None, table.host):
        answer = await api.get(f"{table.path}/at/8?as=seat0", token=other)
        assert (answer.status_code, answer.json()["code"]) == (403, "seat.other")

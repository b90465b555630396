import random
from typing import Any

import httpx
import msgspec
import pytest

from domain.entries import StoredEntry, decode_envelope
from domain.games.registry import CURRENT
from domain.match.verification import Verdict, verify
from domain.sealing import Audience
from tests.integration.api.tables import Api, Table
from tests.kit.games import every_key


def verified(match: str, events: list[dict[str, Any]], *, complete: bool = False) -> Verdict:
    entries = [
        StoredEntry(
            event["version"],
            event["e"].encode(),
            msgspec.json.encode(event["openings"]),
            bytes.fromhex(event["h"]),
        )
        for event in events
    ]
    return verify(match, entries, complete=complete)


def lines(answer: httpx.Response) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in answer.content.splitlines()]


async def test_the_stored_bytes_come_unaltered(api: Api):
    table = await Table.started(api)
    answer = await api.get(f"{table.path}/events")
    told = answer.json()
    stored = await api.application.store.read(table.id)
    assert told["match"] == table.id
    assert told["version"] == len(stored) == len(told["events"])
    assert [event["e"].encode() for event in told["events"]] == [entry.e for entry in stored]
    assert [bytes.fromhex(event["h"]) for event in told["events"]] == [entry.h for entry in stored]
    assert answer.headers["ETag"] == f'"{len(stored)}"'


@every_key
async def test_every_reader_can_verify_what_he_gets_and_gets_no_more_than_is_his(api: Api, game):
    table = await Table.started(api, game)
    await table.play_some(random.Random(5), 10)
    sealed = {}
    for seat in (None, 0, 1):
        token = None if seat is None else table.seats[seat]
        told = (await api.get(f"{table.path}/events", token=token)).json()["events"]
        verdict = verified(table.id, told)
        assert verdict.good, verdict
        assert all(seat in opening.get("seats", []) for event in told for opening in event["openings"])
        sealed[seat] = verdict.sealed
    assert max(sealed[0], sealed[1]) <= sealed[None]
    if any(Audience.EACH_SEAT in kind.SEALED.values() for kind in CURRENT[game].event_types):
        assert sealed[0] + sealed[1] < 2 * sealed[None]
    await api.post(f"{table.path}/abandon", token=table.host)
    told = (await api.get(f"{table.path}/events")).json()["events"]
    verdict = verified(table.id, told, complete=True)
    assert verdict.good, verdict
    assert verdict.sealed == verdict.sealed_deals == 0
    assert verdict.deals > 0


async def test_an_altered_event_is_found(api: Api):
    table = await Table.started(api)
    told = (await api.get(f"{table.path}/events")).json()["events"]
    told[1]["e"] = told[1]["e"].replace("person", "dragon")
    assert verified(table.id, told).bad_version == 2


async def test_events_come_in_pieces_too(api: Api):
    table = await Table.started(api)
    whole = (await api.get(f"{table.path}/events")).json()
    pieces: list[dict[str, Any]] = []
    while len(pieces) < whole["version"]:
        piece = (await api.get(f"{table.path}/events", params={"after": len(pieces), "limit": 3})).json()
        assert piece["version"] == whole["version"]
        assert 0 < len(piece["events"]) <= 3
        pieces += piece["events"]
    assert pieces == whole["events"]
    beyond = (await api.get(f"{table.path}/events?after=999")).json()
    assert (beyond["version"], beyond["events"]) == (whole["version"], [])


async def test_events_come_one_on_each_line(api: Api):
    table = await Table.started(api)
    await table.play_some(random.Random(2), 5)
    whole = (await api.get(f"{table.path}/events")).json()["events"]
    by_query = await api.get(f"{table.path}/events?format=ndjson")
    by_header = await api.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"})
    for answer in (by_query, by_header):
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert lines(answer) == whole
    some = await api.get(f"{table.path}/events?format=ndjson&after=2&limit=4")
    assert lines(some) == whole[2:6]


async def test_long_logs_are_read_in_several_steps(api: Api, monkeypatch):
    monkeypatch.setattr("api.routes.events._PIECE", 3)
    table = await Table.started(api)
    whole = (await api.get(f"{table.path}/events")).json()["events"]
    assert lines(await api.get(f"{table.path}/events?format=ndjson")) == whole


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("text/html, application/*;q=0.9", "application/json"),
        ("application/x-ndjson, */*", "application/x-ndjson"),
    ],
)
async def test_the_form_follows_what_is_accepted(api: Api, accept, media):
    table = await Table.make(api)
    answer = await api.get(f"{table.path}/events", headers={"Accept": accept})
    assert answer.headers["Content-Type"] == media


async def test_a_form_that_there_is_not_is_refused(api: Api):
    table = await Table.make(api)
    answer = await api.get(f"{table.path}/events", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.json()["code"]) == (406, "accept.unsupported")
    for query in (
        "format=csv",
        "after=-1",
        "after=x",
        "after=1&after=2",
        "limit=1e3",
        "after=%ff",
        "after=é",
    ):
        answer = await api.get(f"{table.path}/events?{query}")
        assert answer.status_code == 400, query
        assert answer.json()["code"] in {"query.malformed", "query.repeated"}


async def test_who_has_all_events_is_told_so(api: Api):
    table = await Table.started(api)
    tag = (await api.get(f"{table.path}/events")).headers["ETag"]
    answer = await api.get(f"{table.path}/events", headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


async def test_the_log_names_the_door_and_the_correlation_id_and_no_secret(api: Api):
    table = await Table.make(api)
    answer = await api.post(
        f"{table.path}/seats", key="a-secret-key-of-mine", json={}, headers={"X-Request-ID": "my-request-1"}
    )
    assert answer.headers["X-Request-ID"] == "my-request-1"
    stored = await api.application.store.read(table.id)
    envelope = decode_envelope(stored[-1].e)
    assert (envelope.door, envelope.trace) == ("api", "my-request-1")
    assert b"a-secret-key-of-mine" not in stored[-1].e
    assert answer.json()["seat_token"].encode() not in stored[-1].e

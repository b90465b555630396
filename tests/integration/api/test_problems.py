"""Every refusal is a problem document; what the service cannot do is told with what to do next."""

from typing import Any

import httpx
import pytest

from services.errors import Contended, OutcomeUnknown, StoreUnavailable
from services.log.event_store.contract import Conflict, Status
from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, Table, fresh_key
from tests.kit.logs import put, running
from tests.kit.tampering import changed


def check_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    told: dict[str, Any] = answer.json()
    assert (answer.status_code, told["code"]) == (status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"
    assert told["type"] == f"urn:tablee:problem:{code}"
    assert told["status"] == status
    assert told["title"]
    assert told["detail"].endswith((".", "`)."))
    assert told["trace"] == answer.headers["X-Request-ID"]
    return told


async def test_addresses_and_methods_that_there_are_not(api: Api):
    check_problem(await api.get("/nothing"), 404, "path.unknown")
    check_problem(await api.client.get("/api/v2/games"), 404, "path.unknown")
    check_problem(await api.get("/games/chess"), 404, "game.unknown")
    answer = await api.ask("DELETE", "/games")
    check_problem(answer, 405, "method.not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    answer = await api.ask("BREW", "/matches")
    check_problem(answer, 405, "method.not_allowed")
    options = await api.ask("OPTIONS", "/games")
    assert (options.status_code, options.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize(
    ("headers", "body", "status", "code"),
    [
        ({"Content-Type": "text/plain"}, b"{}", 415, "body.not_json"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"a=b", 415, "body.not_json"),
        ({"Content-Type": "application/json; charset=utf-16"}, b"{}", 415, "body.not_json"),
        ({"Content-Encoding": "gzip"}, b"{}", 415, "body.not_json"),
        ({}, b"{" + b" " * 65_536, 413, "body.too_large"),
        ({}, b"", 400, "body.malformed"),
        ({}, b"null", 400, "body.malformed"),
        ({}, b"[]", 400, "body.malformed"),
        ({}, b'"text"', 400, "body.malformed"),
        ({}, b"{", 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": [{}, {}]} and more', 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": [{}, {}], "surprise": 1}', 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": [{}, {"bot": 7}]}', 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": {}}', 400, "body.malformed"),
        ({}, b'{"game": "\xff\xfe", "seats": [{}, {}]}', 400, "body.malformed"),
        ({}, b'{"game": "\\ud800", "seats": [{}, {}]}', 400, "body.malformed"),
        ({}, '{"game": "lama", "seats": []}'.encode("utf-16"), 400, "body.malformed"),
        ({}, b"\x00", 400, "body.malformed"),
        ({}, b'{"game": "lama", "game": "skyjo", "seats": [{}, {}]}', 400, "body.key_repeated"),
        (
            {},
            b'{"game": "lama", "seats": [{}, {"bot": "", "\\u0062ot": "steady"}]}',
            400,
            "body.key_repeated",
        ),
        ({}, b"[" * 50_000, 400, "body.malformed"),
        ({}, b'{"a":' * 10_000, 400, "body.malformed"),
        (
            {},
            b'{"game": "lama", "seats": [{}, {}], "options": {"limit": ' + b"9" * 400 + b"}}",
            400,
            "body.malformed",
        ),
        ({}, b'{"game": "lama", "seats": [{}, {}], "clock": {"per_turn": 1e400}}', 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": [{}, {}], "clock": {"per_turn": -1}}', 400, "body.malformed"),
        ({}, b'{"game": "lama", "seats": [{}, {}], "rematch_of": "a\\n"}', 400, "body.malformed"),
    ],
)
async def test_bodies_that_cannot_be_read(api: Api, headers, body, status, code):
    answer = await api.post("/matches", key=fresh_key(), headers=headers, content=body)
    check_problem(answer, status, code)
    assert [match async for match in api.application.store.matches()] == []


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=UTF-8", "application/merge-patch+json", None]
)
async def test_bodies_that_can_be_read(api: Api, kind):
    headers = {} if kind is None else {"Content-Type": kind}
    body = b'{"game": "lama", "seats": [{}, {}]}'
    answer = await api.post("/matches", key=fresh_key(), headers=headers, content=body)
    assert answer.status_code == 201


@pytest.mark.parametrize("name", ["Authorization", "Idempotency-Key", "If-Match", "Content-Type"])
async def test_a_header_that_stands_there_twice_is_refused(api: Api, name):
    table = await Table.started(api)
    given = {
        "Authorization": f"Bearer {table.seats[0]}",
        "Idempotency-Key": fresh_key(),
        "If-Match": '"8"',
        "Content-Type": "application/json",
    }
    pairs = [*given.items(), (name, given[name])]
    answer = await api.client.post(f"/api/v1{table.path}/moves", headers=pairs, content=b'{"type": "draw"}')
    told = check_problem(answer, 400, "header.repeated")
    assert name.lower() in told["detail"]


async def test_what_nobody_foresaw_is_told_without_details_and_logged_with_all(api: Api, monkeypatch, capsys):
    async def broken(*_: Any) -> Any:
        raise RuntimeError("a secret inside")

    monkeypatch.setattr(api.application.reader, "head", broken)
    answer = await api.get("/matches/whatever", headers={"X-Request-ID": "look-for-me"})
    told = check_problem(answer, 500, "internal")
    assert told["trace"] == "look-for-me"
    assert "secret" not in answer.text
    logged = "".join(capsys.readouterr())
    assert "request_failed" in logged
    assert "a secret inside" in logged


@pytest.mark.parametrize("path", ["", "/at/5", "/at/9", "/replay", "/difference", "/events"])
async def test_a_log_that_was_altered_is_said_to_be_broken_and_the_operator_told_where(
    api: Api, path, monkeypatch, capsys
):
    match, store = f"altered{path.replace('/', '-')}", api.application.store
    log = list(await put(store, match, running(), Status.OPEN))
    log[4] = changed(log[4], lambda plain: plain.update(actor="somebody"))

    async def altered(_: str, after: int = 0, last: int | None = None) -> Any:
        return log[after:last]

    monkeypatch.setattr(store, "read", altered)
    told = check_problem(await api.get(f"/matches/{match}{path}"), 500, "log.broken")
    assert "damaged" in told["detail"]
    assert "somebody" not in str(told)
    before = await api.get(f"/matches/{match}/at/4")
    assert (before.status_code, before.json()["version"]) == (200, 4)
    logged = "".join(capsys.readouterr())
    assert "log_broken" in logged
    assert "log.chain_broken" in logged
    assert "Traceback" not in logged


async def test_a_store_that_is_away_is_503_and_nothing_has_changed(api: Api, monkeypatch):
    table = await Table.started(api)
    seat, view = await table.turn()

    async def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("connection refused to redis://user:password@host")

    monkeypatch.setattr(api.application.store, "append", away)
    answer = await table.move(seat, {"type": "draw"}, view["version"])
    told = check_problem(answer, 503, "store.unavailable")
    assert answer.headers["Retry-After"] == "1"
    assert "again" in told["help"]
    assert "password" not in answer.text
    monkeypatch.setattr(api.application.store, "read", away)
    check_problem(await api.get(table.path), 503, "store.unavailable")


async def test_an_outcome_that_nobody_knows_is_told_with_the_key_to_ask_again(api: Api, monkeypatch):
    table = await Table.make(api)
    seat = await table.sit()
    store = api.application.store
    append = store.append

    async def lost(order: Any) -> Any:
        await append(order)
        raise OutcomeUnknown("the connection broke")

    monkeypatch.setattr(store, "append", lost)
    answer = await api.post(f"{table.path}/ready", token=table.seats[seat])
    told = check_problem(answer, 503, "outcome.unknown")
    assert answer.headers["Retry-After"] == "1"
    monkeypatch.setattr(store, "append", append)
    again = await api.post(f"{table.path}/ready", token=table.seats[seat], key=told["idempotency_key"])
    assert (again.status_code, again.json()["duplicate"]) == (200, True)


async def test_a_lost_answer_to_a_new_table_is_had_by_asking_again(api: Api, monkeypatch):
    store = api.application.store
    append = store.append

    async def lost(order: Any) -> Any:
        await append(order)
        raise OutcomeUnknown("the connection broke")

    monkeypatch.setattr(store, "append", lost)
    key, body = fresh_key(), {"game": "lama", "seats": [{}, {"bot": "steady"}]}
    check_problem(await api.post("/matches", key=key, json=body), 503, "outcome.unknown")
    monkeypatch.setattr(store, "append", append)
    made = (await api.post("/matches", key=key, json=body)).json()
    table = Table(api, made["match"], made["host_token"], "lama")
    await table.begin(people=1)


async def test_who_never_wins_against_others_is_told_to_try_again(api: Api, monkeypatch):
    table = await Table.make(api)

    async def always_late(order: Any) -> Any:
        return Conflict(order.expected_version + 1, b"\x00" * 32)

    monkeypatch.setattr(api.application.store, "append", always_late)
    answer = await api.post(f"{table.path}/seats", key=fresh_key(), json={})
    check_problem(answer, 503, Contended.code)


async def test_every_answer_of_the_suite_kept_to_the_form() -> None:
    async with running_api() as api:
        table = await Table.started(api)
        for path in (
            "/matches/x/moves",
            "/matches//moves",
            f"{table.path}/at/x",
            f"{table.path}/events?limit=x",
        ):
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
                answer = await api.ask(method, path)
                assert 400 <= answer.status_code < 500
                assert answer.headers["Content-Type"] == "application/problem+json"

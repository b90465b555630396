import json
import logging
import re

import pytest

from services.log.embedded.durability import DurabilityVerdict
from services.process.settings import Settings
from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, Table, fresh_key


@pytest.mark.parametrize("given", ["abc", "A-b_9", "x" * 64])
async def test_a_correlation_id_that_comes_along_is_used(api: Api, given):
    for path in ("/games", "/nothing", "/matches/unknown"):
        answer = await api.get(path, headers={"X-Request-ID": given})
        assert answer.headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a\tb", "<script>", "é"])
async def test_an_odd_correlation_id_is_replaced(api: Api, given):
    answer = await api.get("/games", headers={b"X-Request-ID": given.encode("latin-1")})
    assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-ID"])


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    ("headers", "used"),
    [
        ({"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, TRACE),
        ({"traceparent": f"01-{TRACE}-00f067aa0ba902b7-01-what comes later"}, TRACE),
        ({"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01", "X-Request-ID": "mine"}, "mine"),
        ({"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01", "X-Request-ID": "a b"}, TRACE),
        ({"traceparent": f"ff-{TRACE}-00f067aa0ba902b7-01"}, None),
        ({"traceparent": f"00-{TRACE.upper()}-00f067aa0ba902b7-01"}, None),
        ({"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"}, None),
        ({"traceparent": TRACE}, None),
    ],
)
async def test_a_trace_of_the_w3c_is_a_correlation_id_too(api: Api, headers, used):
    found = (await api.get("/games", headers=headers)).headers["X-Request-ID"]
    assert found == used if used else re.fullmatch(r"[0-9a-f]{16}", found)


async def test_headers_that_protect_go_on_every_answer(api: Api):
    table = await Table.make(api)
    for path in ("/games", table.path, "/nothing", "/docs", "/openapi.json"):
        headers = (await api.get(path)).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "Access-Control-Allow-Origin" not in headers
        assert "Set-Cookie" not in headers


async def test_answers_with_secrets_are_kept_nowhere(api: Api):
    answer = await api.post("/matches", key=fresh_key(), json={"game": "lama", "seats": [{}, {}]})
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("durable", "header"), [("no", "weak"), ("unknown", "unknown"), ("yes", None)])
async def test_every_answer_says_so_when_moves_may_be_lost(durable, header):
    async def check(_: object) -> DurabilityVerdict:
        return DurabilityVerdict(durable)

    async with running_api(Settings(accept_weak_durability=True), check=check) as api:
        await api.client.get("/health/ready")
        for path in ("/games", "/nothing"):
            assert (await api.get(path)).headers.get("Tablee-Durability") == header


async def test_the_service_log_gets_one_line_for_each_request_and_no_secret(capsys, caplog):
    caplog.set_level(logging.DEBUG)
    key = "a-secret-idempotency-key"
    async with running_api(Settings(log_format="json")) as api:
        made = await api.post("/matches", key=key, json={"game": "lama", "seats": [{}, {}]})
        table = Table(api, made.json()["match"], made.json()["host_token"], "lama")
        await table.begin()
        seat, view = await table.turn()
        await table.move(seat, {"type": "draw"}, view["version"])
        await table.move(seat, {"type": "play", "card": "L"}, 1)
        await api.get("/nothing/at/all?token=abc", token=table.seats[0])
        asked = len(api.answers)
    written = capsys.readouterr().err
    lines = [line for line in written.splitlines() if '"message":"request"' in line]
    assert len(lines) == asked
    assert '"path":"/api/v1/matches/{match}/moves"' in written
    assert '"path":"unknown"' in written
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("http")]
    everything = written + "".join(ours)
    for secret in (key, table.host, *table.seats.values(), "token=abc", '"card"'):
        assert secret not in everything
    assert all(
        (f'"match":"{table.id}"' in line) == ("{match}" in line) for line in lines if '"status":2' in line
    )


async def test_the_line_of_a_refused_command_names_match_command_and_reason(capsys):
    secret = "a-secret-of-somebody-who-sits-down"
    async with running_api(Settings(log_format="json")) as api:
        table = await (await Table.make(api)).begin()
        seat, view = await table.turn()
        token, at = table.seats[seat], view["version"]
        moves = f"{table.path}/moves"
        refused = [
            (moves, {"key": "k1", "if_match": at, "json": {"type": "fly"}, "token": token}, "move.malformed"),
            (moves, {"key": "k2", "json": {"type": "draw"}, "token": token}, "precondition.required"),
            (moves, {"key": "k3", "if_match": at, "json": {"type": "draw"}}, "token.missing"),
            (moves, {"key": "k4", "if_match": at, "token": table.host}, "token.seat_needed"),
            (f"{table.path}/undo", {"key": "k5", "json": {"to": "x"}, "token": token}, "body.malformed"),
            (f"{table.path}/seats", {"key": secret, "json": {"seat": 0}}, "match.already_started"),
        ]
        for path, sent, _ in refused:
            await api.post(path, **sent)
        match = table.id
    written = capsys.readouterr().err
    told = [json.loads(line) for line in written.splitlines() if '"code":' in line]
    assert [(line["match"], line["code"]) for line in told] == [(match, code) for *_, code in refused]
    assert [line.get("command") for line in told] == ["k1", "k2", "k3", "k4", "k5", None]
    assert secret not in written


async def test_every_line_of_a_match_names_it_and_a_refused_one_says_why(capsys):
    async with running_api(Settings(log_format="json")) as api:
        table = await (await Table.make(api)).begin()
        await api.get(f"{table.path}?token=secret-of-somebody", token=table.seats[0])
        await api.get(f"{table.path}/at/99999", token=table.seats[0])
        await api.get("/matches/no..id")
        match = table.id
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines() if '"message":"request"' in line]
    last = [(line["status"], line.get("match"), line.get("code")) for line in lines[-3:]]
    assert last == [(200, match, None), (404, match, "version.unknown"), (400, None, None)]
    assert "secret-of-somebody" not in written


async def test_request_lines_can_be_turned_off(capsys):
    async with running_api(Settings(log_level="warning")) as api:
        await api.get("/games")
    assert "api.access" not in capsys.readouterr().err

"""The true process: granian before the application, an embedded Valkey behind it."""

import asyncio
import secrets
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from domain.entries import StoredEntry
from domain.match.verification import verify
from services.bootstrap.parts import application
from services.process.settings import Settings, installation_secret
from tests.integration.api.serving import Server, serving
from tests.integration.api.tables import legal_moves

pytestmark = pytest.mark.xdist_group("api server")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # A short path: sockets have addresses of hundred characters at most.
    with serving(Path(tmp_path_factory.mktemp("api"))) as running:
        yield running


@pytest.fixture
async def client(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=20) as opened:
        yield opened


def key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(16)}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def table(client: httpx.AsyncClient, bots: int, **options: Any) -> tuple[str, str, str]:
    """Make a table with one person and some bots, and start it; return its path and both tokens."""
    seats = [{}, *[{"bot": "steady"}] * bots]
    body = {"game": "lama", "seats": seats, "options": options, "start": "host"}
    made = await client.post("/matches", headers=key(), json=body)
    assert made.status_code == 201, made.text
    path, host = f"/matches/{made.json()['match']}", made.json()["host_token"]
    seat = (await client.post(f"{path}/seats", headers=key(), json={})).json()["seat_token"]
    await client.post(f"{path}/ready", headers=bearer(seat))
    started = await client.post(f"{path}/start", headers=bearer(host))
    assert started.status_code == 200, started.text
    return path, host, seat


async def play_bots(server: Server, match: str, stop: asyncio.Event) -> None:
    """Play the bots from another process's seat: with parts of one's own on the same log."""
    settings = Settings(data=str(server.folder))
    async with application(
        server.stores.log_store_url, 16, installation_secret(settings), settings.archive_address
    ) as parts:
        while not stop.is_set():
            await parts.bots.play_turns(match, trace="bots", seconds=5)
            await asyncio.sleep(0.005)


async def test_a_whole_match_with_bots_across_a_restart(server: Server, client: httpx.AsyncClient):
    path, _, seat = await table(client, bots=3, first=0)
    match, stop = path.rpartition("/")[2], asyncio.Event()
    bots = asyncio.create_task(play_bots(server, match, stop))
    moves, until = 0, time.monotonic() + 90
    while True:
        answer = await client.get(path, headers=bearer(seat))
        view = answer.json()
        if view["lifecycle"]["phase"] == "finished":
            break
        assert time.monotonic() < until, view
        if view["legal"] is None:
            await asyncio.sleep(0.005)
            continue
        legal = legal_moves("lama", view["legal"])
        move = next((one for one in legal if one["type"] in {"play", "return"}), legal[-1])
        headers = {**bearer(seat), **key(), "If-Match": answer.headers["ETag"]}
        done = await client.post(f"{path}/moves", headers=headers, json=move)
        assert done.status_code == 200, done.text
        moves += 1
        if moves == 5:
            await asyncio.to_thread(server.restart)
            again = await client.post(f"{path}/moves", headers=headers, json=move)
            assert again.json() == {**done.json(), "duplicate": True}
    stop.set()
    await bots
    events = (await client.get(f"{path}/events")).json()["events"]
    entries = [
        StoredEntry(
            one["version"], one["e"].encode(), msgspec.json.encode(one["openings"]), bytes.fromhex(one["h"])
        )
        for one in events
    ]
    verdict = verify(match, entries, complete=True)
    assert verdict.good, verdict
    assert verdict.head == view["head"]


async def test_a_stream_goes_on_over_a_restart(server: Server, client: httpx.AsyncClient):
    path, _, seat = await table(client, bots=1, first=0)
    view = (await client.get(path, headers=bearer(seat))).json()
    seen: list[int] = []

    async def look_on() -> None:
        headers = {"Last-Event-ID": str(view["version"])}
        while True:
            try:
                async with client.stream("GET", f"{path}/stream", headers=headers) as stream:
                    async for line in stream.aiter_lines():
                        if line.startswith("id: "):
                            seen.append(int(line[4:]))
                            headers["Last-Event-ID"] = line[4:]
                        if len(seen) == 2:
                            return
            except httpx.TransportError:
                await asyncio.sleep(0.02)

    looking = asyncio.create_task(look_on())
    draw = {**bearer(seat), **key(), "If-Match": str(view["version"])}
    await client.post(f"{path}/moves", headers=draw, json={"type": "draw"})
    async with asyncio.timeout(30):
        while not seen:
            await asyncio.sleep(0.01)
    await asyncio.to_thread(server.restart)
    handed = await client.post(f"{path}/hand-to-bot", headers=bearer(seat))
    assert handed.status_code == 200
    async with asyncio.timeout(30):
        await looking
    assert seen == [view["version"] + 1, view["version"] + 2]


def raw(server: Server, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = connection.recv(65_536)
            if not piece:
                break
            answer += piece
    return answer


@pytest.mark.parametrize(
    ("request_line", "headers", "status"),
    [
        (b"GET /api/v1/matches/%ff%fe HTTP/1.1", b"", b"400"),
        (b"GET /api/v1/matches/%zz HTTP/1.1", b"", b"400"),
        (b"GET /api/v1/matches/a%00b HTTP/1.1", b"", b"400"),
        (b"GET /api/v1/matches/..%2f..%2fetc HTTP/1.1", b"", b"404"),
        (b"GET /api/v1/../../etc/passwd HTTP/1.1", b"", b"404"),
        (b"GET //api//v1///games HTTP/1.1", b"", b"200"),
        (b"GET /api/v1/games?" + b"a=b&" * 200 + b" HTTP/1.1", b"", b"200"),
        (b"GET /api/v1/matches?limit=%ff HTTP/1.1", b"", b"400"),
        (b"GET /api/v1/games HTTP/1.1", b"X-Request-ID: \xff\xfe\r\n", b"200"),
        (b"GET /api/v1/matches/unknown HTTP/1.1", b"Authorization: Bearer \xff\xfe\r\n", b"401"),
        (
            b"GET /api/v1/matches/unknown HTTP/1.1",
            b"If-None-Match: \xff\r\nAccept-Language: \xff\r\n",
            b"404",
        ),
        (
            b"POST /api/v1/matches HTTP/1.1",
            b"Content-Length: 0\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n",
            b"400",
        ),
        (b"POST /api/v1/matches HTTP/1.1", b"Content-Length: x\r\n", b"400"),
        (b"TRACE /api/v1/games HTTP/1.1", b"", b"405"),
        (b"GET /api/v1/games HTTP/9.9", b"", b"400"),
        (b"\x00\x01\x02 nonsense", b"", b"400"),
    ],
)
def test_whatever_comes_over_the_wire_gets_an_answer_that_is_no_500(
    server: Server, request_line, headers, status
):
    answer = raw(server, request_line + b"\r\nHost: x\r\n" + headers + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 "), answer
    assert answer[9:12] in {status, b"400"}, answer
    assert b" 500 " not in answer[:20]


def test_a_head_request_has_no_body(server: Server):
    answer = raw(server, b"HEAD /api/v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert int(head.lower().partition(b"content-length: ")[2].split(b"\r")[0]) > 1000
    assert body == b""


def test_a_body_that_is_announced_as_too_large_is_refused(server: Server):
    request = b"POST /api/v1/matches HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + b"k" * 20 + b"\r\n"
    answer = raw(server, request + b"Content-Length: 70000\r\n\r\n" + b" " * 70_000)
    assert answer.startswith(b"HTTP/1.1 413"), answer


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_process_ends_at_once_when_asked_whoever_looks_on(server: Server, number):
    made = httpx.post(
        f"{server.url}/api/v1/matches", headers=key(), json={"game": "lama", "seats": [{}, {}]}, timeout=20
    ).json()
    request = f"GET /api/v1/matches/{made['match']}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with ExitStack() as stack:
        readers = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 10)) for _ in range(5)
        ]
        for reader in readers:
            reader.sendall(request)
            begun = b""
            while b"retry: 2000" not in begun:
                begun += reader.recv(65_536)
        began = time.monotonic()
        assert server.stop(number) == 0
        assert time.monotonic() - began < 4
        for reader in readers:
            rest = b""
            while piece := reader.recv(65_536):
                rest += piece
            assert rest.endswith(b"0\r\n\r\n")
    server.process = server._started()


def test_without_a_log_the_process_says_why_it_does_not_start(server: Server):
    nowhere = "redis://127.0.0.1:1"
    broken = server.spawned(TABLEE_LOG_STORE_URL=nowhere, TABLEE_JOB_STORE_URL=nowhere)
    try:
        assert broken.wait(60) != 0
    finally:
        broken.kill()
        broken.wait()
    assert "api_not_started" in server.said()

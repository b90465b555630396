"""Who asks for too much is told to wait, at both doors; health and everybody else go on."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import redis

from services.people.limits import buckets
from services.process.settings import Settings, load_settings
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, running, valkey_program
from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_problems import check_problem
from tests.kit.unlimited import UNLIMITED

ENOUGH = 400
"""Requests after which a limit of 1 or 2 a second must have been met, also on a slow machine."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(valkey_program(), fsync="no") as one:
        yield one


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has something else to do must not count as a store that is away."""
    monkeypatch.setattr(buckets, "PATIENCE", patient())


@pytest.fixture
async def limited(server: Server) -> AsyncIterator[Api]:
    flushed(server, 0)
    async with running_api(Settings(job_store_url=server.url(), address_rate=2, person_rate=0)) as api:
        yield api


async def until_turned_away(api: Api, path: str = "/api/v1/games/lama", **more: str) -> httpx.Response:
    for number in range(ENOUGH):
        answer = await api.client.get(path, headers=more)
        if answer.status_code == 429:
            assert number >= 10, "what may come at once did not pass"
            return answer
    raise AssertionError("nobody was ever turned away")


async def test_an_address_that_asks_for_too_much_is_told_how_long_to_wait(limited):
    answer = await until_turned_away(limited)
    told = check_problem(answer, 429, "requests.too_many")
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    assert "Retry-After" in told["help"]
    await asyncio.sleep(int(answer.headers["Retry-After"]))
    assert (await limited.get("/games/lama")).status_code == 200


async def test_supervisors_are_never_turned_away(limited):
    await until_turned_away(limited)
    for base in ("", "/api/v1"):
        for health in ("live", "ready"):
            for _ in range(20):
                assert (await limited.client.get(f"{base}/health/{health}")).status_code == 200


async def test_unknown_addresses_and_methods_count_too(limited):
    await until_turned_away(limited, "/api/v1/nothing")
    check_problem(await limited.ask("BREW", "/matches"), 429, "requests.too_many")


async def test_a_refused_command_does_nothing(limited):
    await until_turned_away(limited)
    answer = await limited.post("/matches", key=fresh_key(), json={"game": "lama", "seats": [{}, {}]})
    check_problem(answer, 429, "requests.too_many")
    assert [match async for match in limited.application.store.matches()] == []


async def test_pages_say_it_on_a_page(limited):
    answer = await until_turned_away(limited, "/rules", **{"Accept-Language": "fr"})
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "Trop de demandes" in answer.text
    assert re.search(r"Continue dans \d+ seconde", answer.text)
    assert 'href="/rules">Réessayer' in answer.text
    assert int(answer.headers["Retry-After"]) >= 1
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


async def test_making_tables_counts_more(limited):
    made = 0
    while (
        await limited.post("/matches", key=fresh_key(), json={"game": "lama", "seats": [{}, {}]})
    ).status_code == 201:
        made += 1
        assert made < ENOUGH
    assert made >= 1


TABLE = {"game": "lama", "seats": [{}, {}]}


def made_by_address(server: Server, **limits: int) -> Settings:
    """Return settings under which only what is kept has a limit."""
    flushed(server, 0)
    return load_settings(UNLIMITED, job_store_url=server.url(), **limits)


async def sit_down(table: Table) -> httpx.Response:
    return await table.api.post(f"{table.path}/seats", key=fresh_key(), json={})


async def test_an_address_that_makes_many_tables_waits_longer_and_plays_on(server):
    async with running_api(made_by_address(server, address_tables=4)) as api:
        table = await Table.started(api)
        answers = [await api.post("/matches", key=fresh_key(), json=TABLE) for _ in range(6)]
        made = [answer.status_code for answer in answers].count(201)
        assert 2 <= made <= 4
        check_problem(answers[-1], 429, "requests.too_many")
        assert 60 < int(answers[-1].headers["Retry-After"]) <= 450
        assert len([match async for match in api.application.store.matches()]) == made + 1

        # No other way leads past it, and everything else goes on.
        for path in (
            "/api/v1/matches/",
            "/api/v1//matches",
            "/new",
            "/new/",
            "/me/imports",
            f"/m/{table.id}/fork",
        ):
            assert (await api.client.post(path, json=TABLE)).status_code == 429, path
        assert (await api.get(table.path, token=table.seats[0])).status_code == 200
        assert (await api.get("/matches")).status_code == 200


async def test_an_address_that_guesses_ways_in_waits_longer_and_plays_on(server):
    async with running_api(made_by_address(server, address_tries=4)) as api:
        table = await Table.started(api)
        answers = [await api.client.get("/s/" + "x" * 43) for _ in range(6)]
        assert [answers[0].status_code, answers[-1].status_code] == [404, 429]
        assert 60 < int(answers[-1].headers["Retry-After"]) <= 450
        for path in ("/back", "/back/", "/s/" + "y" * 43, "/me/tokens", "/ops/enter/x"):
            assert (await api.client.post(path, data={"way": "A" * 20})).status_code == 429, path
        assert (await api.get(table.path, token=table.seats[0])).status_code == 200


async def test_a_page_says_that_too_many_tables_were_made(server):
    async with running_api(made_by_address(server, address_tables=1)) as api:
        answers = [await api.client.post("/new", data={"game": "lama"}) for _ in range(3)]
        answer = answers[-1]
        assert answer.status_code == 429
        assert answer.headers["Content-Type"].startswith("text/html")
        assert "too many requests" in answer.text
        assert int(answer.headers["Retry-After"]) > 10


async def test_a_browser_that_makes_many_tables_leaves_the_others_at_its_address_theirs(server):
    async with running_api(made_by_address(server, person_tables=1)) as api:
        anne, ben = ({"Cookie": f"tablee={letter * 43}"} for letter in "ab")
        answers = [await api.client.post("/new", data={"game": "lama"}, headers=anne) for _ in range(3)]
        assert answers[-1].status_code == 429
        assert (await api.client.post("/new", data={"game": "lama"}, headers=ben)).status_code != 429


async def test_an_address_makes_only_so_many_persons_that_have_no_table(server):
    async with running_api(made_by_address(server, address_persons=4)) as api:
        answers = [await api.post("/me", key=fresh_key(), json={}) for _ in range(6)]
        assert 2 <= [answer.status_code for answer in answers].count(201) <= 4
        check_problem(answers[-1], 429, "requests.too_many")
        assert (await api.post("/matches", key=fresh_key(), json=TABLE)).status_code == 201


async def test_seats_of_an_address_and_of_a_table_have_limits_of_their_own(server):
    async with running_api(made_by_address(server, address_seats=4)) as api:
        answers = [await sit_down(await Table.make(api)) for _ in range(6)]
        check_problem(answers[-1], 429, "requests.too_many")
    async with running_api(made_by_address(server, table_seats=4)) as api:
        table, other = await Table.make(api), await Table.make(api)
        for _ in range(3):
            seat = await table.sit()
            await api.post(f"{table.path}/leave", token=table.seats[seat])
        answers = [await sit_down(table) for _ in range(3)]
        check_problem(answers[-1], 429, "requests.too_many")
        assert (await api.client.post(f"/m/{table.id}/sit", data={})).status_code == 429
        assert (await sit_down(other)).status_code == 201


async def test_a_person_has_a_limit_and_the_others_at_the_table_play_on(server):
    flushed(server, 0)
    async with running_api(Settings(job_store_url=server.url(), address_rate=0, person_rate=2)) as api:
        table = await Table.started(api)
        answers = [await api.get(table.path, token=table.seats[0]) for _ in range(100)]
        assert answers[-1].status_code == 429
        check_problem(answers[-1], 429, "requests.too_many")
        assert (await api.get(table.path, token=table.seats[1])).status_code == 200
        assert (await api.get(table.path, token=table.host)).status_code == 200
        assert (await api.get(table.path)).status_code == 200


async def test_a_browser_is_a_person(server):
    flushed(server, 0)
    async with running_api(Settings(job_store_url=server.url(), address_rate=0, person_rate=2)) as api:
        await until_turned_away(api, "/help/keys", Cookie=f"a=b; tablee={'s' * 43}")
        for cookie in ("tablee=other", f"tablee={'t' * 43}", f"xtablee={'s' * 43}"):
            assert (await api.client.get("/help/keys", headers={"Cookie": cookie})).status_code == 200


async def test_nobody_can_say_that_he_is_somebody_else(limited):
    for number in range(ENOUGH):
        said = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250}"}
        answer = await limited.get("/games/lama", headers=said)
        if answer.status_code == 429:
            return
    raise AssertionError("a new X-Forwarded-For with each request passes")


async def test_behind_a_proxy_each_address_has_its_own_limit(server):
    flushed(server, 0)
    settings = Settings(
        job_store_url=server.url(), address_rate=2, person_rate=0, trusted_proxies="127.0.0.0/8"
    )
    async with running_api(settings) as api:
        await until_turned_away(api, **{"X-Forwarded-For": "6.6.6.6, 198.51.100.7"})
        others = await api.client.get("/api/v1/games/lama", headers={"X-Forwarded-For": "198.51.100.8"})
        assert others.status_code == 200
        same = await api.client.get("/api/v1/games/lama", headers={"X-Forwarded-For": "198.51.100.7"})
        assert same.status_code == 429


async def test_a_proxy_that_nobody_named_is_noticed_once(limited, caplog):
    for _ in range(3):
        await limited.get("/games/lama", headers={"X-Forwarded-For": "198.51.100.7"})
    told = [record for record in caplog.records if "forwarded_for_not_believed" in record.getMessage()]
    assert len(told) <= 1
    assert "198.51.100.7" not in caplog.text


async def test_without_the_store_of_the_buckets_everybody_passes():
    settings = Settings(job_store_url="unix:///nowhere/at/all", address_rate=1, person_rate=1)
    async with running_api(settings) as api:
        table = await Table.started(api)
        for _ in range(50):
            assert (await api.get(table.path, token=table.seats[0])).status_code == 200


async def test_two_processes_have_one_limit(server):
    flushed(server, 0)
    settings = Settings(job_store_url=server.url(), address_rate=2, person_rate=0)
    async with running_api(settings) as one, running_api(settings) as other:
        await until_turned_away(one)
        answers = [(await other.get("/games/lama")).status_code for _ in range(6)]
        assert answers.count(429) >= 3


async def test_no_secret_is_kept_in_the_buckets(server):
    flushed(server, 0)
    async with running_api(Settings(job_store_url=server.url(), address_rate=2, person_rate=2)) as api:
        table = await Table.make(api)
        seat = await table.sit()
        session = "s" * 43
        for _ in range(10):
            await api.get(table.path, token=table.seats[seat])
            await api.client.get("/help/keys", headers={"Cookie": f"tablee={session}"})
        with redis.Redis.from_url(server.url()) as client:
            names = b" ".join(client.keys()).decode()
        assert "tb:limit:person:" in names
        for secret in (table.seats[seat], table.host, session):
            assert secret not in names

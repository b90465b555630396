"""What Prometheus gets to read, and who gets it."""

import json
import re

import httpx
import pytest
import redis
import yaml  # type: ignore[import-untyped]
from litestar import Litestar
from prometheus_client.parser import text_string_to_metric_families
from rq import Queue, Worker
from rq.registry import FailedJobRegistry, ScheduledJobRegistry, StartedJobRegistry
from rq.serializers import JSONSerializer

from api.application import create_app
from domain.instants import after
from services.bootstrap import present_instant
from services.jobs.bots import bots_queue
from services.jobs.servers import JobServers, Spread
from services.process.counted import BOT_ANSWER_SECONDS, BOT_TURNS, COUNTED
from services.process.counts import Counts
from services.process.settings import Settings, SettingsError
from services.watch.metrics.kept_counts import keep_counts
from services.watch.metrics.read import READ
from services.watch.metrics.readings import QUEUE_KEYS
from services.watch.metrics.workers import WORKERS_KEY, live_workers
from tests.conformance.backends import flushed
from tests.conformance.servers import running, valkey_program
from tests.integration.api.conftest import started
from tests.integration.api.tables import Api, Table
from tests.kit.checkout import ROOT
from workers.counts_loop import CountsLoop

DOCUMENT = ROOT / "docs" / "reference" / "metrics.md"
TOKEN = "a-token-of-the-tests"
HERE = ("127.0.0.1", 40000)


@pytest.fixture(scope="module")
def server():
    with running(valkey_program(), fsync="no") as one:
        yield one


@pytest.fixture
def settings(server, tmp_path) -> Settings:
    return Settings(
        data=str(tmp_path),
        log_store_url=flushed(server, 0),
        job_store_url=flushed(server, 1),
        shards=4,
        accept_weak_durability=True,
    )


@pytest.fixture
async def app(settings):
    made = create_app(settings)
    async with started(made):
        yield made


def at(app: Litestar, client: tuple[str, int] = HERE) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=client)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


async def scraped(app: Litestar) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    app.state.metrics._answered_at = float("-inf")
    async with at(app) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def value(found, name: str, **labels: str) -> float | None:
    known: float | None = found.get((name, tuple(sorted(labels.items()))))
    return known


async def test_people_and_bots_are_counted_and_the_stores_are_read(app):
    async with at(app) as client:
        table = await Table.started(Api(client, app), "lama", people=1, bots=1)
        await table.play(lambda moves: moves[0])
        await table.api.application.bots.play_turns(table.id, trace="t", seconds=5)
        refused = await table.api.post(f"{table.path}/moves", token=table.seats[0], json={})
        assert refused.status_code == 400
        assert (await client.request("BREW", "/api/v1/games")).status_code in {404, 405}
    found = await scraped(app)
    assert (value(found, "tablee_commands_total", door="api", result="accepted") or 0) >= 4
    assert (value(found, "tablee_bot_turns_total", by="job") or 0) >= 1
    assert (value(found, "tablee_bot_answer_seconds_count") or 0) >= 1
    assert (value(found, "tablee_append_seconds_count") or 0) >= 5
    route = "/api/v1/matches/{match}/moves"
    assert (value(found, "tablee_http_requests_total", method="POST", route=route, status="400") or 0) == 1
    assert any(("method", "other") in labels for _, labels in found)
    assert value(found, "tablee_store_up", store="log") == 1
    assert value(found, "tablee_store_up", store="jobs") == 1
    assert value(found, "tablee_jobs", state="queued") == 0
    assert value(found, "tablee_loops_live") == 0
    assert (value(found, "tablee_store_memory_bytes", store="log") or 0) > 500_000
    assert not any(table.id in str(labels) for _, labels in found), "a match is told"


async def test_what_workers_and_loops_count_is_added_up(app, settings):
    counts = Counts()
    counts.add(BOT_TURNS, "job")
    counts.observe(BOT_ANSWER_SECONDS, 0.3)
    with redis.Redis.from_url(settings.job_store_url) as jobs:
        keep_counts(jobs, counts)
        jobs.hset("tablee:counts", "what another release has counted", 7)
        in_the_loops = Counts()
        loop = CountsLoop(Spread(JobServers((settings.job_store_url,), 4), lambda _: jobs), in_the_loops)
        in_the_loops.add(BOT_TURNS, "job")
        in_the_loops.observe(BOT_ANSWER_SECONDS, 100.0)
        await loop.step()
        await loop.step()
    found = await scraped(app)
    assert value(found, "tablee_bot_turns_total", by="job") == 2
    assert value(found, "tablee_bot_answer_seconds_bucket", le="0.5") == 1
    assert value(found, "tablee_bot_answer_seconds_bucket", le="+Inf") == 2
    assert value(found, "tablee_bot_answer_seconds_sum") == pytest.approx(100.3)
    assert value(found, "tablee_loops_live") == 1
    async with at(app) as client:
        told = (await client.get("/health/ready")).json()
    assert (told["loops"], told["workers"]) == (True, 0)


async def test_a_store_that_is_away_leaves_its_numbers_out(app):
    app.state.metrics._jobs[0].connection_pool.connection_kwargs["path"] = "/no such socket"
    await app.state.metrics._jobs[0].connection_pool.disconnect()
    found = await scraped(app)
    assert value(found, "tablee_store_up", store="jobs") == 0
    assert value(found, "tablee_workers") is None
    assert value(found, "tablee_store_up", store="log") == 1


async def test_rq_keeps_its_queue_where_it_is_read(settings):
    with redis.Redis.from_url(settings.job_store_url) as jobs:
        queue = bots_queue(jobs)
        registries = {
            "running": StartedJobRegistry,
            "failed": FailedJobRegistry,
            "scheduled": ScheduledJobRegistry,
        }
        assert {
            "queued": ("list", queue.key),
            **{state: ("zset", kind(queue=queue).key) for state, kind in registries.items()},
        } == QUEUE_KEYS
        assert isinstance(queue, Queue)
        worker = Worker([queue], connection=jobs, serializer=JSONSerializer)
        worker.register_birth()
        worker.heartbeat()
        assert jobs.smembers(WORKERS_KEY) == {worker.key.encode()}
        async with redis.asyncio.Redis.from_url(settings.job_store_url) as client:
            assert await live_workers(client, present_instant()) == 1
            assert await live_workers(client, after(present_instant(), 60)) == 0
            await client.hset(worker.key, "last_heartbeat", "yesterday")
            assert await live_workers(client, present_instant()) == 0


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        (("192.168.1.7", 1), {}),
        (("::ffff:10.0.0.1", 1), {}),
        (HERE, {"X-Forwarded-For": "127.0.0.1"}),
        (HERE, {"Forwarded": "for=127.0.0.1"}),
    ],
)
async def test_only_programs_on_this_machine_may_read(app, client, headers):
    async with at(app, client) as elsewhere:
        answer = await elsewhere.get("/metrics", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (404, "path.unknown")
    async with at(app, ("::1", 1)) as here:
        answer = await here.get("/metrics")
    assert answer.status_code == 200
    # Prometheus refuses an answer that names its character set twice.
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


async def test_with_a_token_from_anywhere_and_off_for_nobody(settings):
    given = {name: getattr(settings, name) for name in Settings.__struct_fields__}
    app = create_app(Settings(**{**given, "metrics": "token", "metrics_token": TOKEN}))
    async with started(app), at(app, ("192.168.1.7", 1)) as client:
        assert (await client.get("/metrics")).status_code == 401
        wrong = {"Authorization": f"Bearer {TOKEN}x"}
        assert (await client.get("/metrics", headers=wrong)).status_code == 401
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert (await client.get("/metrics", headers=right)).status_code == 200
    app = create_app(Settings(**{**given, "metrics": "off"}))
    async with started(app), at(app) as client:
        assert (await client.get("/metrics")).status_code == 404
    with pytest.raises(SettingsError):
        Settings(metrics="token")
    assert TOKEN not in repr(Settings(metrics="token", metrics_token=TOKEN))


def test_alarms_name_metrics_and_labels_that_there_are():
    rules = yaml.safe_load((DOCUMENT.parents[2] / "deploy" / "alerts.yml").read_text())["groups"][0]["rules"]
    known = {measure.name: set(measure.labels) for measure in (*COUNTED, *READ)}
    for rule in rules:
        named = re.findall(r"(tablee_\w+)(?:\{(\w+)[=!])?", rule["expr"])
        assert named or rule["alert"] == "TableeAway"
        for name, label in named:
            assert name in known, rule
            assert not label or label in known[name], rule
        told = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        assert told <= set().union(*(known[name] for name, _ in named)), rule


def test_the_dashboard_shows_metrics_and_labels_that_there_are_and_leaves_none_out():
    board = json.loads((DOCUMENT.parents[2] / "deploy" / "grafana.json").read_text())
    known = {measure.name: set(measure.labels) for measure in (*COUNTED, *READ)}
    histograms = {f"{one.name}_bucket": one.name for one in COUNTED if one.kind == "histogram"}
    shown = set()
    for panel in board["panels"]:
        for target in panel["targets"]:
            names = {histograms.get(name, name) for name in re.findall(r"tablee_\w+", target["expr"])}
            assert names, panel
            assert names <= known.keys(), panel
            used = set(re.findall(r"\{(\w+)[=!]", target["expr"]))
            used |= set(re.findall(r"by \((\w+)\)", target["expr"]))
            used |= set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert used - {"le"} <= set().union(*(known[name] for name in names)), panel
            shown |= names
    assert known.keys() - shown == {"tablee_build_info"}


async def test_the_document_lists_what_there_is(app):
    rows = re.findall(r"^\| `(tablee_\w+)`(?: \{([^}]*)\})? \| (\w+) \|", DOCUMENT.read_text(), re.MULTILINE)
    told = {name: (kind, tuple(filter(None, labels.split(", ")))) for name, labels, kind in rows}
    assert told == {measure.name: (measure.kind, measure.labels) for measure in (*COUNTED, *READ)}
    async with at(app) as client:
        text = (await client.get("/metrics")).text
    assert set(re.findall(r"^# TYPE (tablee_\w+)", text, re.MULTILINE)) == set(told)

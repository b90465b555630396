"""The pages of one match over real stores, with its jobs and its list."""

import pytest

from services.jobs.bots import bots_queue
from services.log.event_store.keys import Keyspace
from tests.integration.api.ops.test_match_pages import PAGES


@pytest.fixture
async def operator(house):
    await house.play("m1", "steady", "")
    return await house.operator()


async def test_a_match_is_looked_into_unsealed_and_told_with_its_jobs(house, operator):
    bots_queue(house.jobs).enqueue_call(
        "workers.bot_turns.play", args=("m1", "trace-7"), job_id="bot-m1-5-0-0"
    )
    text = (await operator.get("/ops/m/m1")).text
    assert "Whole and untouched" in text
    assert "bot-m1-5-0-0" in text
    assert "trace-7" in text
    for page in (page.replace("/e/9", "/e/5") for page in PAGES):
        assert (await operator.get(f"/ops/m/m1{page}")).status_code == 200, page
    await operator.get("/ops/m/m1")
    await operator.submit("/unseal", reason="a complaint")
    position = await house.application.reader.head("m1")
    assert f"up to event {position.version}" in operator.page.text
    assert "With all cards open." in (await operator.get(f"/ops/m/m1/e/{position.version - 1}")).text


async def test_a_bot_that_owes_a_move_without_a_job_is_told_so(operator):
    text = (await operator.get("/ops/m/m1")).text
    assert "The queue holds none for this match" in text


async def test_a_match_whose_place_among_the_due_ones_is_lost_is_told_so(house, operator):
    missing = "its entry in the index of instants is missing"
    assert missing not in (await operator.get("/ops/m/m1")).text
    keyspace = Keyspace(house.application.store.shards)
    assert await house.application.log_client.zrem(keyspace.of_shard_of("m1").due, "m1")
    text = (await operator.get("/ops/m/m1")).text
    assert missing in text
    assert "tablee doctor --repair" in text
    assert "stands still" not in text

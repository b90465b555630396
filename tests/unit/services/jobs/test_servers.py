"""Which server carries the jobs of which match, and what is seen of several."""

from collections import Counter

import fakeredis
import pytest
import redis

from services.jobs.errors import JobStoreUnavailable
from services.jobs.notices import NoticesQueue, notices_queue
from services.jobs.queues import JobQueues
from services.jobs.servers import JobServers, Spread, job_servers
from services.log.event_store.keys import shard_of
from services.process.settings import Settings, SettingsError, load_settings
from tests.kit.environment import without_settings
from workers.jobs import SpreadQueue

URLS = ("redis://one:6379/1", "redis://ada:secret@two:6379/1")
MATCHES = [f"m{number}" for number in range(200)]


class Away(fakeredis.FakeRedis):
    """A server that can go away."""

    away = False

    def execute_command(self, *args, **more):
        if self.away:
            raise redis.ConnectionError("refused")
        return super().execute_command(*args, **more)

    def pipeline(self, *args, **more):
        if self.away:
            raise redis.ConnectionError("refused")
        return super().pipeline(*args, **more)


@pytest.fixture
def servers() -> JobServers:
    return JobServers(URLS, 16)


@pytest.fixture
def spread(servers) -> Spread[Away]:
    return Spread(servers, lambda _: Away())


def test_the_jobs_of_a_match_are_always_on_the_same_server_and_all_servers_have_some(servers):
    for count in (1, 2, 3, 5):
        some = JobServers(tuple(f"redis://{number}" for number in range(count)), 16)
        # Written out: another rule would leave what runs elsewhere without workers.
        assert [some.index_of(match) for match in MATCHES] == [
            shard_of(match, 16) % count for match in MATCHES
        ]
        assert len(Counter(map(some.url_of, MATCHES))) == count
    assert servers.names == ("redis://one:6379/1", "redis://two:6379/1")


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("redis://one", ("redis://one",)),
        ("redis://one, valkeys://two:7000/3", ("redis://one", "valkeys://two:7000/3")),
        ("unix:///a folder/s?db=1\n rediss://u:p@two", ("unix:///a folder/s?db=1", "rediss://u:p@two")),
        (
            "sentinel://a:1,b:2/jobs,sentinel://c:1,d:2/more",
            ("sentinel://a:1,b:2/jobs", "sentinel://c:1,d:2/more"),
        ),
    ],
)
def test_several_servers_stand_in_one_setting(text, urls):
    found = job_servers(load_settings({"TABLEE_JOB_STORE_URL": text}))
    assert found is not None
    assert found.urls == urls


@pytest.mark.parametrize("text", ["one:6379", "http://one redis://two", "redis://one redis://one"])
def test_what_names_no_servers_is_refused(text):
    with pytest.raises(SettingsError, match="TABLEE_JOB_STORE_URL"):
        load_settings({"TABLEE_JOB_STORE_URL": text})


def test_without_a_setting_there_are_none():
    assert job_servers(Settings()) is None
    assert job_servers(load_settings(without_settings())) is None


def test_each_match_has_its_jobs_on_its_own_server_and_one_that_is_away_stops_no_other(spread):
    queue = SpreadQueue(spread)
    assert queue.was_emptied()
    assert not queue.was_emptied()
    spread.all[1].away = True
    for match in MATCHES:
        if spread.of(match).away:
            with pytest.raises(JobStoreUnavailable):
                queue.send(f"bot-{match}-1-0-0", match, "t")
        else:
            assert queue.send(f"bot-{match}-1-0-0", match, "t")
    here = [match for match in MATCHES if spread.of(match) is spread.all[0]]
    assert 50 < len(here) < 150
    assert spread.all[0].llen("rq:queue:bots") == len(here)
    with pytest.raises(JobStoreUnavailable):
        queue.was_emptied()
    # The one that answers is not hidden by the other.
    spread.all[0].flushall()
    assert queue.was_emptied()
    spread.all[1].away = False
    assert not queue.was_emptied()


def test_notices_are_spread_too(spread):
    notices = NoticesQueue(spread)
    for number in range(100):
        assert notices.send(f"message-{number}")
        assert not notices.send(f"message-{number}")
    counts = [notices_queue(one).count for one in spread.all]
    assert sum(counts) == 100
    assert min(counts) > 20


def test_operators_see_all_queues_and_which_server_does_not_answer(spread):
    queue, seen = SpreadQueue(spread), JobQueues(spread)
    for match in MATCHES[:10]:
        queue.send(f"bot-{match}-1-0-0", match, "t")
    standing = seen.look()
    assert standing.jobs[0].count == 10
    assert {job.match: job.server for job in standing.jobs[0].seen} == {
        match: spread.servers.names[spread.servers.index_of(match)] for match in MATCHES[:10]
    }
    assert standing.unserved == spread.servers.names
    one, other = (next(m for m in MATCHES if spread.of(m) is server) for server in spread.all)
    assert seen.discard(f"bot-{other}-1-0-0")
    assert not seen.discard(f"bot-{other}-1-0-0")
    spread.all[1].away = True
    standing = seen.look()
    assert standing.away == ("redis://two:6379/1",)
    assert standing.unserved == ("redis://one:6379/1",)
    assert seen.discard(f"bot-{one}-1-0-0")
    with pytest.raises(JobStoreUnavailable):
        seen.discard(f"bot-{one}-1-0-0")
    spread.all[0].away = True
    with pytest.raises(JobStoreUnavailable):
        seen.look()

"""The real queue, on a server in memory: what a job says, and that the same turn is queued once."""

import json
import zlib

import fakeredis
import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from services.bootstrap.clients import SENDING, blocking_client
from services.jobs.bots import QUEUE_NAME, alone_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.notices import NoticesQueue, notices_queue
from services.jobs.servers import JobServers, Spread
from tests.kit.house import House
from tests.kit.instants import at
from workers.bot_jobs import attempt_at, seconds_asked, send_job
from workers.jobs import JOB_SECONDS, BotsQueue
from workers.rq_worker import queues_of_bots


@pytest.fixture
def server() -> fakeredis.FakeRedis:
    return fakeredis.FakeRedis()


def waiting(server) -> Queue:
    return Queue(QUEUE_NAME, connection=server, serializer=JSONSerializer)


def test_a_job_carries_ids_only_and_leaves_nothing_behind(server):
    assert BotsQueue(server).send("bot-m1-7-0-0", "m1", "t1")
    (job,) = waiting(server).jobs
    assert (job.id, job.func_name, job.args) == ("bot-m1-7-0-0", "workers.bot_turns.play", ["m1", "t1"])
    assert (job.timeout, job.result_ttl) == (JOB_SECONDS, 0)


def test_what_lies_on_the_server_is_json_and_not_code(server):
    BotsQueue(server).send("j1", "m1", "t1")
    stored = server.hgetall("rq:job:j1")[b"data"]
    assert json.loads(zlib.decompress(stored)) == ["workers.bot_turns.play", None, ["m1", "t1"], {}]


def test_the_same_turn_is_queued_once_for_each_attempt(server):
    queue = BotsQueue(server)
    assert queue.send("bot-m1-7-0-0", "m1", "t1")
    assert not queue.send("bot-m1-7-0-0", "m1", "t2")
    assert queue.send("bot-m1-7-0-1", "m1", "t1")
    assert waiting(server).job_ids == ["bot-m1-7-0-0", "bot-m1-7-0-1"]


def test_another_attempt_is_not_queued_while_a_former_one_waits(server):
    queue = BotsQueue(server)
    assert queue.send("bot-m1-7-0-0", "m1", "t1")
    assert not queue.send("bot-m1-7-0-1", "m1", "t1", ["bot-m1-7-0-0"])
    assert not queue.send("bot-m1-7-0-2", "m1", "t1", ["bot-m1-7-0-0", "bot-m1-7-0-1"])
    assert waiting(server).job_ids == ["bot-m1-7-0-0"]
    # A worker has taken it, and froze or died; its record is still there.
    server.lpop(waiting(server).key)
    assert queue.send("bot-m1-7-0-2", "m1", "t1", ["bot-m1-7-0-0", "bot-m1-7-0-1"])
    # All is lost.
    server.flushall()
    assert queue.send("bot-m1-7-0-3", "m1", "t1", ["bot-m1-7-0-0", "bot-m1-7-0-1", "bot-m1-7-0-2"])


def test_a_server_that_lost_everything_is_noticed_once(server):
    queue = BotsQueue(server)
    assert queue.was_emptied()
    assert not queue.was_emptied()
    server.flushall()
    assert queue.was_emptied()
    assert not queue.was_emptied()


class Trouble:
    """A client that meets an error with every command, and counts them."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    def set(self, *_args, **_more):
        self.asked += 1
        raise self.error


@pytest.mark.parametrize("error", [redis.ConnectionError("refused"), OSError("no route")])
def test_a_server_that_is_away_is_said_to_be(error):
    client = Trouble(error)
    queue = BotsQueue(client)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(JobStoreUnavailable):
            queue.was_emptied()
    assert client.asked == 2


def test_a_server_that_does_not_answer_is_left_alone_for_some_seconds():
    client, seconds = Trouble(redis.TimeoutError("too slow")), [0.0]
    queue = BotsQueue(client, clock=lambda: seconds[0])  # type: ignore[arg-type]
    for now, asked in ((0.0, 1), (4.9, 1), (5.0, 2), (9.9, 2), (10.0, 3)):
        seconds[0] = now
        with pytest.raises(JobStoreUnavailable):
            queue.was_emptied()
        assert client.asked == asked


def test_a_client_that_sends_gives_up_soon():
    options = blocking_client("redis://127.0.0.1:1/0", SENDING).connection_pool.connection_kwargs
    assert options["socket_timeout"] <= 2
    assert options["socket_connect_timeout"] <= 2


class TestSendingForAMatch:
    async def test_nothing_is_sent_where_no_bot_is_asked(self, server):
        house = await House().begin("lama", 2)
        assert not await send_job(BotsQueue(server), await house.head(), at(0))
        assert waiting(server).job_ids == alone_queue(server).job_ids == []

    async def test_the_turns_at_which_people_wait_have_a_queue_of_their_own(self, server):
        house = await House().begin("skyjo", 3, bots=2)
        assert await send_job(BotsQueue(server), await house.head(), at(0))
        assert len(waiting(server).job_ids) == 1
        assert alone_queue(server).job_ids == []

    async def test_one_job_plays_the_first_bot_and_all_behind_it(self, server):
        house = await House().begin("skyjo", 4, bots=4)
        position = await house.head()
        assert await send_job(BotsQueue(server), position, at(0))
        assert alone_queue(server).job_ids == [f"bot-m1-{position.version}-0-0"]

    async def test_under_load_nothing_is_sent_again_while_the_first_job_waits(self, server):
        house = await House().begin("lama", 2, bots=2)
        position, queue = await house.head(), BotsQueue(server)
        assert [await send_job(queue, position, at(seconds)) for seconds in (0, 10, 20)] == [
            True,
            False,
            False,
        ]
        assert len(alone_queue(server).job_ids) == 1

    @pytest.mark.parametrize(
        ("seconds", "attempt"), [(-5, 0), (0, 0), (9.999, 0), (10, 1), (29, 2), (600, 60)]
    )
    async def test_attempts_are_whole_ten_seconds_since_it_was_asked(self, server, seconds, attempt):
        house = await House().begin("lama", 2, bots=2)
        position = await house.head()
        seat = (await house.to_act())[0]
        assert seconds_asked(position, seat, at(seconds)) == pytest.approx(seconds)
        assert attempt_at(position, seat, at(seconds)) == attempt
        await send_job(BotsQueue(server), position, at(seconds))
        assert alone_queue(server).job_ids[0].endswith(f"-{attempt}")


def test_no_bot_waits_behind_a_thousand_notices(server):
    """Whoever plays bots takes the bot's job next, however many notices were queued before."""
    notices, bots = (
        NoticesQueue(Spread(JobServers(("redis://one",), 16), lambda _: server)),
        BotsQueue(server),
    )
    for number in range(1000):
        assert notices.send(f"message{number}")
    assert bots.send("bot-m1-7-0-0", "m1", "t1")
    queues = queues_of_bots(server)
    assert notices_queue(server).key not in {queue.key for queue in queues}
    found = Queue.dequeue_any(queues, None, connection=server, serializer=JSONSerializer)
    assert found is not None
    assert found[0].id == "bot-m1-7-0-0"
    assert len(notices_queue(server).job_ids) == 1000

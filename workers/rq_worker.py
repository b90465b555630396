"""The process that takes jobs from a server's queues: ``python -m workers.rq_worker [NUMBER OF THE SERVER]``."""

import resource
import sys
import time
from pathlib import Path
from typing import Any

import structlog
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker, Worker, worker_registration
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker.base import BaseWorker

# Imported here so that the first job finds everything loaded.
import workers.bot_turns
from services.bootstrap.clients import TAKING, blocking_client
from services.jobs.bots import alone_queue, bots_queue
from services.log.embedded.start_report import Pulse, report_started
from services.process.games import load_games
from services.process.rare_collections import collect_rarely
from services.process.service_log import configure_logs
from services.process.settings import Settings, load_settings
from workers.open_house import HOUSE
from workers.own_jobs import own_index, own_servers, require_own_jobs_or_end

MONITORING_SECONDS = 5
"""How often a running job reports that it lives."""

MAINTENANCE_SECONDS = 60
"""How often abandoned jobs are cleared away; bots do not wait for that, the clock sends their turns again."""

MOST_JOBS = 20_000
"""After so many jobs a worker ends, and the supervisor starts another one."""

MOST_KILOBYTES = 400_000
"""A worker that has grown to this size ends, too."""

_IDLE_SECONDS = 10
"""For how long the worker waits for a job before it gives a sign of life and waits on."""

_RQ_KEEPS_BACK = 15
"""RQ waits for a job for so many seconds less than the worker's time to live."""

_RQ_REMEMBERS = 60
"""For how many seconds beyond its time to live RQ keeps a worker that does not report."""

_RETRY_SECONDS = 0.5

_log = structlog.get_logger(__name__)

__all__ = ["main", "workers"]


class ReportingWorker(BaseWorker):
    """What RQ's workers here have in common: they tell the supervisor that they live, and register when forgotten."""

    max_connection_wait_time = 2.0
    """RQ would sleep for up to a minute after the queue's server was away; bots would wait for that."""

    pulse = Pulse(None)

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Do what RQ does now and then, idle or not."""
        # First, because a worker that waits for the queue's server is alive.
        self.pulse.beat()
        super().heartbeat(timeout, pipeline)
        # While it plays, RQ reports within a pipeline of its own; it reports alone before it waits for the next job.
        if pipeline is None:
            self._register_again()

    def _register_again(self) -> None:
        """Register anew if the queue's server no longer knows this worker.

        It forgets everybody when it is emptied or starts anew, and whoever was silent for too long. RQ itself registers
        once, at its start: the worker would play on, and everybody would be told that none is there.
        """
        if self.birth_date is None or self.connection.sismember(self.redis_workers_keys, self.key):
            return
        with self.connection.pipeline() as pipeline:
            pipeline.hset(self.key, mapping=self.serialize())
            pipeline.hset(self.key, "state", self.get_state())
            worker_registration.register(self, pipeline)
            pipeline.expire(self.key, self.worker_ttl + _RQ_REMEMBERS)
            pipeline.execute()
        _log.info("worker_registered_again", worker=self.name)


class ForkingWorker(ReportingWorker, Worker):
    """Forks for each job: one that hangs or dies takes nobody with it."""


class BotWorker(ReportingWorker, SimpleWorker):
    """Plays bots' turns in its own process, which keeps everything open from one to the next.

    A turn has a time limit. A worker that hangs all the same gives no sign of life, and the supervisor starts it anew;
    so it does with one that has lived long enough.
    """

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Play, and stop afterwards if the process has grown too much."""
        super().execute_job(job, queue)
        grown = _kilobytes_in_use()
        if grown > MOST_KILOBYTES:
            _log.info("worker_has_grown", kilobytes=grown)
            self._stop_requested = True


def _kilobytes_in_use() -> int:
    """Return how much memory this process has now.

    The most that it ever had would not do: on Linux a process begins with that of whoever started it.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return pages * resource.getpagesize() // 1024


def main() -> None:
    """Take jobs until told to stop, or for a life's worth of them; the present job is finished first."""
    settings = load_settings()
    configure_logs(settings.log_format, settings.log_level, process="worker")
    load_games(settings.games)
    connection, pulse = own_server(settings)
    HOUSE.stays, HOUSE.beat = True, pulse.beat
    collect_rarely()
    work_on(queues_of_bots(connection), connection, pulse, BotWorker, jobs=MOST_JOBS)
    HOUSE.close()


def own_server(settings: Settings) -> tuple[Any, Pulse]:
    """Return a connection to the server that this process serves, once it answers, and the pulse.

    A worker has one server, since RQ's has one connection: a server that is away then stops its own workers only.
    """
    servers = own_servers(settings)
    index = own_index(servers, sys.argv[1:])
    connection = blocking_client(servers.urls[index], TAKING)
    pulse = report_started()
    wait_for(connection, pulse)
    require_own_jobs_or_end(connection, settings, servers.places[index])
    return connection, pulse


def queues_of_bots(connection: Any) -> list[Queue]:
    """Return what this worker takes: nothing but bots' turns, so that none waits for a mail server.

    The tables of people come first. With two queues RQ loses a job that is popped by a worker that dies at that moment;
    the clock sends its turn again.
    """
    return [bots_queue(connection), alone_queue(connection)]


def work_on(
    queues: list[Queue],
    connection: Any,
    pulse: Pulse,
    kind: type[ReportingWorker] = ForkingWorker,
    jobs: int | None = None,
) -> None:
    """Take the jobs of some queues, the first one's first, until told to stop or until so many are done."""
    worker = kind(
        queues,
        connection=connection,
        serializer=JSONSerializer,
        job_monitoring_interval=MONITORING_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
        worker_ttl=_IDLE_SECONDS + _RQ_KEEPS_BACK,
        log_job_description=False,
    )
    worker.pulse = pulse
    # RQ tells six lines for each job; ours says the same in one, with the correlation id.
    worker.work(with_scheduler=False, logging_level="WARNING", max_jobs=jobs)


def wait_for(connection: Any, pulse: Pulse) -> None:
    """Wait until the queue's server answers."""
    told = False
    while True:
        try:
            connection.ping()
        except (RedisError, OSError) as error:
            if not told:
                _log.warning("worker_waits_for_the_store", reason=str(error))
            told = True
            pulse.beat()
            time.sleep(_RETRY_SECONDS)
        else:
            return


if __name__ == "__main__":
    main()

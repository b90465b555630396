"""The faults: what we do to a running service while people play.

A strike returns the instant at which it stopped interfering; from then on the service must be ready again within three
seconds.
"""

import random
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from redis import Redis

from services.jobs.bots import QUEUE_NAME
from services.log.embedded.processes import is_alive
from tests.faults.crowd import Crowd
from tests.faults.running_service import RunningService, frozen
from tests.faults.waiting import until_true
from workers.jobs import BotsQueue

WHOLE_SERVICE = "tablee up"
_QUEUE_KEY = f"rq:queue:{QUEUE_NAME}"
_RUNNING_KEY = f"rq:wip:{QUEUE_NAME}"
_SOON = 30.0
# The clock plays a turn after thirty seconds, or later when it has much to do.
_CLOCK_PATIENCE = 75.0


class Scene(NamedTuple):
    """Where a strike happens."""

    service: RunningService
    crowd: Crowd
    chance: random.Random


class Fault(NamedTuple):
    """One kind of fault.

    Attributes:
        name: Its name in the table.
        strike: Causes it.
        killed: The processes that it kills, which the service log must name.
        people_notice: Whether a person's request may suffer: be answered with 503, or not at all.
        workers: How many processes must play the bots' turns.
        others: How many processes of the API and of the loops must run.
    """

    name: str
    strike: Callable[[Scene], float]
    killed: tuple[str, ...] = ()
    people_notice: bool = False
    workers: int = 1
    others: int = 1

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which ``tablee up`` starts as many."""
        return ("--workers", str(self.workers), "--api-processes", str(self.others))

    @property
    def variables(self) -> dict[str, str]:
        """What has no option."""
        return {"TABLEE_LOOP_PROCESSES": str(self.others)}


def _kill_during_a_command(name: str) -> Callable[[Scene], float]:
    def strike(scene: Scene) -> float:
        _in_a_command(scene)
        scene.service.signal(name, SIGKILL)
        return time.monotonic()

    return strike


def _kill_worker(scene: Scene) -> float:
    """Kill the worker at a random point while it plays."""
    _in_a_turn(scene)
    time.sleep(scene.chance.uniform(0.0, 0.03))
    scene.service.signal("worker 1", SIGKILL)
    return time.monotonic()


def _kill_whole_service(scene: Scene) -> float:
    _in_a_command(scene)
    scene.service.kill()
    over = time.monotonic()
    scene.service.start(wait=False)
    return over


def _empty_job_store(scene: Scene) -> float:
    """Empty the job store while a job is being played, and again while jobs wait in it."""
    with Redis.from_url(scene.service.job_store_url) as jobs:
        _in_a_turn(scene)
        jobs.flushall()
        with frozen(*_workers(scene)):
            until_true(lambda: jobs.llen(_QUEUE_KEY), seconds=_SOON, what="a waiting job")
            jobs.flushall()
    return time.monotonic()


def _double_jobs(scene: Scene) -> float:
    """Queue every waiting job twice more under its own id, and once under the id of another attempt."""
    with Redis.from_url(scene.service.job_store_url) as jobs:
        with frozen(*_workers(scene)):
            waiting = until_true(lambda: jobs.lrange(_QUEUE_KEY, 0, -1), seconds=_SOON, what="a waiting job")
            doubled = set(waiting)
            for job_id in waiting:
                jobs.rpush(_QUEUE_KEY, job_id, job_id)
                turn, _, attempt = job_id.decode().rpartition("-")
                other, match = f"{turn}-{int(attempt) + 50}", turn.split("-")[1]
                assert BotsQueue(jobs).send(other, match, "doubled")
                doubled.add(other.encode())
        until_true(
            lambda: doubled.isdisjoint(jobs.lrange(_QUEUE_KEY, 0, -1)),
            seconds=_SOON,
            what="the doubled jobs' turn",
        )
    return time.monotonic()


def _freeze_job_store(scene: Scene) -> float:
    """Freeze the job store until every table has had a turn played without it."""
    began = len(scene.service.lines("bot_played_by_the_clock"))
    with frozen(scene.service.pids["job store"]):
        _wait_for_the_clock(scene, began)
    return time.monotonic()


def _freeze_for_good(*names: str) -> Callable[[Scene], float]:
    """Freeze processes and leave them frozen: the service itself must notice."""

    def strike(scene: Scene) -> float:
        pids = [scene.service.pids[name] for name in names]
        with frozen(*pids):
            until_true(
                lambda: not any(map(is_alive, pids)), seconds=40, what=f"the end of the frozen {names}"
            )
        return time.monotonic()

    return strike


def _freeze_log_store(scene: Scene) -> float:
    """Freeze the log store until somebody has been told."""
    with Redis.from_url(scene.service.log_store_url) as log:
        pid, began = int(log.info("server")["process_id"]), time.monotonic()
    with frozen(pid):
        until_true(lambda: _told_503(scene, began), seconds=_SOON, what="an answer of 503")
        until_true(lambda: _not_ready(scene), seconds=_SOON, what="a readiness of 503")
    return time.monotonic()


def _take_socket_away(scene: Scene) -> float:
    """Take the log store's address away and break its connections until somebody has been told."""
    address, began = Path(unquote(urlsplit(scene.service.log_store_url).path)), time.monotonic()
    elsewhere = address.with_suffix(".elsewhere")
    with Redis.from_url(scene.service.log_store_url) as log:
        log.ping()
        address.rename(elsewhere)
        try:
            log.client_kill_filter(_type="normal", skipme=True)
            until_true(lambda: _told_503(scene, began), seconds=_SOON, what="an answer of 503")
            until_true(lambda: _not_ready(scene), seconds=_SOON, what="a readiness of 503")
        finally:
            elsewhere.rename(address)
    return time.monotonic()


def _in_a_command(scene: Scene) -> None:
    """Return at a random point during a person's command."""
    under_way = scene.crowd.ledger.commands_under_way
    until_true(lambda: under_way, seconds=_SOON, what="a command that is under way", pause=0.0005)
    time.sleep(scene.chance.uniform(0.0, 0.015))


def _in_a_turn(scene: Scene) -> None:
    """Return while a worker plays bots' turns."""
    with Redis.from_url(scene.service.job_store_url) as jobs:
        until_true(
            lambda: jobs.zcard(_RUNNING_KEY),
            seconds=_SOON,
            what="a bots' job that is being played",
            pause=0.002,
        )


def _workers(scene: Scene) -> list[int]:
    return [pid for name, pid in scene.service.pids.items() if name.startswith("worker")]


def _wait_for_the_clock(scene: Scene, lines_before: int) -> None:
    def all_played() -> bool:
        forced = {line["match"] for line in scene.service.lines("bot_played_by_the_clock")[lines_before:]}
        return all(table.match in forced for table in scene.crowd.tables)

    until_true(
        all_played, seconds=_CLOCK_PATIENCE, what="a turn played by the clock at every table", pause=0.25
    )


def _told_503(scene: Scene, since: float) -> bool:
    return any(trouble.status for trouble in scene.crowd.ledger.troubles_since(since))


def _not_ready(scene: Scene) -> bool:
    told = scene.service.readiness()
    return told is not None and told["status"] == 503 and told["log"] == "unreachable"


LOG_STORE = Fault("log store killed", _kill_during_a_command("log store"), ("log store",), people_notice=True)
JOB_STORE = Fault("job store killed", _kill_during_a_command("job store"), ("job store",))
API = Fault("API killed", _kill_during_a_command("API"), ("API",), people_notice=True)
WORKER = Fault("worker killed", _kill_worker, ("worker 1",))
LOOPS = Fault("loops killed", _kill_during_a_command("loops"), ("loops",))
WHOLE = Fault("tablee up killed", _kill_whole_service, (WHOLE_SERVICE,), people_notice=True)
EMPTIED = Fault("job store emptied", _empty_job_store)
DOUBLED = Fault("jobs doubled", _double_jobs, workers=2)
FROZEN_WORKER = Fault("worker frozen", _freeze_for_good("worker 1"), ("worker 1",))
FROZEN_WORKERS = Fault(
    "both workers frozen", _freeze_for_good("worker 1", "worker 2"), ("worker 1", "worker 2"), workers=2
)
FROZEN_JOB_STORE = Fault("job store frozen", _freeze_job_store)
FROZEN_LOOPS = Fault("loops frozen", _freeze_for_good("loops"), ("loops",))
FROZEN_API = Fault("API frozen", _freeze_for_good("API"), ("API",), people_notice=True)
FROZEN_API_AND_LOOPS = Fault(
    "API and loops frozen", _freeze_for_good("API", "loops"), ("API", "loops"), people_notice=True
)
FROZEN_LOG_STORE = Fault("log store frozen", _freeze_log_store, people_notice=True)
SOCKET_AWAY = Fault("log store's socket away", _take_socket_away, people_notice=True)

ONE_API = Fault(
    "one of two APIs killed", _kill_during_a_command("API 2"), ("API 2",), people_notice=True, others=2
)
ONE_OF_THE_LOOPS = Fault("one of two loops killed", _kill_during_a_command("loops 2"), ("loops 2",), others=2)
THE_OTHER_LOOPS = Fault("the other loops killed", _kill_during_a_command("loops"), ("loops",), others=2)
SEVERAL = (ONE_API, ONE_OF_THE_LOOPS, THE_OTHER_LOOPS)

KILLS = (LOG_STORE, JOB_STORE, API, WORKER, LOOPS, WHOLE)
ALL = (
    *KILLS,
    EMPTIED,
    DOUBLED,
    FROZEN_WORKER,
    FROZEN_JOB_STORE,
    FROZEN_LOOPS,
    FROZEN_API,
    FROZEN_LOG_STORE,
    SOCKET_AWAY,
    *SEVERAL,
)

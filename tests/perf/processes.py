"""What several processes and replicas give and cost: moves over HTTP, flat out, in one run.

Clients run on the same machine. Where all cores are taken, more processes cannot carry more; then the processor time of
a move tells what sharing costs.
"""

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.kit.valkey_cluster import running_cluster
from tests.kit.valkeys import nodes
from tests.perf.http_moves import Run, flat_out
from tests.perf.report import median, show
from tests.perf.service import Service

CLIENTS = 16
TURNS = 2


def _several(apis: int, loops: int) -> dict[str, str]:
    return {"TABLEE_API_PROCESSES": str(apis), "TABLEE_LOOP_PROCESSES": str(loops)}


def _spent(run: Run, part: str) -> float:
    """Return the processor time of a move, in ms, that processes with such a name took."""
    return sum(cores for name, cores in run.cores.items() if name.startswith(part)) / run.rate * 1000


def _measured(name: str, **variables: str) -> tuple[object, ...]:
    with Service(**UNLIMITED, **variables) as service:
        uvloop.run(flat_out(service, CLIENTS))  # warm, and all processes are up
        runs = [uvloop.run(flat_out(service, CLIENTS)) for _ in range(TURNS)]
        memory = sum(service.memory().values())
    figures = (
        median([run.rate for run in runs]),
        median([run.p50 for run in runs]),
        median([run.p99 for run in runs]),
        *(median([_spent(run, part) for run in runs]) for part in ("API", "loops", "log store")),
    )
    return name, *figures, memory


def main() -> None:
    """Measure."""
    rows = [
        _measured("1 API, 1 loops", **_several(1, 1)),
        _measured("1 API, 2 loops", **_several(1, 2)),
        _measured("2 APIs, 1 loops", **_several(2, 1)),
        _measured("2 APIs, 2 loops", **_several(2, 2)),
    ]
    for name, replicas in (("own server with a replica", 0), ("... waited for", 1)):
        # A log belongs to one installation, so each has its own.
        with nodes(2) as (primary, replica):
            replica.follow(primary)
            own = {"TABLEE_LOG_STORE_URL": primary.url, "TABLEE_REPLICAS": str(replicas), **_several(1, 1)}
            rows.append(_measured(name, **own))
    with running_cluster() as cluster:
        own = {"TABLEE_LOG_STORE_URL": cluster.url, "TABLEE_REPLICAS": "1", **_several(1, 1)}
        rows.append(_measured("three primaries, each waited for a replica", **own))
    columns = ("16 clients, closed loop", "moves/s", "p50, ms", "p99, ms")
    show((*columns, "APIs, ms CPU a move", "loops", "log store", "memory of all, MB"), rows)


if __name__ == "__main__":
    main()

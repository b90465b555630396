"""The processes of which ``tablee up`` consists."""

import os
import sys
from collections.abc import Mapping

from msgspec.structs import replace

from api.supervision.child import Child, store_child
from api.supervision.probes import http_answers
from services.embedded.data_folder import DataFolder
from services.embedded.stores import Store, embedded_stores
from services.settings import Settings

API = "API"


def needed_stores(settings: Settings, folder: DataFolder) -> tuple[Settings, tuple[Store, ...]]:
    """Return the embedded stores that are needed, and the settings with their addresses filled in.

    Raises:
        NoServerBinary: One is needed and there is no server for this machine.
    """
    if settings.log_store_url is not None and settings.job_store_url is not None:
        return settings, ()
    log, jobs = embedded_stores(folder)
    needed = []
    if settings.log_store_url is None:
        settings = replace(settings, log_store_url=log.url)
        needed.append(log)
    if settings.job_store_url is None:
        settings = replace(settings, job_store_url=jobs.url)
        needed.append(jobs)
    return settings, tuple(needed)


def service_children(settings: Settings, stores: tuple[Store, ...]) -> list[Child]:
    """Return all processes of the service.

    Args:
        settings: With the addresses of both stores.
        stores: The embedded stores among them.
    """
    environment = {**os.environ, **settings.to_environment()}
    needs = tuple(store.name for store in stores)
    api = _python(
        API,
        "api.server",
        needs,
        environment,
        ready=lambda: http_answers(settings.host, settings.port, "/health/ready"),
    )
    # They could start beside it, but on a small machine the API would then answer a second later.
    after_api = (*needs, API)
    workers = (
        _python(f"worker {number}", "workers.rq_worker", after_api, environment)
        for number in range(1, settings.workers + 1)
    )
    loops = _python("loops", "workers.loops", after_api, environment)
    return [*map(store_child, stores), api, *workers, loops]


def _python(
    name: str, module: str, needs: tuple[str, ...], environment: Mapping[str, str], **more: object
) -> Child:
    return Child(name=name, argv=(sys.executable, "-m", module), needs=needs, environment=environment, **more)  # type: ignore[arg-type]

"""``tablee up``."""

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.command_line.calling import suggested
from api.command_line.first_link import first_link
from api.command_line.group import CommandFailed
from api.command_line.output import say, tell
from api.command_line.purposes import UP
from domain.games.registry import EXAMPLE
from services.process.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.log.embedded.durability import DurabilityVerdict


@click.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder; made if it is missing.  [default: $TABLEE_DATA or ./tablee-data]",
)
@click.option(
    "--redis",
    "--log-store-url",
    "log_store_url",
    metavar="URL",
    help="The Redis or Valkey server (7.0 or newer) for the log, instead of the embedded one.",
)
@click.option(
    "--jobs-redis",
    "--job-store-url",
    "job_store_url",
    metavar="URL",
    help="The server for jobs, instead of the embedded one, or several with commas. Its contents may be lost.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="The address to listen on; 0.0.0.0 for all networks.  [default: 127.0.0.1]",
)
@click.option("--port", metavar="NUMBER", help="The port to listen on.  [default: 8000]")
@click.option("--workers", metavar="NUMBER", help="How many processes play the bots' turns.  [default: 1]")
@click.option(
    "--api-processes",
    metavar="NUMBER",
    help="How many processes of the API share the port.  [default: 1]",
)
@click.option(
    "--log-format", metavar="FORMAT", help="The form of the service log: console or json.  [default: console]"
)
@click.option(
    "--log-level",
    metavar="LEVEL",
    help="The least important lines to log: debug, info, warning or error.  [default: info]",
)
@click.option("--background", is_flag=True, hidden=True, help="Nobody reads what is printed.")
def up(*, background: bool, **given: object) -> None:
    """Start the service in the foreground. Ctrl-C stops all of it.

    Without --redis and --jobs-redis it runs its own stores, in the data folder, and needs nothing else. Every option
    can also be set as a variable, such as TABLEE_PORT.
    """
    settings = load_settings(**given)
    status = _run(settings, is_read=not background)
    if status:
        raise SystemExit(status)


def _run(settings: Settings, *, is_read: bool) -> int:
    # Imported here, and only what the supervisor needs: it stays in memory as long as the service runs.
    from api.command_line.service import needed_stores, service_children
    from api.supervision.supervisor import Supervisor
    from services.log.embedded.data_folder import DataFolder
    from services.log.embedded.running import Running, publish, withdraw
    from services.process.code_identity import code_digest
    from services.process.service_log import configure_logs
    from services.process.settings import installation_secret

    configure_logs(settings.log_format, settings.log_level, process="supervisor")
    # A refused start leaves no new folder behind. One that is there comes first: who starts the service twice is told
    # so, and not that the port is taken.
    is_new = not settings.data_folder.exists()
    if is_new:
        _require_startable(settings)
    with DataFolder(settings.data_folder, purpose=UP) as folder:
        if not is_new:
            _require_startable(settings)
        complete, stores = needed_stores(settings, folder)
        installation_secret(complete)
        greeted, code = False, code_digest()

        def announce(supervisor: Supervisor) -> None:
            nonlocal greeted
            publish(
                folder.path,
                Running(
                    pid=os.getpid(),
                    purpose=UP,
                    log_store_url=complete.log_store_url or "",
                    job_store_url=complete.job_store_url or "",
                    api_url=complete.api_url,
                    public_url=complete.public_url,
                    pids=supervisor.pids,
                    code=code,
                ),
            )
            if not greeted and is_read:
                _greet(complete)
            greeted = True

        try:
            return Supervisor(service_children(complete, stores), on_ready=announce).run()
        finally:
            withdraw(folder.path)


def _require_startable(settings: Settings) -> None:
    """Make sure that nothing outside the data folder is in the way."""
    from api.supervision.probes import require_free_port, require_shared_ports
    from services.log.embedded.stores import server_binary
    from services.process.settings import present_secret

    require_free_port(settings.host, settings.port)
    if settings.api_processes > 1:
        require_shared_ports()
    present_secret(settings)
    if settings.log_store_url is None or settings.job_store_url is None:
        server_binary()
    if settings.log_store_url is not None:
        require_fit(settings)
    if settings.job_store_url is not None:
        require_fit_for_jobs(settings)


def require_fit(settings: Settings) -> None:
    """Make sure that a log store of the operator's own can be used.

    It must hold the log of this installation, or none, and keep what it acknowledges, unless less is accepted.

    Raises:
        CommandFailed: It does not keep it, or does not answer.
        InstallationMismatch: Its log was made with other settings.
    """
    from redis.exceptions import RedisError

    from api.command_line.service import require_shards
    from services.errors import StoreUnavailable

    url = settings.log_store_url or ""
    try:
        told, stored, verdict = asyncio.run(_looked_at(url))
    except (RedisError, OSError, ValueError, StoreUnavailable) as error:
        raise CommandFailed(f"The log's server at {url} cannot be used: {error}") from error
    if told:
        raise CommandFailed(f"The log's server at {url} cannot be used: {told}.")
    require_shards(None if stored is None else int(stored), settings)
    if verdict.durable == "yes":
        return
    found = "; ".join(f"{problem.found}: {problem.remedy}" for problem in verdict.problems) or verdict.reason
    if not settings.accept_weak_durability:
        raise CommandFailed(
            f"The log's server at {url} may lose acknowledged moves ({found}). "
            "Change its settings, or accept that with TABLEE_ACCEPT_WEAK_DURABILITY=true."
        )
    tell(f"tablee: the log's server may lose acknowledged moves ({found}), which you accept.")


async def _looked_at(url: str) -> "tuple[str, bytes | str | None, DurabilityVerdict]":
    """Return what is in the way of using a server, its log's number of shards, and whether it keeps what it takes."""
    from services.bootstrap.clients import COMMAND, client_of_log
    from services.log.embedded.durability import check_durability_async
    from services.log.event_store.keys import INSTALLATION
    from services.log.write_guard import role_told

    async with await client_of_log(url, COMMAND) as client:
        told = await role_told(client)
        stored = None if told else await client.hget(INSTALLATION, "shards")
        return told, stored, await check_durability_async(client)


def require_fit_for_jobs(settings: Settings) -> None:
    """Make sure that no server for jobs is a node of a cluster, and that each has a worker here, or none has.

    One that does not answer is waited for.

    Raises:
        CommandFailed: One is, or has none.
    """
    from services.bootstrap.clients import LOOKING, blocking_client
    from services.errors import BelongsElsewhere
    from services.jobs.claim import require_single
    from services.jobs.errors import JobStoreUnavailable
    from services.jobs.servers import job_servers

    servers = job_servers(settings)
    urls = () if servers is None else servers.urls
    if 0 < settings.workers < len(urls):
        raise CommandFailed(
            f"There are {len(urls)} servers for jobs, and each needs a worker of its own: TABLEE_WORKERS is "
            f"{settings.workers}, and must be at least {len(urls)}, or 0 where other machines have the workers."
        )
    for url in urls:
        try:
            with blocking_client(url, LOOKING) as client, contextlib.suppress(JobStoreUnavailable):
                require_single(client)
        except (BelongsElsewhere, ValueError) as error:
            raise CommandFailed(f"The jobs' server at {url} cannot be used: {error}") from error


def _greet(settings: Settings) -> None:
    data = settings.data_folder
    say(f"\nTablée is ready: {settings.api_url}  (its data: {data})\n")
    say("Open it in a browser. Or try, in another terminal:")
    for command, purpose in (
        (suggested(f"play {EXAMPLE} --bots 3", data), "play in the terminal"),
        (suggested(f"demo {EXAMPLE} --players 4", data), "watch bots play"),
        (suggested("verify --all", data), "prove the logs by all that is known here"),
        (f"curl {settings.api_url}/api/v1/games", "what a program must know to play"),
        (suggested("operator-link", data), "look behind the pages, as the operator"),
    ):
        say(f"  {command:<50}  {purpose}")
    say("\nCtrl-C stops the service; nothing is lost.")
    sys.stdout.flush()
    link = first_link(settings)
    if link:
        say("\nThe operator's pages, for one browser, once, within 24 hours:")
        say(f"  {link}")
        sys.stdout.flush()

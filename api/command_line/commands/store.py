"""``tablee store``."""

import shlex
import signal
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from api.command_line.options import Location, data_option, json_option
from api.command_line.output import say, say_json
from api.command_line.purposes import STORE
from services.log.embedded.session import running_stores


@click.command()
@data_option
@json_option
def store(*, data: Path | None, as_json: bool) -> None:
    """Start only the stores of a data folder, for a Redis client or another tool.

    Other commands use them meanwhile. Ctrl-C stops them.
    """
    settings = Location(data, None).settings()
    with running_stores(settings.data_folder, purpose=STORE) as stores:
        if as_json:
            say_json({"log_store_url": stores.log_store_url, "job_store_url": stores.job_store_url})
        else:
            say(f"The log:   {stores.log_store_url}")
            say(f"The jobs:  {stores.job_store_url}")
            socket = shlex.quote(unquote(urlsplit(stores.log_store_url).path))
            say(f"Any Redis client can connect, for example: valkey-cli -s {socket}. Ctrl-C stops both.")
        # Blocked first, so that a signal between the two lines is not lost.
        ends = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        signal.pthread_sigmask(signal.SIG_BLOCK, ends)
        signal.sigwait(ends)

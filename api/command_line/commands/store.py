"""``tablee store``."""

import shlex
import signal
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from api.command_line.calling import suggested
from api.command_line.group import CommandFailed
from api.command_line.options import Location, data_option, json_option
from api.command_line.output import say, say_json
from api.command_line.purposes import STORE
from services.log.acknowledged import FILE_NAME as ACKNOWLEDGED
from services.log.embedded.append_only_file import Cut, Damage, cut_damage, find_damage
from services.log.embedded.data_folder import DataFolder
from services.log.embedded.session import running_stores
from services.log.high_water_mark import FILE_NAME


@click.command()
@data_option
@click.option(
    "--cut-log",
    is_flag=True,
    help="Start nothing: cut a damaged log file behind its last whole command, and keep what is cut.",
)
@json_option
def store(*, data: Path | None, cut_log: bool, as_json: bool) -> None:
    """Start only the stores of a data folder, for a Redis client or another tool.

    Other commands use them meanwhile. Ctrl-C stops them.

    With --cut-log nothing is started: where `tablee up` says that the file of the log is damaged, it is cut there. What
    was written behind the damage is lost to the service; the folder `log/cut` keeps it.
    """
    settings = Location(data, None).settings()
    if cut_log:
        _cut(settings.data_folder, as_json=as_json)
        return
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


def _cut(data_folder: Path, *, as_json: bool) -> None:
    if not (data_folder / "log").is_dir():
        raise CommandFailed(f"{data_folder} is no data folder of Tablée. Name it with --data FOLDER.")
    with DataFolder(data_folder, purpose=f"{STORE} --cut-log") as folder:
        try:
            damage = find_damage(folder.log_folder)
            cut = None if damage is None else cut_damage(folder.log_folder, damage)
            if cut is not None:
                # The log is older than it was, and the operator wants it so.
                for noted in (FILE_NAME, ACKNOWLEDGED):
                    (folder.path / noted).unlink(missing_ok=True)
        except (OSError, ValueError) as error:
            raise CommandFailed(f"The log's file cannot be cut: {error}.") from error
    if as_json:
        say_json({"damage": None, "cut": None} if damage is None or cut is None else _facts(damage, cut))
    elif damage is None or cut is None:
        say("All commands in the log's files are whole; nothing was cut.")
    else:
        say(damage.told)
        say(f"{cut.told}.")
        say(
            f"Go on with: {suggested('up', data_folder)}; then look with: {suggested('doctor --deep', data_folder)}"
        )


def _facts(damage: Damage, cut: Cut) -> dict[str, object]:
    return {
        "damage": {
            "file": str(damage.file),
            "position": damage.position,
            "size": damage.size,
            "until": damage.until,
        },
        "cut": {"bytes": cut.size, "kept": str(cut.kept)},
    }

"""How this program is called from here, for the commands that it suggests."""

import shlex
import shutil
import sys
from pathlib import Path

from services.process.settings import DEFAULT_DATA_FOLDER


def suggested(command: str, data_folder: Path) -> str:
    """Return a command line that works where this program was called.

    Args:
        command: A command with its arguments: ``verify --all``.
        data_folder: The data folder on which it is to work; left out of the line if it is the default one.
    """
    line = f"{program_name()} {command}"
    if data_folder == DEFAULT_DATA_FOLDER.absolute():
        return line
    return f"{line} --data {shlex.quote(str(data_folder))}"


def suggested_verify(match: str, data_folder: Path, server: str | None) -> str:
    """Return the command line that proves a match, at a service elsewhere if it was played there."""
    if server:
        return f"{program_name()} verify {match} --server {shlex.quote(server)}"
    return suggested(f"verify {match}", data_folder)


def program_name() -> str:
    """Return the name or the path by which a shell finds this program."""
    program = Path(sys.argv[0])
    if program.name != "tablee" or shutil.which("tablee"):
        return "tablee"
    try:
        return str(program.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(program)

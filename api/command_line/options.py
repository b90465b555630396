"""Options that several commands have."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from api.command_line.values import MATCH_ID, REASON
from domain.match.levels import DEFAULT_LEVEL, LEVELS
from services.process.settings import Settings, load_settings

T = TypeVar("T")


class Location(NamedTuple):
    """Where the service and its log are.

    Attributes:
        data: The data folder, if the command line names one.
        redis: The URL of the server that holds the log, if the command line names one.
    """

    data: Path | None
    redis: str | None

    def settings(self, **overrides: object) -> Settings:
        """Return the settings with what the command line says.

        Raises:
            SettingsError: A value cannot be used.
        """
        return load_settings(data=self.data, log_store_url=self.redis, **overrides)


data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder.  [default: $TABLEE_DATA or ./tablee-data]",
)
redis_option = click.option(
    "--redis",
    metavar="URL",
    help="The Redis or Valkey server that holds the log, instead of the data folder's own.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
language_option = click.option(
    "--language",
    type=click.Choice(["en", "fr"]),
    help="The language of the table.  [default: from LANGUAGE, LC_ALL, LC_MESSAGES or LANG]",
)
option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, such as limit=single. May be given several times.",
)

match_argument = click.argument("match", type=MATCH_ID)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many processes to use for many matches.",
)
unseal_option = click.option(
    "--unseal",
    type=REASON,
    metavar="REASON",
    help="Look at what is sealed in a running match. This reason is first recorded in the match's log.",
)


def level_option(told: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return the option for the level of bots."""
    return click.option(
        "--level", default=DEFAULT_LEVEL, show_default=True, type=click.Choice(LEVELS), help=told
    )


def location_options(command: Callable[..., T]) -> Callable[..., T]:
    """Add the options that say where the service and its log are; the command gets them as its ``location``."""

    @wraps(command)
    def located(*, data: Path | None, redis: str | None, **given: Any) -> T:
        return command(location=Location(data, redis), **given)

    return data_option(redis_option(located))


def spoken_language(chosen: str | None) -> str:
    """Return the language to speak: the chosen one, else that of the terminal."""
    from services.words.languages import choose_language

    if chosen:
        return chosen
    # LANGUAGE may be a list; the others name one language each, and the first that is set counts.
    locale = next(
        (value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), ""
    )
    return choose_language([*os.environ.get("LANGUAGE", "").split(":"), locale])


def game_options(given: tuple[str, ...]) -> dict[str, str | int]:
    """Return the options of a game from the command line.

    Raises:
        click.UsageError: One is not written as NAME=VALUE.
    """
    options: dict[str, str | int] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise click.UsageError(f"--option takes NAME=VALUE, such as limit=single, not {text!r}.")
        options[name] = int(value) if value.lstrip("-").isdecimal() else value
    return options

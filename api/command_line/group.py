"""A group of commands, each of which is loaded only when it is called: so every command starts quickly."""

import signal
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from domain.errors import TableeError
from services.errors import NoSuchMatch
from services.process.foreign_text import visible_lines

_COMMANDS = "api.command_line.commands"
_INTERRUPTED = 128 + signal.SIGINT


class CommandFailed(click.ClickException):
    """The command could not be carried out. The message says what to do; there is no more to see."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the message, as one would say it."""
        click.echo(visible_lines(f"tablee: {self.format_message()}"), err=True, file=file)


class Entry(NamedTuple):
    """A command that was not loaded yet.

    Attributes:
        summary: What it does, for the list of commands.
        local: Why it cannot be asked of a service elsewhere, to end a sentence; empty if it can.
        module: Where it is, if not in a module of its own name.
    """

    summary: str
    local: str = ""
    module: str = ""


def _refusing(option: str, command: str, why: str) -> click.Option:
    """Return an option that is refused with a reason, where others take it."""

    def refuse(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(f"tablee {command} takes no {option}: {why}.", ctx)

    return click.Option([option], hidden=True, is_eager=True, expose_value=False, callback=refuse)


def _refuse_remote(command: click.Command, name: str, why: str) -> None:
    """Let a command, and each command of a group, say why no service elsewhere can be asked."""
    if not any("--server" in parameter.opts for parameter in command.params):
        command.params += [_refusing(option, name, why) for option in ("--server", "--token")]
    for one, inner in command.commands.items() if isinstance(command, click.Group) else ():
        _refuse_remote(inner, f"{name} {one}", why)


class LazyGroup(click.Group):
    """A group whose commands are known by name and summary only."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Load a command."""
        entry = self._entries.get(cmd_name)
        if entry is None:
            return None
        # Before the command is loaded: it offers the games that there are then.
        from services.process.settings import named_games

        if named_games():
            from services.process.games import load_games

            load_games()
        module = import_module(f"{_COMMANDS}.{entry.module or cmd_name.replace('-', '_')}")
        found = (value for value in vars(module).values() if isinstance(value, click.Command))
        command = next(value for value in found if value.name == cmd_name)
        if entry.local:
            _refuse_remote(command, cmd_name, entry.local)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name, or an option, without loading the commands."""
        names = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self._entries.items()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and hand it the group's options that were given: its own win over them.

        Raises:
            click.UsageError: An option stands in front of a command that does not take it.
        """
        name, command, rest = super().resolve_command(ctx, args)
        if name is None or command is None:
            return name, command, rest
        ctx.default_map = {name: self._inherited(ctx, name, command)}
        return name, command, rest

    def _inherited(self, ctx: click.Context, name: str, command: click.Command) -> dict[str, Any]:
        """Return what a command, or each command of a group, takes over from the options in front."""
        takes = {option: taken.name for taken in command.params for option in taken.opts}
        inherited: dict[str, Any] = {}
        inner = command.commands if isinstance(command, click.Group) else {}
        for one, each in inner.items():
            inherited[one] = self._inherited(ctx, f"{name} {one}", each)
        for parameter in self.get_params(ctx):
            value = ctx.params.get(parameter.name or "")
            if value is None:
                continue
            option = parameter.opts[0]
            if takes.get(option) is None:
                if inner:
                    continue
                raise click.UsageError(f"tablee {name} takes no {option}.", ctx)
            inherited[takes[option] or ""] = value
        return inherited

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self._entries.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Carry a command out; what Tablée itself reports becomes a message instead of a traceback."""
        try:
            return super().invoke(ctx)
        except TableeError as error:
            # Whoever looks for a match in vain says which one, and nothing else.
            told = f"There is no match {error}." if type(error) is NoSuchMatch else str(error)
            raise CommandFailed(told or error.code) from error
        except KeyboardInterrupt:
            # As shells count it. Click's own 1 would say that something wrong was found.
            ctx.exit(_INTERRUPTED)

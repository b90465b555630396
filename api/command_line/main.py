"""The entry point of ``tablee``."""

import click

from api.command_line.group import Entry, LazyGroup

_COMMANDS = "api.command_line.commands"

_ENTRIES = {
    "up": Entry(
        f"{_COMMANDS}.up",
        "Start the service in the foreground; Ctrl-C stops it.",
        "it starts a service on this machine",
    ),
    "play": Entry(f"{_COMMANDS}.play", "Play in the terminal, against bots."),
    "demo": Entry(f"{_COMMANDS}.demo", "Watch bots play a match."),
    "matches": Entry(f"{_COMMANDS}.matches", "List the matches."),
    "log": Entry(f"{_COMMANDS}.log", "Print the log of a match."),
    "tail": Entry(f"{_COMMANDS}.tail", "Print the end of a match's log, and follow it."),
    "replay": Entry(f"{_COMMANDS}.replay", "Show a match as it stood at any version."),
    "diff": Entry(f"{_COMMANDS}.diff", "Show what changes between two versions."),
    "replay-all": Entry(
        f"{_COMMANDS}.replay_all",
        "Prove that this release reads every stored match.",
        "it reads every stored match with this release",
    ),
    "verify": Entry(f"{_COMMANDS}.verify", "Prove that logs are whole and untouched."),
    "export": Entry(f"{_COMMANDS}.export", "Write matches into a file that anybody can verify."),
    "import": Entry(
        f"{_COMMANDS}.import_logs", "Import matches from export files.", "it writes into the store"
    ),
    "archive": Entry(
        f"{_COMMANDS}.archive",
        "Move closed matches out of the store's memory.",
        "it moves matches out of the store",
    ),
    "digest": Entry(f"{_COMMANDS}.digest", "Print a digest of the matches' heads, for members to keep."),
    "backup": Entry(
        f"{_COMMANDS}.backup",
        "Write everything that a new machine needs into a file.",
        "it reads the whole store, with the secret",
    ),
    "restore": Entry(f"{_COMMANDS}.restore", "Restore a backup on a new machine.", "it fills a new store"),
    "doctor": Entry(
        f"{_COMMANDS}.doctor", "Find what is wrong, say what to do, and repair what follows from the log."
    ),
    "inspect": Entry(
        f"{_COMMANDS}.inspect",
        "Show the state of a match, and what can be done.",
        "it looks at the store's record, for the operator",
    ),
    "who-knew": Entry(
        f"{_COMMANDS}.who_knew",
        "Show which seats knew a card at a version.",
        "it looks behind seals, for the operator",
    ),
    "find": Entry(f"{_COMMANDS}.find", "Find matches, and moments in their logs."),
    "rebuild": Entry(
        f"{_COMMANDS}.rebuild", "Build a projection anew from the log.", "it reads the whole log anew"
    ),
    "trace": Entry(
        f"{_COMMANDS}.trace",
        "Find what a correlation id led to: events, refusals and jobs.",
        "it looks through the store and the queue",
    ),
    "refusals": Entry(
        f"{_COMMANDS}.refusals",
        "Show the refused commands to a match, and why.",
        "refused commands are kept in the store, for the operator",
    ),
    "hand-over": Entry(
        f"{_COMMANDS}.hand_over",
        "Let a bot play for somebody who is away, as the operator.",
        "operators act in the store",
    ),
    "end": Entry(
        f"{_COMMANDS}.end",
        "End a match with its present ranking, as the operator.",
        "operators act in the store; a host ends a table with POST /api/v1/matches/MATCH/abandon",
    ),
    "void": Entry(
        f"{_COMMANDS}.void",
        "End a match without a result, as the operator.",
        "operators act in the store; a host ends a table with POST /api/v1/matches/MATCH/abandon",
    ),
    "operator-link": Entry(
        f"{_COMMANDS}.operator_link",
        "Print a link that lets a browser into the operator's pages.",
        "who may read the store is the operator",
    ),
    "store": Entry(
        f"{_COMMANDS}.store",
        "Start only the stores, for other tools.",
        "it starts the stores of this machine",
    ),
}


@click.group(
    cls=LazyGroup,
    entries=_ENTRIES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 something is wrong with what the command looked at, 2 it could not be done.",
)
@click.option(
    "--data", metavar="FOLDER", help="The data folder. This and the next three may also follow COMMAND."
)
@click.option("--redis", metavar="URL", help="The Redis or Valkey server that holds the log.")
@click.option("--server", metavar="URL", help="Ask the service at this address over HTTP.")
@click.option("--token", metavar="TOKEN", help="With --server: look as the holder of this token.")
@click.version_option(package_name="tablee", prog_name="tablee")
def cli(**_: str | None) -> None:
    """Tablée: Odin, Skyjo and L.A.M.A. by turns, on a log that proves itself.

    Start with `tablee up`, or just play: `tablee play lama`.
    """


def main() -> None:
    """Run the command that the arguments name."""
    cli()


if __name__ == "__main__":
    main()

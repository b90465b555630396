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
    "tail": Entry(f"{_COMMANDS}.tail", "Print the end of a match's log, and what comes."),
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
        f"{_COMMANDS}.import_logs", "Take matches in from export files.", "it writes into the store"
    ),
    "archive": Entry(
        f"{_COMMANDS}.archive",
        "Move closed matches out of the store's memory.",
        "it moves matches out of the store",
    ),
    "digest": Entry(f"{_COMMANDS}.digest", "Print a digest of the matches' heads, for members to keep."),
    "backup": Entry(
        f"{_COMMANDS}.backup",
        "Write all that a new machine needs into a file, while the service runs.",
        "it reads the whole store, with the secret",
    ),
    "restore": Entry(f"{_COMMANDS}.restore", "Put a backup on a new machine.", "it fills a new store"),
    "doctor": Entry(
        f"{_COMMANDS}.doctor", "Find what is wrong, say what to do, and mend what the log alone can."
    ),
    "inspect": Entry(
        f"{_COMMANDS}.inspect",
        "Show how a match stands, and what can be done.",
        "it looks at the store's record, for the operator",
    ),
    "who-knew": Entry(
        f"{_COMMANDS}.who_knew",
        "Show which seats knew a card at a version.",
        "it looks behind seals, for the operator",
    ),
    "find": Entry(f"{_COMMANDS}.find", "Find matches, and moments in their logs."),
    "rebuild": Entry(
        f"{_COMMANDS}.rebuild", "Read a projection anew from the log.", "it reads the whole log anew"
    ),
    "trace": Entry(
        f"{_COMMANDS}.trace",
        "Find what a correlation id led to: events, refusals, jobs.",
        "it looks through the store and the queue",
    ),
    "refusals": Entry(
        f"{_COMMANDS}.refusals",
        "Show which commands to a match were refused, and why.",
        "refused commands are kept in the store, for the operator",
    ),
    "hand-over": Entry(
        f"{_COMMANDS}.hand_over",
        "Let a bot play for somebody, as the operator.",
        "operators act in the store",
    ),
    "end": Entry(
        f"{_COMMANDS}.end",
        "End a match as it stands, as the operator.",
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
    epilog="Exit codes: 0 done, 1 something is wrong with what was looked at, 2 it could not be done.",
)
@click.option(
    "--data", metavar="FOLDER", help="The data folder. This and the following may also stand behind COMMAND."
)
@click.option("--redis", metavar="URL", help="The Redis or Valkey server that holds the log.")
@click.option("--server", metavar="URL", help="A service elsewhere, which is asked over HTTP.")
@click.option("--token", metavar="TOKEN", help="With --server: whose eyes it is asked for.")
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

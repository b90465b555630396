"""The entry point of ``tablee``."""

import click

from api.command_line.group import Entry, LazyGroup

_ENTRIES = {
    "up": Entry(
        "Start the service in the foreground; Ctrl-C stops it.", "it starts a service on this machine"
    ),
    "play": Entry("Play in the terminal, against bots."),
    "rematch": Entry(
        "Play again at the table of the match that you last finished.",
        local="it goes where you played that match",
    ),
    "demo": Entry("Watch bots play a match."),
    "matches": Entry("List the matches."),
    "log": Entry("Print the log of a match."),
    "tail": Entry("Print the end of a match's log, and follow it."),
    "replay": Entry("Show a match as it stood at any version."),
    "diff": Entry("Show what changes between two versions."),
    "replay-all": Entry(
        "Prove that this release reads every stored match.", "it reads every stored match with this release"
    ),
    "verify": Entry("Prove that logs are whole and untouched."),
    "export": Entry("Write matches into a file that anybody can verify."),
    "import": Entry("Import matches from export files.", "it writes into the store", "import_logs"),
    "archive": Entry("Move closed matches out of the store's memory.", "it moves matches out of the store"),
    "digest": Entry("Print a digest of the matches' heads, for members to keep."),
    "backup": Entry(
        "Write everything that a new machine needs into a file.", "it reads the whole store, with the secret"
    ),
    "restore": Entry("Restore a backup on a new machine.", "it fills a new store"),
    "doctor": Entry("Find what is wrong, say what to do, and repair what follows from the log."),
    "inspect": Entry(
        "Show the state of a match, and what can be done.", "it looks at the store's record, for the operator"
    ),
    "who-knew": Entry(
        "Show which seats knew a card at a version.", "it looks behind seals, for the operator"
    ),
    "find": Entry("Find matches, and moments in their logs."),
    "rebuild": Entry("Build a projection anew from the log.", "it reads the whole log anew"),
    "trace": Entry(
        "Find what a correlation id led to: events, refusals and jobs.",
        "it looks through the store and the queue",
    ),
    "refusals": Entry(
        "Show the refused commands to a match, and why.",
        "refused commands are kept in the store, for the operator",
    ),
    "hand-over": Entry(
        "Let a bot play for somebody who is away, as the operator.", "operators act in the store", "acting"
    ),
    "end": Entry(
        "End a match with its present ranking, as the operator.",
        "operators act in the store; a host ends a table with POST /api/v1/matches/MATCH/abandon",
        "acting",
    ),
    "void": Entry(
        "End a match without a result, as the operator.",
        "operators act in the store; a host ends a table with POST /api/v1/matches/MATCH/abandon",
        "acting",
    ),
    "club": Entry(
        "List, show, make and close clubs, make somebody their host, and show leagues.",
        "clubs are kept in the store, for the operator; their hosts use the pages",
    ),
    "person": Entry(
        "Find, show, export and erase persons, and let them back on lost seats.",
        "persons are kept in the store, for the operator; people look at /me",
    ),
    "operator-link": Entry(
        "Print a link that lets a browser into the operator's pages.",
        "who may read the store is the operator",
    ),
    "store": Entry("Start only the stores, for other tools.", "it starts the stores of this machine"),
}


def _say_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from services.process.code_identity import release

        click.echo(f"tablee, version {release()}")
        ctx.exit()


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
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the release and its commit, and exit.",
)
def cli(**_: str | None) -> None:
    """Tablée: card games by turns, on a log that proves itself.

    Start with `tablee up`, or just play: `tablee play`.
    """


def main() -> None:
    """Run the command that the arguments name."""
    cli()


if __name__ == "__main__":
    main()

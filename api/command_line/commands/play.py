"""``tablee play``."""

from pathlib import Path

import click
from msgspec.structs import replace

from api.command_line.attaching import Service, running_service
from api.command_line.calling import suggested, suggested_verify
from api.command_line.group import CommandFailed
from api.command_line.options import (
    Location,
    game_options,
    language_option,
    level_option,
    location_options,
    option_option,
    spoken_language,
)
from api.command_line.output import say
from api.command_line.playing.client import Answered, Client
from api.command_line.playing.positions import Begun, Position, table_from
from api.command_line.playing.saved_seats import SavedSeat, find_seat, forget_seat, save_seat
from api.command_line.playing.terminal_game import Left, TerminalGame, problem_text
from api.command_line.remote import refuse_redis, server_option
from api.command_line.values import MATCH_ID
from domain.games.registry import CURRENT
from services.log.event_store.checks import is_match_id
from services.words.phrases import phrase, words_in


@click.command()
@click.argument("game", type=click.Choice(sorted(CURRENT)), required=False)
@click.option("--bots", default=3, show_default=True, type=click.IntRange(1), help="The number of bots.")
@level_option("The level of the bots.")
@option_option
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[MATCH]",
    help="Go on with a match that you left, or with the last one.",
)
@click.option(
    "--from",
    "source",
    metavar="FILE|MATCH",
    help="Play on from a position: of the match in a file, or of one that the service has.",
)
@click.option("--at", type=click.IntRange(1), help="With --from: the version of the position.")
@click.option("--seat", type=click.IntRange(1), help="With --from: which seat you take; 1 if left out.")
@language_option
@location_options
@server_option
def play(
    *,
    game: str | None,
    bots: int,
    level: str,
    options: tuple[str, ...],
    resume: str | None,
    source: str | None,
    at: int | None,
    seat: int | None,
    language: str | None,
    location: Location,
    server: str | None,
) -> None:
    """Play in the terminal, against bots.

    Uses the service that runs on the data folder, or starts one for as long as you play. Type a number or a move;
    `help` tells more. Leave whenever you like, and come back with --resume.

    With --from you play on from a position of a match that is over; bots take the other seats. A file's match does not
    come into the log for that.
    """
    if [game, resume, source].count(None) != 2:  # noqa: PLR2004 - one of three
        raise click.UsageError("Name a game, or say --resume or --from: one of them.")
    if source is None and (at or seat):
        raise click.UsageError("--at and --seat go with --from.")
    refuse_redis(server, location)
    if resume and not is_match_id(resume):
        raise click.UsageError(MATCH_ID.wrong.format(value=repr(resume)))
    spoken, chosen = spoken_language(language), game_options(options)
    folder = location.settings().data_folder
    saved = None
    if resume is not None:
        saved = find_seat(folder, resume)
        if saved is None:
            raise CommandFailed(f"No seat {f'at {resume} ' if resume else ''}is kept in {folder}.")
        server = server or saved.server
    with running_service(location, server) as service, Client(service.address, here=service.here) as client:
        try:
            if saved is None:
                if source is not None:
                    begun = table_from(client, Position(source, at, (seat or 1) - 1), level)
                else:
                    begun = Begun(client.create(str(game), chosen, ("", *(level,) * bots)), str(game))
                saved = _take_seat(client, begun, (seat or 1) - 1, server or "")
                save_seat(folder, saved)
            play_seat(client, service, saved, spoken, folder)
        except Answered as problem:
            raise CommandFailed(problem_text(problem, spoken, game or "")) from problem


def _take_seat(client: Client, begun: Begun, seat: int, server: str) -> SavedSeat:
    token = client.sit(begun.match, seat)
    client.ready(begun.match, token)
    return SavedSeat(begun.match, begun.game, seat, token, server=server)


def play_seat(client: Client, service: Service, seat: SavedSeat, language: str, folder: Path) -> None:
    """Play on a seat until the match is over or the player leaves."""
    words, game = words_in(language), TerminalGame(client, seat, language)
    try:
        game.run()
    except (Left, KeyboardInterrupt):
        save_seat(folder, replace(seat, seen=game.seen))
        text = phrase("The match waits for you.") if service.own else phrase("The match goes on.")
        say()
        say(words.say(text))
        say(
            words.say(
                phrase("Come back with: {command}"), command=suggested(f"play --resume {seat.match}", folder)
            )
        )
    else:
        forget_seat(folder, seat)
        say(words.say(phrase("Play again with: {command}"), command=suggested("rematch", folder)))
        say(
            words.say(
                phrase("Prove the deals with: {command}"),
                command=suggested_verify(seat.match, folder, seat.server),
            )
        )

"""``tablee demo``."""

import time

import click

from api.command_line.attaching import running_service
from api.command_line.calling import suggested_verify
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
from api.command_line.playing.following import Follower, seat_names
from api.command_line.playing.terminal_game import problem_text
from api.command_line.remote import refuse_redis, server_option
from domain.games.registry import CURRENT
from services.words.phrases import phrase, words_in

_POLL_SECONDS = 0.1


@click.command()
@click.argument("game", type=click.Choice(sorted(CURRENT)))
@click.option("--players", default=4, show_default=True, type=click.IntRange(1), help="The number of bots.")
@level_option("The level of the bots.")
@option_option
@language_option
@location_options
@server_option
def demo(
    *,
    game: str,
    players: int,
    level: str,
    options: tuple[str, ...],
    language: str | None,
    location: Location,
    server: str | None,
) -> None:
    """Watch bots play a match, as it happens.

    The bots use the same queue and the same workers as at any table. Each match is dealt from its own seed, which stays
    sealed until the match is over: nobody can choose the match beforehand.
    """
    spoken, chosen = spoken_language(language), game_options(options)
    refuse_redis(server, location)
    with running_service(location, server) as service, Client(service.address, here=service.here) as client:
        try:
            match = client.create(game, chosen, (level,) * players)
            _follow(client, match, game, spoken)
        except Answered as problem:
            raise CommandFailed(problem_text(problem, spoken, game)) from problem
    command = suggested_verify(match, location.settings().data_folder, server)
    say(words_in(spoken).say(phrase("Prove the deals with: {command}"), command=command))


def _follow(client: Client, match: str, game: str, language: str) -> None:
    follower = Follower(client, match, game, seat_names(client.view(match), language), language)
    while not follower.over:
        for line in follower.news():
            say(line)
        if not follower.over:
            time.sleep(_POLL_SECONDS)

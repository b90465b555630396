"""``tablee rematch``."""

import click
from msgspec.structs import replace

from api.command_line.attaching import running_service
from api.command_line.commands.play import play_seat
from api.command_line.group import CommandFailed
from api.command_line.options import Location, language_option, location_options, spoken_language
from api.command_line.playing.client import Answered, Client
from api.command_line.playing.saved_seats import SavedSeat, finished_seat, save_seat
from api.command_line.playing.terminal_game import problem_text


@click.command()
@language_option
@location_options
def rematch(*, language: str | None, location: Location) -> None:
    """Play again at the table of the match that you last played to its end in the terminal.

    The game, its options and the bots are the same. People who played with you find a seat kept for them.
    """
    spoken, folder = spoken_language(language), location.settings().data_folder
    before = finished_seat(folder)
    if before is None:
        raise CommandFailed(f"No match was played to its end in {folder}. Start one: tablee play GAME.")
    with (
        running_service(location, before.server or None) as service,
        Client(service.address, here=service.here) as client,
    ):
        try:
            seat = _take_seat(client, before)
            save_seat(folder, seat)
            play_seat(client, service, seat, spoken, folder)
        except Answered as problem:
            raise CommandFailed(problem_text(problem, spoken, before.game)) from problem


def _take_seat(client: Client, before: SavedSeat) -> SavedSeat:
    match = client.rematch(before.match, before.token)
    seats = client.view(match)["seats"]
    free = [seat["seat"] for seat in seats if seat["kind"] == "open" and not seat.get("kept")]
    if not free:
        raise CommandFailed(f"All seats of the rematch {match} are taken.")
    seat = before.seat if before.seat in free else free[0]
    token = client.sit(match, seat)
    client.ready(match, token)
    return replace(before, match=match, token=token, seat=seat, seen=0)

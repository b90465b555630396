"""What a chat shows of an address that somebody posts in it."""

from typing import Final

import msgspec

from api.pages.scene import Scene
from api.pages.static_files import picture_of
from api.pages.visits import Visit
from api.requests.addresses import public_address
from domain.games.registry import CURRENT
from services.words.names import game_name, rules_summary
from services.words.phrases import counted, phrase, words_in

WIDTH: Final = 1200
HEIGHT: Final = 630


class Preview(msgspec.Struct, frozen=True):
    """A title, a line and a picture.

    Whoever fetches them is a stranger, and keeps them: they name nobody, and tell nothing of the cards.

    Attributes:
        picture: The picture's whole address.
    """

    title: str
    line: str
    address: str
    picture: str

    width: int = WIDTH
    height: int = HEIGHT


def preview_of_house(visit: Visit) -> Preview:
    """Return the preview of the first page."""
    words = words_in(visit.language)
    title = words.say(phrase("Tablée: card games by turns"))
    games = words.all_of(sorted(game_name(key, visit.language) for key in CURRENT))
    line = words.say(phrase("{games} with friends and bots, over minutes or over weeks."), games=games)
    return _preview(visit, title, line, "/", "any")


def preview_of_table(visit: Visit, scene: Scene, ending: str = "") -> Preview:
    """Return the preview of a table; ``ending`` is what follows its own address."""
    game, words = game_name(scene.game_key, visit.language), words_in(visit.language)
    seats = [seat.kind for seat in scene.view.seats]
    if scene.phase == "gathering":
        title = words.say(phrase("Take a seat: {game}"), game=game)
        free = counted("{count} seat of {all} is free.", "{count} seats of {all} are free.", "count")
        told = words.say(free, count=seats.count("open"), all=len(seats))
    elif scene.is_over:
        title = words.say(phrase("A match of {game}, move by move"), game=game)
        told = words.say(phrase("It is over: step through all of it."))
    else:
        title = words.say(phrase("A match of {game}"), game=game)
        told = words.say(phrase("It is being played: look on."))
    line = f"{told} {rules_summary(scene.game_key, visit.language)[0]}"
    return _preview(visit, title, line, f"/m/{scene.view.match}{ending}", scene.game_key)


def _preview(visit: Visit, title: str, line: str, path: str, game: str) -> Preview:
    picture = public_address(visit.request, picture_of(game, "png"))
    return Preview(title, line, public_address(visit.request, path), picture)

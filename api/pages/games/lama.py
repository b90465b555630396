"""L.A.M.A. on a page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.pages.forms import Form
from api.pages.games.contract import BACK, Cards, Face, GamePage, Place, Reckoning, RoundEnd
from api.pages.games.guides import LAMA
from api.pages.scene import Scene
from domain.games.lama.cards import in_list_order, playable_on
from domain.games.lama.view import LamaView
from domain.games.recorded_chance import CardName
from services.words.names import card_name
from services.words.phrases import counted, phrase, words_in

_SHAPES: Final = {
    "1": "drop",
    "2": "leaf",
    "3": "triangle",
    "4": "square",
    "5": "pentagon",
    "6": "hexagon",
    "L": "flower",
}

_TONES: Final = {
    "1": "blue",
    "2": "green",
    "3": "yellow",
    "4": "orange",
    "5": "red",
    "6": "violet",
    "L": "pink",
}


def face(card: CardName, language: str) -> Face:
    """Return how a card looks."""
    if card == BACK:
        return Face("back", "back", "", words_in(language).say(phrase("hidden card")))
    name = str(card)
    label = card_name("lama", name, language)
    return Face(_SHAPES[name], _TONES[name], name, label, underlined=name == "6")


def places(view: LamaView, names: Sequence[str], language: str) -> dict[str, Place]:
    """Return what lies where."""
    del names
    words = words_in(language)
    found: dict[str, Place] = {
        "round": words.say(phrase("Round {round}"), round=view.round),
        "top": Cards(() if view.top is None else (view.top,)),
        "pile": str(view.pile_size),
    }
    for seat, size in enumerate(view.hand_sizes):
        held = counted("{size} card", "{size} cards", "size")
        found[f"size-{seat}"] = words.say(held, size=size)
        found[f"hand-{seat}"] = Cards(in_list_order(view.hands[seat] or ()))
        found[f"total-{seat}"] = str(view.totals[seat])
        found[f"mark-{seat}"] = _mark(view, seat, language)
    return found


def _mark(view: LamaView, seat: int, language: str) -> str:
    words = words_in(language)
    if seat == view.turn:
        return words.say(phrase("chooses a chip") if view.phase == "return" else phrase("to move"))
    return words.say(phrase("has quit the round")) if seat in view.quit else ""


def read_move(form: Form) -> Mapping[str, Any]:
    """Return the move whose button was pressed: ``play:3``, ``draw``, ``quit``, ``return:black``."""
    kind, _, what = form.text("move").partition(":")
    match kind:
        case "play":
            return {"type": kind, "card": what}
        case "return":
            return {"type": kind, "chip": what}
        case _:
            return {"type": kind}


def moves(scene: Scene) -> Mapping[str, Any]:
    """Return the reader's hand in order, and what may lie on the discard pile."""
    view: LamaView = scene.game
    hand = view.hands[scene.seat] if scene.seat is not None else None
    allowed = () if view.top is None else playable_on(view.top)
    words = words_in(scene.language)
    names = words.any_of(card_name("lama", card, scene.language) for card in allowed)
    return {"hand": in_list_order(hand or ()), "playable": names}


def reckoning(end: RoundEnd) -> list[Reckoning]:
    """Return by seat the cards that were left, and the points; the frame tells which chip went back."""
    return [
        Reckoning(Cards(end.data["hands"][seat]), f"+{points}" if points else "0", "", end.total(seat))
        for seat, points in enumerate(end.data["points"])
    ]


PAGE: Final = GamePage(face, places, read_move, moves, styles=("lama.css",), reckoning=reckoning, guide=LAMA)

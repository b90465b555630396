"""Alone at the Top on a page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.pages.forms import Form
from api.pages.games.contract import BACK, Cards, Face, GamePage, Place
from api.pages.scene import Scene
from domain.games.recorded_chance import CardName
from services.words.phrases import counted, phrase, words_in
from tests.games.alone.view import AloneView

_BANDS: Final = ((30, "circle", "blue"), (60, "square", "green"), (90, "triangle", "yellow"))
"""Up to which value a card has which shape and colour."""


def face(card: CardName, language: str) -> Face:
    """Return how a card looks."""
    if card == BACK:
        return Face("back", "back", "", words_in(language).say(phrase("hidden card")))
    shape, tone = next(((shape, tone) for most, shape, tone in _BANDS if int(card) <= most), ("star", "red"))
    return Face(shape, tone, str(card), str(card))


def places(view: AloneView, names: Sequence[str], language: str) -> dict[str, Place]:
    """Return what lies where."""
    words = words_in(language)
    found: dict[str, Place] = {
        "round": words.say(phrase("Round {round} of {rounds}"), round=view.round, rounds=view.rounds),
    }
    for seat in range(len(names)):
        found[f"total-{seat}"] = str(view.totals[seat])
        taken = view.taken[seat] if view.taken else 0
        found[f"taken-{seat}"] = words.say(
            counted("{taken} point in this round", "{taken} points in this round", "taken"), taken=taken
        )
        found[f"laid-{seat}"] = Cards(trick[seat] for trick in view.tricks)
        choice = view.choices[seat] if view.choices else None
        found[f"choice-{seat}"] = Cards(
            () if seat not in view.chosen else (BACK if choice is None else choice,)
        )
        found[f"hand-{seat}"] = Cards(view.hands[seat] or ())
        thinks = view.phase == "choose" and seat not in view.chosen
        found[f"mark-{seat}"] = words.say(phrase("is choosing")) if thinks else ""
    return found


def read_move(form: Form) -> Mapping[str, Any]:
    """Return the move whose button was pressed: ``lay:120``."""
    kind, _, card = form.text("move").partition(":")
    return {"type": kind, "card": int(card) if card.isascii() and card.isdecimal() else card}


def moves(scene: Scene) -> Mapping[str, Any]:
    """Return the reader's hand, and the card that already lies face down."""
    view: AloneView = scene.game
    if scene.seat is None or view.phase != "choose":
        return {"hand": (), "choice": None}
    return {"hand": view.hands[scene.seat] or (), "choice": view.choices[scene.seat]}


PAGE: Final = GamePage(face, places, read_move, moves)

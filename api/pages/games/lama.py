"""L.A.M.A. on a page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.pages.forms import Form
from api.pages.games.contract import BACK, Cards, Face, GamePage, Place, Reckoning, RoundEnd
from api.pages.games.lama_guide import GUIDE
from api.pages.scene import Scene
from domain.games.lama.cards import in_list_order, playable_on, points_of
from domain.games.lama.legal import LamaLegal
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
    "L": "llama",
}

_CHIPS: Final = {"black": 10, "white": 1}
"""What each chip counts; chips are drawn as cards are, under these names."""

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
    if name in _CHIPS:
        label = words_in(language).say(phrase("black chip") if name == "black" else phrase("white chip"))
        return Face("coin", name, str(_CHIPS[name]), label)
    return Face(
        _SHAPES[name], _TONES[name], name, card_name("lama", name, language), name == "6", corner=True
    )


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
        found[f"backs-{seat}"] = Cards((BACK,) * size if view.hands[seat] is None else ())
        found[f"total-{seat}"] = str(view.totals[seat])
        found[f"chips-{seat}"] = _chips(view.totals[seat])
        found[f"counted-{seat}"] = _counted(view.totals[seat], language)
        found[f"left-{seat}"] = words.say(phrase("has quit")) if seat in view.quit else ""
        found[f"mark-{seat}"] = _mark(view, seat, language)
    return found


def _chips(total: int) -> Cards:
    """Return the chips for a total: as few as can be, for they can be exchanged at any time."""
    return Cards(("black",) * (total // 10) + ("white",) * (total % 10))


def _counted(total: int, language: str) -> str:
    """Return in words which chips a seat has."""
    words = words_in(language)
    blacks, whites = divmod(total, 10)
    told = [
        words.say(counted("{count} black chip", "{count} black chips", "count"), count=blacks)
        if blacks
        else "",
        words.say(counted("{count} white chip", "{count} white chips", "count"), count=whites)
        if whites
        else "",
    ]
    return ", ".join(filter(None, told)) or words.say(phrase("no chips"))


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
    """Return the reader's hand in order, one line on what they can do, and what quitting would cost now."""
    view: LamaView = scene.game
    hand = (view.hands[scene.seat] if scene.seat is not None else None) or ()
    legal = scene.view.legal if scene.may_move else None
    hint = _hint(view, legal, scene.language) if isinstance(legal, LamaLegal) else ""
    return {"hand": in_list_order(hand), "hint": hint, "cost": points_of(hand)}


def _hint(view: LamaView, legal: LamaLegal, language: str) -> str:
    words = words_in(language)
    if legal.return_chips:
        return words.say(phrase("You got rid of all cards. Which chip do you return?"))
    fitting = legal.play or (() if view.top is None else playable_on(view.top))
    names = words.any_of(card_name("lama", card, language) for card in fitting)
    if legal.play:
        return words.say(phrase("You can play: {cards}."), cards=names)
    if legal.draw:
        return words.say(phrase("None of your cards fits; {cards} would."), cards=names)
    if view.pile_size:
        return words.say(phrase("None of your cards fits, and alone you may not draw."))
    return words.say(phrase("None of your cards fits, and the draw pile is used up."))


def reckoning(end: RoundEnd) -> list[Reckoning]:
    """Return by seat the cards that were left, and the points; the frame tells which chip went back."""
    return [
        Reckoning(
            Cards(end.data["hands"][seat]),
            f"+{points}" if points else "0",
            "",
            end.total(seat),
            _chips(int(end.total(seat))),
        )
        for seat, points in enumerate(end.data["points"])
    ]


PAGE: Final = GamePage(
    face,
    places,
    read_move,
    moves,
    more_faces=tuple(_CHIPS),
    styles=("lama.css",),
    reckoning=reckoning,
    guide=GUIDE,
    ended_by={"RoundEnded": "winner"},
    coming=lambda view: Cards(view.pile or ()),
)

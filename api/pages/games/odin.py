"""Odin on a page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from api.pages.forms import Form
from api.pages.games.contract import BACK, Cards, Face, GamePage, Place, Reckoning, RoundEnd
from api.pages.games.odin_guide import GUIDE
from api.pages.scene import Scene
from domain.games.odin.cards import COLOURS, value_of
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.view import OdinView
from domain.games.recorded_chance import CardName
from services.words.names import card_name
from services.words.phrases import counted, phrase, words_in

_SHAPES: Final = {
    "R": "diamond",
    "O": "square",
    "Y": "star",
    "G": "triangle",
    "B": "circle",
    "V": "cross",
}

_TONES: Final = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "V": "violet"}


def face(card: CardName, language: str) -> Face:
    """Return how a card looks."""
    if card == BACK:
        return Face("back", "back", "", words_in(language).say(phrase("hidden card")))
    name = str(card)
    colour, value = name[0], name[1:]
    label = card_name("odin", name, language)
    return Face(_SHAPES[colour], _TONES[colour], value, label, underlined=value in {"6", "9"}, corner=True)


def by_colour(cards: Iterable[str]) -> tuple[str, ...]:
    """Return cards sorted by colour, each from high to low: what may be laid together lies together."""
    return tuple(sorted(cards, key=lambda card: (COLOURS.index(card[0]), -int(card[1]))))


def places(view: OdinView, names: Sequence[str], language: str) -> dict[str, Place]:
    """Return what lies where."""
    words = words_in(language)
    laid = phrase("{name} laid {value}.")
    found: dict[str, Place] = {
        "round": words.say(
            phrase("Round {round}, trick {trick}"), round=view.round, trick=max(1, view.trick)
        ),
        "centre": Cards(view.centre),
        "centre-text": words.say(phrase("The centre is empty."))
        if view.owner is None or not view.centre
        else words.say(laid, name=names[view.owner], value=value_of(view.centre)),
    }
    for seat, size in enumerate(view.hand_sizes):
        found[f"size-{seat}"] = words.say(counted("{size} card", "{size} cards", "size"), size=size)
        found[f"hand-{seat}"] = Cards(by_colour(view.hands[seat] or ()))
        found[f"backs-{seat}"] = Cards((BACK,) * size if view.hands[seat] is None else ())
        # They lay open before all eyes, and are still held.
        found[f"taken-{seat}"] = Cards(by_colour(view.taken[seat]))
        found[f"total-{seat}"] = str(view.totals[seat])
        found[f"mark-{seat}"] = _mark(view, seat, language)
    return found


def _mark(view: OdinView, seat: int, language: str) -> str:
    words = words_in(language)
    if seat == view.turn:
        return words.say(phrase("to move"))
    return words.say(phrase("laid last")) if seat == view.owner else ""


def read_move(form: Form) -> Mapping[str, Any]:
    """Return the move of a form: the cards that were ticked, and the one to take.

    A form tells how many cards the hand had, and which card lay alone in the centre, so that nobody has to say what
    has no alternative.
    """
    if form.text("move") == "pass":
        return {"type": "pass"}
    cards = form.texts("card")
    take = form.text("take") or form.text("only")
    if not take or len(cards) == form.number("hand", 0):
        return {"type": "play", "cards": cards}
    return {"type": "play", "cards": cards, "take": take}


def moves(scene: Scene) -> Mapping[str, Any]:
    """Return the reader's hand in order, and their legal combinations as the module of the game reads them."""
    view: OdinView = scene.game
    hand = view.hands[scene.seat] if scene.seat is not None else None
    legal = scene.view.legal
    told = legal if isinstance(legal, OdinLegalMoves) else OdinLegalMoves()
    return {
        "hand": by_colour(hand or ()),
        "sets": " ".join(",".join(cards) for cards in told.sets),
        "out": ",".join(told.going_out),
        "live": _live(view, scene.language) if scene.may_move else {},
    }


def _live(view: OdinView, language: str) -> Mapping[str, str]:
    """Return what the module says of the lifted cards; ``{value}`` stands for what they are worth."""
    words = words_in(language)
    theirs, size = value_of(view.centre) if view.centre else 0, len(view.centre)
    hand = len(view.hands[view.turn] or ()) if view.turn is not None else 0
    texts = {
        "none": phrase("Beat {theirs} with {size} cards or {more}."),
        "mixed": phrase("These do not go together: lift cards of one colour or of one number."),
        "beats": phrase("{value} beats {theirs}."),
        "low": phrase("{value} is not higher than {theirs}."),
        "count": phrase("There lie {size}: lay {size} cards or {more}."),
        "take": phrase("{value} beats {theirs}. Now tap the card in the middle that you take."),
    }
    if not size:
        texts |= {
            "none": phrase("Tap the card that you lead with."),
            "beats": phrase("You lead with {value}."),
            "low": phrase("Lead with one card only, or with your whole hand."),
            "count": phrase("Lead with one card only, or with your whole hand."),
        }
    elif size == 1:
        texts |= {
            "none": phrase("Beat {theirs} with one card or two."),
            "count": phrase("There lies one: lay one card, or two."),
        }
    said = {"value": "{value}", "theirs": theirs, "size": size, "more": size + 1}
    sizes = (size, size + 1) if size else (1, hand)
    return {
        "sizes": " ".join(map(str, sizes)),
        **{name: words.say(text, **said) for name, text in texts.items()},
    }


def reckoning(end: RoundEnd) -> Sequence[Reckoning]:
    """Return by seat what a round cost: a point for each card that was left, which stays closed."""
    words, points = words_in(end.language), end.data["points"]
    left = counted("{size} card", "{size} cards", "size")
    return [
        Reckoning(end.shown(f"hand-{seat}"), str(cost), words.say(left, size=cost), end.total(seat))
        for seat, cost in enumerate(points)
    ]


PAGE: Final = GamePage(
    face,
    places,
    read_move,
    moves,
    ("odin.js",),
    styles=("odin.css",),
    reckoning=reckoning,
    guide=GUIDE,
    ended_by={"RoundEnded": "seat"},
)

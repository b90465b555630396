"""Skyjo on a page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from api.pages.forms import Form
from api.pages.games.contract import BACK, Cards, Face, GamePage, Place, Reckoning, RoundEnd
from api.pages.games.skyjo_guide import GUIDE
from api.pages.scene import Scene
from domain.games.recorded_chance import CardName
from domain.games.skyjo.cards import CARDS, COLUMNS, FIRST_FLIPS, GONE, ROWS, SLOTS, slots_of
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.view import SkyjoView
from services.words.games.skyjo import a_card, slot_name
from services.words.names import card_name
from services.words.phrases import Words, phrase, whole, words_in
from services.words.telling import Teller

_OPENED: Final = "opened "
"""In front of a card that lay hidden, in the replay of a match in which nothing is hidden any more."""

_BANDS: Final = (
    (-1, "night", "violet"),
    (0, "ripples", "blue"),
    (4, "hills", "green"),
    (8, "rays", "yellow"),
)
"""Up to which value a card has which shape and colour."""

_UNDERLINED: Final = (6, 9)


_NEVER: Final = phrase("Drawing cannot be taken back.")

_WARNINGS: Final = {
    "off": _NEVER,
    "free": _NEVER,
    "consent": phrase("Drawing is taken back only if all others agree."),
}
"""By the table's rule of undo, what is said before a card is drawn; where anything can be taken back, nothing."""


def face(card: CardName, language: str) -> Face:
    """Return how a card looks."""
    words = words_in(language)
    if card == BACK:
        return Face("scales", "back", "", words.say(phrase("hidden card")))
    if isinstance(card, str):
        value = int(card.removeprefix(_OPENED))
        label = words.say(phrase("hidden card, a {value}"), value=card_name("skyjo", value, language))
        return Face(
            "scales", f"back opened{_width(value)}", whole(value), label, underlined=value in _UNDERLINED
        )
    shape, tone = next(((shape, tone) for most, shape, tone in _BANDS if card <= most), ("peaks", "red"))
    label = card_name("skyjo", card, language)
    return Face(shape, f"{tone}{_width(card)}", whole(card), label, underlined=card in _UNDERLINED)


def _width(value: int) -> str:
    """Return the tone that makes two large characters fit beside each other."""
    return " wide" if len(str(value)) > 1 else ""


def places(view: SkyjoView, names: Sequence[str], language: str) -> dict[str, Place]:
    """Return what lies where."""
    words = words_in(language)
    drawn = view.drawn
    found: dict[str, Place] = {
        "round": words.say(phrase("Round {round}"), round=view.round),
        "pile": str(view.pile_size),
        "top": Cards(() if view.top is None else (view.top,)),
        "drawn": Cards(() if drawn is UNSET else (BACK if drawn is None else drawn,)),
        "lap": _last_lap(view, Teller(words, names, None)),
    }
    for seat, board in enumerate(view.boards):
        for slot, cell in enumerate(board):
            opened = None if view.faces is None else view.faces[seat][slot]
            found[f"slot-{seat}-{slot}"] = _cell(cell, opened)
        for column in range(COLUMNS):
            found[f"sum-{seat}-{column}"] = _sum([board[slot] for slot in slots_of(column)])
        found[f"total-{seat}"] = whole(view.totals[seat])
        found[f"mark-{seat}"] = _mark(view, seat, language)
    return found


def _cell(cell: int | str | None, opened: int | str | None) -> Cards:
    if cell == GONE:
        return Cards()
    if cell is not None:
        return Cards((cell,))
    return Cards((BACK if opened is None else f"{_OPENED}{opened}",))


def _sum(cells: Sequence[int | str | None]) -> str:
    """Return the sum of a column's open cards, with a plus behind it while there are hidden ones."""
    values = [cell for cell in cells if isinstance(cell, int)]
    if not values:
        return ""
    return whole(sum(values)) + ("+" if None in cells else "")


def _last_lap(view: SkyjoView, teller: Teller) -> str:
    """Return who has closed the round, for how much, and what that means; nothing before."""
    closer = view.closer
    if closer is None or view.phase != "play":
        return ""
    total = sum(cell for cell in view.boards[closer] if isinstance(cell, int))
    said = teller.by_seat(
        closer,
        phrase("Last lap: you closed with {total}."),
        phrase("Last lap: {name} closed with {total}."),
        total=whole(total),
    )
    if teller.you is not None and _has_one_more_turn(view, teller.you):
        said += " " + teller.say(phrase("You have one more turn."))
    if total > 0:
        said += " " + teller.say(
            phrase("Doubled if anybody else ends with {total} or less."), total=whole(total)
        )
    return said


def _has_one_more_turn(view: SkyjoView, seat: int) -> bool:
    """Tell whether a seat comes to turn between now and the closer, who has no other turn."""
    if view.turn is None or view.closer is None:
        return False
    seats = len(view.boards)
    return (seat - view.turn) % seats < (view.closer - view.turn) % seats


def _mark(view: SkyjoView, seat: int, language: str) -> str:
    words = words_in(language)
    if seat == view.turn:
        return words.say(phrase("to move") if view.drawn is UNSET else phrase("has drawn a card"))
    if seat == view.closer:
        return words.say(phrase("has closed the round"))
    return words.say(phrase("turns up cards")) if _still_turns(view, seat) else ""


def _still_turns(view: SkyjoView, seat: int) -> bool:
    hidden = sum(cell is None for cell in view.boards[seat])
    return view.phase == "reveal" and hidden > SLOTS - FIRST_FLIPS


def read_move(form: Form) -> Mapping[str, Any]:
    """Return the move whose button was pressed: ``draw``, ``take:4``, ``reveal:7``."""
    kind, _, slot = form.text("move").partition(":")
    number = int(slot) if slot.isdecimal() and slot.isascii() else None
    if kind == "reveal" and number is not None:
        return {"type": kind, "slots": [number]}
    return {"type": kind} if number is None else {"type": kind, "slot": number}


def moves(scene: Scene) -> Mapping[str, Any]:
    """Return what pressing a slot does, where it can be done, and how cards and slots are said."""
    game: SkyjoView = scene.game
    words = words_in(scene.language)
    legal = scene.view.legal if scene.is_my_turn else None
    action, slots = _action(legal, scene.choice) if isinstance(legal, SkyjoLegal) else ("", ())
    rows = [[column * ROWS + row for column in range(COLUMNS)] for row in range(ROWS)]
    return {
        "action": action,
        "slots": slots,
        "rows": rows,
        "columns": range(COLUMNS),
        "where": lambda slot: slot_name(words, slot),
        "told_rows": lambda seat: _told_rows(words, game.boards[seat], rows),
        "a_card": lambda value: a_card(words, value),
        "warning": words.say(_WARNINGS[undo]) if (undo := scene.view.terms.undo) in _WARNINGS else "",
        "lap": _last_lap(game, Teller(words, scene.names, scene.seat)),
        "is_holding": game.drawn is not UNSET and scene.seat == game.turn,
    }


def _told_rows(words: Words, board: Sequence[int | str | None], rows: Sequence[Sequence[int]]) -> list[str]:
    """Return what lies on a board, a sentence for each row."""
    return [
        words.say(
            phrase("Row {row}: {cards}."),
            row=number,
            cards=", ".join(_told_card(words, board[slot]) for slot in row),
        )
        for number, row in enumerate(rows, 1)
    ]


def _told_card(words: Words, cell: int | str | None) -> str:
    if cell == GONE:
        return words.say(phrase("gone"))
    return words.say(phrase("hidden")) if cell is None else card_name("skyjo", cell, words.language)


def _action(legal: SkyjoLegal, choice: str) -> tuple[str, tuple[int, ...]]:
    if legal.reveal:
        return "reveal", legal.reveal
    if legal.draw:
        return ("take", legal.take) if choice == "take" else ("", ())
    return ("flip", legal.flip) if choice == "flip" else ("swap", legal.swap)


def reckoning(end: RoundEnd) -> list[Reckoning]:
    """Return by seat the cards that were left, their sum, and whether it was doubled."""
    words, data = words_in(end.language), end.data
    return [
        Reckoning(
            Cards(card for slot in range(COLUMNS * ROWS) for card in end.shown(f"slot-{seat}-{slot}")),
            whole(points),
            words.say(phrase("doubled")) if seat == data.get("doubled") else "",
            end.total(seat),
        )
        for seat, points in enumerate(data["points"])
    ]


PAGE: Final = GamePage(
    face,
    places,
    read_move,
    moves,
    styles=("skyjo.css",),
    reckoning=reckoning,
    guide=GUIDE,
    ended_by={"RoundClosed": "seat"},
    coming=lambda view: Cards(view.pile or ()),
    more_faces=tuple(f"{_OPENED}{value}" for value in dict.fromkeys(CARDS)),
)

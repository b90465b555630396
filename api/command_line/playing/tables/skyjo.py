"""Skyjo in the terminal."""

from collections.abc import Iterator

from api.command_line.playing.choosing import Choice, numbered
from api.command_line.playing.tables.contract import Legal, TableText, View, columns, title
from domain.games.skyjo.cards import COLUMNS, GONE, ROWS, SLOTS
from services.words.phrases import Phrase, phrase
from services.words.telling import Teller

_WHICH_SLOT = phrase("Which slot (row.column, such as 2.3)?")
_TURN = phrase("to play")
_CLOSED = phrase("has closed the round")
_BOARDS_IN_A_ROW = 3
_HIDDEN = "?"


def _lines(teller: Teller, view: View) -> Iterator[str]:
    game = view["game"]
    if not game["round"]:
        return
    yield teller.say(phrase("Round {round}"), round=game["round"])
    yield teller.say(
        phrase("Discard pile: {top}. Left to draw: {pile}."), top=game["top"], pile=game["pile_size"]
    )
    boards = game["faces"] or game["boards"]
    others = [seat for seat in range(len(boards)) if seat != teller.you]
    for first in range(0, len(others), _BOARDS_IN_A_ROW):
        together = others[first : first + _BOARDS_IN_A_ROW]
        blocks = [[_title(teller, view, seat), *_rows(boards[seat])] for seat in together]
        yield ""
        yield from columns(list(zip(*blocks, strict=True)), gap="    ")
    if teller.you is not None:
        yield ""
        yield _title(teller, view, teller.you)
        yield from _own_rows(boards[teller.you])
    yield from _drawn(teller, view)


def _title(teller: Teller, view: View, seat: int) -> str:
    game = view["game"]
    parts = [title(teller, seat), teller.say(phrase("points: {count}"), count=game["totals"][seat])]
    if game["closer"] == seat:
        parts.append(teller.say(_CLOSED))
    if seat in view["to_act"]:
        parts.append(teller.say(_TURN))
    return ", ".join(parts)


def _rows(board: list[int | str | None]) -> list[str]:
    return [
        "  " + "".join(f"{_face(board[column * ROWS + row]):>4}" for column in range(COLUMNS)).rstrip()
        for row in range(ROWS)
    ]


def _own_rows(board: list[int | str | None]) -> Iterator[str]:
    """Yield the player's own board, each card behind its row and column."""
    for row in range(ROWS):
        slots = range(row, SLOTS, ROWS)
        yield "  " + "    ".join(f"[{_key(slot)}] {_face(board[slot]):>2}" for slot in slots)


def _key(slot: int) -> str:
    """Return what one types for a slot: its row and its column, from 1."""
    return f"{slot % ROWS + 1}.{slot // ROWS + 1}"


def _face(cell: int | str | None) -> str:
    if cell is None:
        return _HIDDEN
    return "" if cell == GONE else str(cell)


def _drawn(teller: Teller, view: View) -> Iterator[str]:
    drawn = view["game"].get("drawn")
    if drawn is not None:
        yield ""
        yield teller.say(phrase("The drawn card: {card}"), card=drawn)


def _choices(teller: Teller, view: View, legal: Legal) -> tuple[Choice, ...]:
    board = view["game"]["boards"][view["viewer"]]
    choices = []
    if legal.get("reveal"):
        answers = tuple(
            Choice(_key(slot), _slot(teller, board, slot), {"type": "reveal", "slots": [slot]})
            for slot in _by_rows(legal["reveal"])
        )
        choices.append(
            Choice("", teller.say(phrase("Turn up a card")), question=_WHICH_SLOT, answers=answers)
        )
    if legal.get("draw"):
        choices.append(Choice("", teller.say(phrase("Draw a card")), {"type": "draw"}))
    for kind, text in (
        ("take", phrase("Take the top of the discard pile for one of your cards")),
        ("swap", phrase("Put the drawn card in the place of one of yours")),
        ("flip", phrase("Discard the drawn card and turn up a hidden one")),
    ):
        if legal.get(kind):
            choices.append(_slots(teller, board, kind, text, legal[kind]))
    return numbered(choices)


def _slots(
    teller: Teller, board: list[int | str | None], kind: str, text: Phrase, slots: list[int]
) -> Choice:
    answers = tuple(
        Choice(_key(slot), _slot(teller, board, slot), {"type": kind, "slot": slot})
        for slot in _by_rows(slots)
    )
    return Choice("", teller.say(text), question=_WHICH_SLOT, answers=answers)


def _by_rows(slots: list[int]) -> list[int]:
    """Return slots in the order in which one reads a board."""
    return sorted(slots, key=_key)


def _slot(teller: Teller, board: list[int | str | None], slot: int) -> str:
    if board[slot] is None:
        return teller.say(phrase("a hidden card"))
    return str(board[slot])


TABLE = TableText(
    lines=_lines,
    choices=_choices,
    verbs={
        "reveal": phrase("reveal"),
        "take": phrase("take"),
        "draw": phrase("draw"),
        "swap": phrase("swap"),
        "flip": phrase("flip"),
    },
    examples=("reveal 1.1 2.3", "take 2.2", "draw", "swap 2.2", "flip 2.2"),
    values={_key(slot): str(slot) for slot in range(SLOTS)},
)

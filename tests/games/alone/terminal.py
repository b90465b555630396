"""Alone at the Top in the terminal."""

from collections.abc import Iterator

from api.command_line.playing.choosing import Choice, numbered
from api.command_line.playing.tables.contract import Legal, TableText, View, columns, title
from services.words.names import move_text
from services.words.phrases import phrase
from services.words.telling import Teller


def _lines(teller: Teller, view: View) -> Iterator[str]:
    game = view["game"]
    if not game["round"]:
        return
    yield teller.say(phrase("Round {round} of {rounds}"), round=game["round"], rounds=game["rounds"])
    yield from columns([_row(teller, view, seat) for seat in range(len(game["totals"]))])
    hand = None if teller.you is None else game["hands"][teller.you]
    if hand:
        yield teller.say(phrase("Your hand: {cards}"), cards="  ".join(map(str, hand)))


def _row(teller: Teller, view: View, seat: int) -> tuple[str, ...]:
    game = view["game"]
    choice = game["choices"][seat]
    hidden = teller.say(phrase("face down")) if seat in game["chosen"] else ""
    return (
        f"  {title(teller, seat)}",
        teller.say(phrase("points: {count}"), count=game["totals"][seat] + game["taken"][seat]),
        " ".join(str(trick[seat]) for trick in game["tricks"]),
        hidden if choice is None else f"({choice})",
    )


def _choices(teller: Teller, view: View, legal: Legal) -> tuple[Choice, ...]:
    del view
    moves = [{"type": "lay", "card": card} for card in legal.get("lay", ())]
    return numbered([Choice("", move_text("alone", move, teller.words.language), move) for move in moves])


TABLE = TableText(lines=_lines, choices=_choices, verbs={"lay": phrase("lay")}, examples=("lay 120",))

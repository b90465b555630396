"""L.A.M.A. in the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from api.command_line.playing.choosing import Choice, numbered
from api.command_line.playing.tables.contract import Legal, TableText, View, columns, hand_row
from services.words.games.lama import card
from services.words.names import move_text
from services.words.phrases import phrase
from services.words.telling import Teller

_OUT = phrase("out of the round")


def _lines(teller: Teller, view: View) -> Iterator[str]:
    game = view["game"]
    if not game["round"]:
        return
    yield teller.say(phrase("Round {round}"), round=game["round"])
    yield teller.say(
        phrase("On the table: {top}. Left to draw: {pile}."),
        top=card(teller.words, game["top"]),
        pile=game["pile_size"],
    )
    yield from columns([_row(teller, view, seat) for seat in range(len(game["totals"]))])
    hand = None if teller.you is None else game["hands"][teller.you]
    if hand is not None:
        cards = "  ".join(card(teller.words, name) for name in sorted(hand))
        yield teller.say(phrase("Your hand: {cards}"), cards=cards)


def _row(teller: Teller, view: View, seat: int) -> tuple[str, ...]:
    game = view["game"]
    state = teller.say(_OUT) if seat in game["quit"] else ""
    return hand_row(teller, view, seat, state, _shown(teller, game, seat))


def _shown(teller: Teller, game: Mapping[str, Any], seat: int) -> str:
    """Return somebody else's cards where they may be seen: at a round's end, or when looking back."""
    hand = game["hands"][seat]
    if hand is None or seat == teller.you:
        return ""
    return "  ".join(card(teller.words, name) for name in sorted(hand))


def _choices(teller: Teller, _: View, legal: Legal) -> tuple[Choice, ...]:
    moves: list[dict[str, str]] = []
    for name in legal.get("play", ()):
        # With the last card, the chip is named at once: so nobody is asked twice.
        chips = legal.get("play_chips", ())
        moves += [{"type": "play", "card": name, "chip": chip} for chip in chips]
        moves += [] if chips else [{"type": "play", "card": name}]
    moves += [{"type": kind} for kind in ("draw", "quit") if legal.get(kind)]
    moves += [{"type": "return", "chip": chip} for chip in legal.get("return_chips", ())]
    return numbered([Choice("", move_text("lama", move, teller.words.language), move) for move in moves])


TABLE = TableText(
    lines=_lines,
    choices=_choices,
    verbs={
        "play": phrase("play"),
        "draw": phrase("draw"),
        "quit": phrase("quit"),
        "return": phrase("return"),
        "chip": phrase("chip"),
        "black": phrase("black"),
        "white": phrase("white"),
        "none": phrase("none"),
        "L": phrase("llama"),
    },
    examples=("play 3", "play L", "draw", "quit", "play 4 chip black", "return white"),
)

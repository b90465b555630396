"""Odin in the terminal."""

from collections.abc import Iterable, Iterator

from api.command_line.playing.choosing import Choice, numbered
from api.command_line.playing.tables.contract import Legal, TableText, View, columns, hand_row
from services.words.games.odin import card
from services.words.names import move_text
from services.words.phrases import phrase
from services.words.telling import Teller

_WHICH_CARD = phrase("Which card do you take?")


def _named(teller: Teller, names: Iterable[str]) -> str:
    """Return cards with the short names by which one types them."""
    return ", ".join(f"{name} ({card(teller.words, name)})" for name in names)


def _lines(teller: Teller, view: View) -> Iterator[str]:
    game = view["game"]
    if not game["round"]:
        return
    yield teller.say(phrase("Round {round}, trick {trick}"), round=game["round"], trick=game["trick"])
    if game["centre"]:
        yield teller.say(
            phrase("In the centre: {cards}; laid by: {name}."),
            cards=_named(teller, game["centre"]),
            name=teller.who(game["owner"]),
        )
    else:
        yield teller.say(phrase("The centre is empty."))
    shown = [_shown(teller, hand, seat) for seat, hand in enumerate(game["hands"])]
    yield from columns([hand_row(teller, view, seat, "", shown[seat]) for seat in range(game["seats"])])
    hand = None if teller.you is None else game["hands"][teller.you]
    if hand is not None:
        cards = _named(teller, _sorted(hand))
        yield teller.say(phrase("Your hand: {cards}"), cards=cards)


def _shown(teller: Teller, hand: list[str] | None, seat: int) -> str:
    """Return somebody else's cards where they may be seen: when looking back."""
    return "" if hand is None or seat == teller.you else " ".join(_sorted(hand))


def _sorted(hand: list[str]) -> list[str]:
    return sorted(hand, key=lambda name: (name[0], -int(name[1])))


def _choices(teller: Teller, _: View, legal: Legal) -> tuple[Choice, ...]:
    choices = []
    if legal.get("going_out"):
        choices.append(_play(teller, {"type": "play", "cards": legal["going_out"]}))
    takes = legal.get("take", ())
    for cards in legal.get("sets", ()):
        move = {"type": "play", "cards": cards}
        if len(takes) > 1:
            answers = numbered(
                [Choice("", _named(teller, [taken]), {**move, "take": taken}) for taken in takes]
            )
            choices.append(_play(teller, move)._replace(move=None, question=_WHICH_CARD, answers=answers))
        else:
            choices.append(_play(teller, {**move, "take": takes[0]} if takes else move))
    if legal.get("can_pass"):
        choices.append(_play(teller, {"type": "pass"}))
    return numbered(choices)


def _play(teller: Teller, move: dict[str, object]) -> Choice:
    return Choice("", move_text("odin", move, teller.words.language), move)


TABLE = TableText(
    lines=_lines,
    choices=_choices,
    verbs={"play": phrase("play"), "take": phrase("take"), "pass": phrase("pass")},
    examples=("play R8", "play R8 R2 take B5", "pass"),
)

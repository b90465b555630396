"""What a newcomer is told at their first match of each built-in game; each step names the part that it points at."""

from typing import Final

from api.pages.games.contract import Part
from services.words.phrases import Phrase, phrase

Guide = tuple[tuple[Part, Phrase], ...]

ODIN: Final[Guide] = (
    ("mine", phrase("Get rid of your cards: each one that you still hold at a round's end costs a point.")),
    (
        "middle",
        phrase("Here lie the cards to beat. Nothing there? Then whoever is to move begins with one card."),
    ),
    ("mine", phrase("Cards of one colour or one number go together. A 7 and a 5 are worth 75.")),
    (
        "moves",
        phrase("Beat what lies there with as many cards or one more. Then take one of the beaten cards."),
    ),
    ("moves", phrase("Or pass. When all others have passed, the last who played begins anew.")),
    (
        "others",
        phrase("Here you see how many cards the others hold. Whoever runs out of cards ends the round."),
    ),
)

SKYJO: Final[Guide] = (
    (
        "mine",
        phrase("Twelve cards lie face down before you, worth from minus 2 to 12. The fewest points win."),
    ),
    ("middle", phrase("On your turn, take the open card of the discard pile, or draw a hidden one.")),
    (
        "mine",
        phrase("Swap it for one of yours. If you drew it, you may put it away and turn one up instead."),
    ),
    ("mine", phrase("Three equal cards in one column leave your board, and cost nothing.")),
    ("others", phrase("Whoever turns up their last card ends the round: everybody else has one more turn.")),
    (
        "others",
        phrase("Do not hurry: if you end it and somebody has as few points as you, yours are doubled."),
    ),
)

LAMA: Final[Guide] = (
    ("mine", phrase("Get rid of your cards: what you still hold at a round's end costs points.")),
    (
        "middle",
        phrase("Play the number that lies here, or the next one. After 6 comes the llama, then 1 again."),
    ),
    ("moves", phrase("If you cannot or do not want to, draw a card, or quit the round to lose no more.")),
    ("mine", phrase("At the end each number that you hold costs its points once, and llamas cost 10.")),
    (
        "others",
        phrase("Whoever plays all their cards gives back a chip: 10 points, or 1 if they have no other."),
    ),
)

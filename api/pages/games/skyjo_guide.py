"""What a newcomer is told at their first match of Skyjo."""

from typing import Final

from api.pages.games.contract import Guide
from services.words.phrases import phrase

GUIDE: Final[Guide] = (
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

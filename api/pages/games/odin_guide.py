"""What a newcomer is told at their first match of Odin."""

from typing import Final

from api.pages.games.contract import Guide
from services.words.phrases import phrase

GUIDE: Final[Guide] = (
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

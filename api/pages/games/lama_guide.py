"""What a newcomer is told at their first match of L.A.M.A.."""

from typing import Final

from api.pages.games.contract import Guide
from services.words.phrases import phrase

GUIDE: Final[Guide] = (
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

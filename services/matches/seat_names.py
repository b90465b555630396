"""How the seats of a match are called, for a reader."""

from collections.abc import Iterable
from typing import Final

from domain.match.state import Match
from services.people.player_names import PlayerNames
from services.words.phrases import phrase, words_in

_NAMELESS: Final = {
    "open": phrase("Seat {number}"),
    "person": phrase("Player {number}"),
    "bot": phrase("Bot {number}"),
}


async def seat_names(names: PlayerNames, state: Match, language: str) -> tuple[str, ...]:
    """Return how the seats of a match are called.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    given = await names.of([seat.player if seat.kind == "person" else "" for seat in state.seats])
    return called(("bot" if seat.program else seat.kind for seat in state.seats), given, language)


def called(kinds: Iterable[str], given: Iterable[str], language: str) -> tuple[str, ...]:
    """Return how seats are called, by their kinds (``open``, ``person``, ``bot``) and the names that were given."""
    words = words_in(language)
    return tuple(
        name or words.say(_NAMELESS[kind], number=number)
        for number, (kind, name) in enumerate(zip(kinds, given, strict=True), 1)
    )

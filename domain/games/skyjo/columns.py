"""When a column of three equal cards leaves the board."""

from collections.abc import Iterator

from domain.games.skyjo.cards import COLUMNS, column_of, slots_of
from domain.games.skyjo.events import ColumnDiscarded
from domain.games.skyjo.state import SkyjoState


def completes_column(state: SkyjoState, seat: int, slot: int, face: int) -> bool:
    """Tell whether a face opened in a slot gives its column three equal open cards.

    A hidden card does not count yet (K11), rows mean nothing (K14), and every value counts, even good ones (K12).
    """
    hidden, board = state.hidden[seat], state.boards[seat]
    for other in slots_of(column_of(slot)):
        if other == slot:
            continue
        card = board[other]
        if card is None or other in hidden or state.dealt[card] != face:
            return False
    return True


def complete_columns(state: SkyjoState) -> Iterator[ColumnDiscarded]:
    """Yield the columns that leave the boards once all cards lie open: any number, on any board (K20)."""
    for seat, board in enumerate(state.boards):
        for column in range(COLUMNS):
            faces = {
                None if (card := board[slot]) is None else state.dealt[card] for slot in slots_of(column)
            }
            face = faces.pop()
            if face is not None and not faces:
                yield ColumnDiscarded(seat, column, face)

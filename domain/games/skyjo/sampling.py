"""Full states consistent with what one seat sees, for bots that look ahead."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from domain.chance import Chance
from domain.games.skyjo.cards import CARDS, GONE
from domain.games.skyjo.rulings import Rulings
from domain.games.skyjo.state import SkyjoState
from domain.games.skyjo.view import Cell, SkyjoView

_COUNTS: Final = Counter(CARDS)


def unseen(view: SkyjoView) -> tuple[int, ...]:
    """Return, in card-list order, the cards that lie hidden, in the pile, or in somebody else's hand."""
    # Counted board by board, which is quick: what is no card is counted too, and not asked for.
    seen: Counter[Cell] = Counter(view.discard)
    for board in view.boards:
        seen.update(board)
    if isinstance(view.drawn, int):
        seen[view.drawn] += 1
    return tuple([face for face, count in _COUNTS.items() for _ in range(count - seen[face])])


def sample(view: SkyjoView, rulings: Rulings, chance: Chance) -> SkyjoState:
    """Return a full state consistent with a seat's view, its hidden cards drawn from ``chance``.

    The cards are renumbered as if dealt in this order: the discard pile, the boards, the drawn card, the draw pile. A
    view does not show which cards a reshuffle put back, so any unseen card may lie in any unseen place.
    """
    unknown = iter(chance.shuffle(unseen(view), view.round, 0))
    dealt = list(view.discard)
    boards = tuple(_lay_board(cells, dealt, unknown) for cells in view.boards)
    drawn = None
    if view.drawn is not UNSET:
        drawn = len(dealt)
        dealt.append(view.drawn if isinstance(view.drawn, int) else next(unknown))
    next_card = len(dealt)
    if view.round:
        dealt.extend(unknown)
    seats = len(view.totals)
    return SkyjoState(
        seats=seats,
        totals=view.totals,
        limit=view.limit,
        round=view.round,
        over=view.phase == "over",
        turn=view.turn,
        starter=view.starter,
        closer=view.closer,
        drawn=drawn,
        idle_turns=rulings.laps_to_stall * seats - view.turns_to_stall,
        next_card=next_card,
        deals=view.round,
        deal_starts=(0,) if view.round else (),
        dealt=tuple(dealt),
        boards=boards,
        hidden=tuple(_hidden_slots(cells) for cells in view.boards),
        discard=tuple(range(len(view.discard))),
        sheet=view.sheet,
    )


def _lay_board(cells: tuple[Cell, ...], dealt: list[int], unknown: Iterator[int]) -> tuple[int | None, ...]:
    """Return a board's cards, and append their faces to ``dealt``."""
    board: list[int | None] = []
    for cell in cells:
        if cell == GONE:
            board.append(None)
        else:
            board.append(len(dealt))
            dealt.append(cell if isinstance(cell, int) else next(unknown))
    return tuple(board)


def _hidden_slots(cells: tuple[Cell, ...]) -> tuple[int, ...]:
    return tuple(slot for slot, cell in enumerate(cells) if cell is None)

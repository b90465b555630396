"""What people ask about a match of Skyjo."""

from collections.abc import Iterator, Sequence

from domain.games.moments import Moment, Question, Seen, best, each_highest, each_lowest
from domain.games.skyjo.events import (
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    ColumnDiscarded,
    DiscardTaken,
    PlayBegan,
    RoundScored,
)

QUESTIONS = (
    Question("doubled", "most"),
    Question("column"),
    Question("stall", "most"),
    Question("lowest_round", "fewest"),
    Question("highest_round", "most"),
)

_SHORTEST_STALL = 3
"""Turns in a row without a new card: fewer are nothing to speak of."""


def moments(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield the answers to all questions, from what happened."""
    yield from _doubled(seen)
    yield from _columns(seen)
    yield from best(_stalls(seen), "most")
    scored = [(version, event) for version, event in seen if isinstance(event, RoundScored)]
    lowest = (one for version, event in scored for one in each_lowest("lowest_round", version, event.points))
    yield from best(lowest, "fewest")
    highest = (
        one for version, event in scored for one in each_highest("highest_round", version, event.points)
    )
    yield from best(highest, "most")


def _doubled(seen: Sequence[Seen]) -> Iterator[Moment]:
    for version, event in seen:
        if isinstance(event, RoundScored) and event.doubled is not None:
            yield Moment("doubled", version, event.doubled, event.points[event.doubled])


def _columns(seen: Sequence[Seen]) -> Iterator[Moment]:
    for version, event in seen:
        if isinstance(event, ColumnDiscarded):
            yield Moment("column", version, event.seat, event.card)


def _stalls(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield the runs of turns in which no hidden card was turned up or replaced, each at its last turn."""
    open_slots: set[tuple[int, int]] = set()
    turns, last = 0, 0
    for version, event in seen:
        turned: set[tuple[int, int]] = set()
        match event:
            case CardsRevealed(seat=seat, slots=slots):
                open_slots |= {(seat, slot) for slot in slots}
                continue
            case DiscardTaken(seat=seat, slot=slot) | CardSwapped(seat=seat, slot=slot):
                turned = {(seat, slot)} - open_slots
            case CardFlipped(seat=seat, slot=slot):
                turned = {(seat, slot)}
            case PlayBegan() | RoundScored():
                # The first turns of a round and its end bound every run.
                pass
            case _:
                continue
        open_slots |= turned
        if isinstance(event, RoundScored):
            open_slots.clear()
        if turned or isinstance(event, PlayBegan | RoundScored):
            if turns >= _SHORTEST_STALL:
                yield Moment("stall", last, None, turns)
            turns = 0
        else:
            turns, last = turns + 1, version

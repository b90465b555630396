"""What people ask about a match of Odin."""

from collections.abc import Iterator, Sequence

from domain.games.moments import Moment, Question, Seen, best, each_highest
from domain.games.odin.events import CardsPlayed, RoundEnded, RoundStarted, TrickEnded

QUESTIONS = (
    Question("out_at_once", "most"),
    Question("largest_set", "most"),
    Question("longest_trick", "most"),
    Question("never_played"),
    Question("highest_round", "most"),
)

_SEVERAL = 2
_LARGE = 3
_LONG = 4


def moments(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield the answers to all questions, from what happened."""
    plays = [(version, event) for version, event in seen if isinstance(event, CardsPlayed)]
    for version, event in plays:
        if event.next_seat is None and len(event.cards) >= _SEVERAL:
            yield Moment("out_at_once", version, event.seat, len(event.cards))
    large = (
        Moment("largest_set", version, event.seat, len(event.cards))
        for version, event in plays
        if len(event.cards) >= _LARGE
    )
    yield from best(large, "most")
    yield from best(_tricks(seen), "most")
    yield from _never_played(seen)
    highest = (
        one
        for version, event in seen
        if isinstance(event, RoundEnded)
        for one in each_highest("highest_round", version, event.points)
    )
    yield from best(highest, "most")


def _tricks(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield the tricks to which many combinations were played, each at its last one."""
    plays, last, leader = 0, 0, 0
    for version, event in seen:
        if isinstance(event, CardsPlayed):
            plays, last, leader = plays + 1, version, event.seat
        elif isinstance(event, TrickEnded | RoundEnded):
            if plays >= _LONG:
                yield Moment("longest_trick", last, leader, plays)
            plays = 0


def _never_played(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield who was caught in a round without having played a card."""
    played: set[int] = set()
    # Of the round in which a fork begins, not all plays are known.
    is_whole = False
    for version, event in seen:
        match event:
            case RoundStarted():
                played.clear()
                is_whole = True
            case CardsPlayed(seat=seat):
                played.add(seat)
            case RoundEnded(points=points):
                for seat, one in enumerate(points):
                    if is_whole and seat not in played:
                        yield Moment("never_played", version, seat, one)
                played.clear()
                is_whole = True
            case _:
                pass

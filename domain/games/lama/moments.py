"""What people ask about a match of L.A.M.A."""

from collections.abc import Iterator, Sequence

from domain.games.lama.events import CardPlayed, ChipReturned, RoundEnded, RoundQuit
from domain.games.moments import Moment, Question, Seen, best, each_highest

QUESTIONS = (
    Question("last_standing", "most"),
    Question("went_out"),
    Question("all_quit"),
    Question("black_returned"),
    Question("highest_round", "most"),
)


def moments(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield the answers to all questions, from what happened."""
    yield from _last_standing(seen)
    for version, event in seen:
        match event:
            case RoundEnded(winner=None, round=number):
                yield Moment("all_quit", version, None, number)
            case RoundEnded(winner=int(winner), totals=totals):
                yield Moment("went_out", version, winner, totals[winner])
            case ChipReturned(chip="black", seat=seat, total=total):
                yield Moment("black_returned", version, seat, total)
            case _:
                pass
    highest = (
        one
        for version, event in seen
        if isinstance(event, RoundEnded)
        for one in each_highest("highest_round", version, event.points)
    )
    yield from best(highest, "most")


def _last_standing(seen: Sequence[Seen]) -> Iterator[Moment]:
    """Yield who played on alone after all others had quit, with how many cards they got rid of."""
    quits: list[tuple[int, int]] = []
    plays: list[tuple[int, int]] = []
    for version, event in seen:
        match event:
            case RoundQuit(seat=seat):
                quits.append((version, seat))
            case CardPlayed(seat=seat):
                plays.append((version, seat))
            case RoundEnded(points=points):
                others = len(points) - 1
                # With the quit of the last but one, somebody is alone.
                if len(quits) >= others:
                    alone_since = quits[others - 1][0]
                    alone = next(iter(set(range(others + 1)) - {seat for _, seat in quits[:others]}))
                    played = [at for at, seat in plays if seat == alone and at > alone_since]
                    if played:
                        yield Moment("last_standing", played[0], alone, len(played))
                quits, plays = [], []
            case _:
                pass

"""Feats: what of a match that is over may be a record, beside its row's other numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.entries import StoredEntry
from domain.games.moments import best
from domain.match.evolve import game_of
from domain.match.state import OVER, Match
from domain.viewers import EVERYTHING
from services.matches.moments import moments_of

_PEOPLE = 2
"""How many people a match needs for a record."""


class Feat(NamedTuple):
    """The best answer to one of the game's questions that is kept as a record.

    Attributes:
        question: The question's number in the game's list: rows are short, and made anew with every layout.
        value: Its number.
        seat: Whose it is; None for the whole table's.
        version: Where in the match it is.
    """

    question: int
    value: int
    seat: int | None
    version: int


_WHOLE_TABLE = -1
"""Stands for no seat."""


def flat(feats: Sequence[Feat]) -> tuple[int, ...]:
    """Return feats as a row has them: four numbers each."""
    return tuple(
        number
        for feat in feats
        for number in (
            feat.question,
            feat.value,
            _WHOLE_TABLE if feat.seat is None else feat.seat,
            feat.version,
        )
    )


def feats_in(numbers: Sequence[int]) -> tuple[Feat, ...]:
    """Return the feats in a row's numbers."""
    fours = (numbers[start : start + 4] for start in range(0, len(numbers), 4))
    return tuple(
        Feat(question, value, None if seat == _WHOLE_TABLE else seat, version)
        for question, value, seat, version in fours
    )


def has_feats(final: Match) -> bool:
    """Tell whether a match can hold a record: it is over, and people played it together."""
    people = sum(seat.kind == "person" for seat in final.seats)
    return final.lifecycle.phase in OVER and final.game is not None and people >= _PEOPLE


def feats_of(entries: Sequence[StoredEntry], final: Match) -> tuple[Feat, ...]:
    """Return the feats of a match, at most one for each question; none before its end. Pure.

    Args:
        entries: Its whole log.
        final: The state after it.
    """
    if final.terms is None or not has_feats(final):
        return ()
    people = {number for number, seat in enumerate(final.seats) if seat.kind == "person"}
    moments = [
        moment for moment in moments_of(entries, EVERYTHING) if moment.seat is None or moment.seat in people
    ]
    found: list[Feat] = []
    for number, question in enumerate(game_of(final.terms).questions):
        answers = (moment for moment in moments if moment.question == question.name)
        kept = best(answers, question.record)[: 1 if question.record else 0]
        found += [Feat(number, moment.value, moment.seat, moment.version) for moment in kept]
    return tuple(found)

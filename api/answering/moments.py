"""The moments of a match, as readers get them."""

import asyncio
from collections.abc import Sequence

import msgspec

from api.parts import Http, address_of, parts_of
from domain.games.moments import Moment
from domain.match.fold import Position
from domain.match.view import viewer_of
from services.matches.moments import moments_of
from services.words.moments import moment_line, question_name

_BYTES_OF_A_MOMENT = 200
"""About what one takes in memory."""


class ShownMoment(msgspec.Struct, frozen=True):
    """A moment of a match.

    Attributes:
        question: The name of the question that it answers.
        version: The version at which it can be looked at.
        seat: Whose moment it is; null for the whole table's.
        value: The number in it: points, cards, turns.
        text: What it says, in your language.
    """

    question: str
    version: int
    seat: int | None
    value: int
    text: str


class AnsweredQuestion(msgspec.Struct, frozen=True):
    """What people ask about a match, and its moments.

    Attributes:
        question: Its name.
        title: The question, in your language.
        moments: The answers, in their order.
    """

    question: str
    title: str
    moments: tuple[ShownMoment, ...]


async def moments_at(request: Http, position: Position, seat: int | None) -> tuple[Moment, ...]:
    """Return the moments of a match up to a position at its head, made of what a seat may know.

    Raises:
        MatchesBusy: Too many others wait for whole matches.
        StoreUnavailable: The store did not answer.
    """
    parts, viewer = parts_of(request), viewer_of(position.state, seat)

    async def make() -> tuple[Moment, ...]:
        entries = await parts.application.store.read(position.match, last=position.version)
        return await asyncio.to_thread(moments_of, entries, position.state, viewer)

    key = "moments", position.match, position.version, position.head, viewer
    return await parts.whole_matches.made(
        key, address_of(request), make, lambda found: _BYTES_OF_A_MOMENT * (1 + len(found))
    )


def answered(
    moments: Sequence[Moment], game: str, names: Sequence[str], language: str, you: int | None
) -> tuple[AnsweredQuestion, ...]:
    """Return moments by question, as a reader gets them."""
    return tuple(
        AnsweredQuestion(
            question,
            question_name(game, question, language),
            tuple(
                ShownMoment(
                    one.question,
                    one.version,
                    one.seat,
                    one.value,
                    moment_line(game, one, names, language, you),
                )
                for one in moments
                if one.question == question
            ),
        )
        for question in dict.fromkeys(moment.question for moment in moments)
    )

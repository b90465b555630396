"""The moments of a match, as readers get them."""

import asyncio
from collections.abc import Sequence

import msgspec

from api.parts import Http, address_of, parts_of
from domain.games.moments import Moment
from domain.match.fold import Position
from domain.match.view import viewer_of
from domain.viewers import Viewer
from services.matches.kept_answers import KeptAnswer
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
    """Return the moments of a match at its head, made of what a seat may know.

    Raises:
        MatchesBusy: Too many others wait for whole matches.
        StoreUnavailable: The store did not answer.
    """
    return await moments_seen_at(request, position, viewer_of(position.state, seat))


async def moments_seen_at(request: Http, position: Position, viewer: Viewer) -> tuple[Moment, ...]:
    """Return the moments of a match at its head, made of what a viewer may know; raises the same."""
    seen = "all" if viewer.everything else f"seat-{viewer.seat}"
    kept: KeptAnswer[tuple[Moment, ...]] = KeptAnswer(position, f"moments-{seen}", tuple[Moment, ...])
    return await moments_seen(request, position.match, position.version, viewer, kept)


async def moments_seen(
    request: Http,
    match: str,
    version: int,
    viewer: Viewer,
    over_restarts: KeptAnswer[tuple[Moment, ...]] | None = None,
) -> tuple[Moment, ...]:
    """Return the moments of a match that has so many events, made of what a viewer may know.

    Raises:
        MatchesBusy: Too many others wait for whole matches.
        StoreUnavailable: The store did not answer.
    """
    parts = parts_of(request)

    async def make() -> tuple[Moment, ...]:
        entries = await parts.application.store.read(match, last=version)
        return await asyncio.to_thread(moments_of, entries, viewer)

    key = "moments", match, version, viewer
    return await parts.whole_matches.made(
        key, address_of(request), make, lambda found: _BYTES_OF_A_MOMENT * (1 + len(found)), over_restarts
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
                shown_moment(one, game, names, language, you) for one in moments if one.question == question
            ),
        )
        for question in dict.fromkeys(moment.question for moment in moments)
    )


def shown_moment(
    moment: Moment, game: str, names: Sequence[str], language: str, you: int | None
) -> ShownMoment:
    """Return a moment as a reader gets it."""
    text = moment_line(game, moment, names, language, you)
    return ShownMoment(moment.question, moment.version, moment.seat, moment.value, text)

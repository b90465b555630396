"""How a match went, for the page of its end: the score from round to round, and the moment that decided it."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from api.answering.moments import ShownMoment, moments_at, shown_moment
from api.pages.courses import ShownCourse, shown_course
from api.pages.visits import Visit
from api.parts import address_of
from domain.games.moments import Moment
from domain.match.evolve import game_of
from domain.match.fold import Position
from services.errors import MatchesBusy
from services.matches.course import Scored, course_of, most_wins_by
from services.matches.decision import Decision, decision_of
from services.matches.history import unsaid
from services.matches.moments import left_in
from services.words.phrases import counted, phrase, words_in

_BYTES_OF_A_ROUND: Final = 300
"""About what one takes in memory."""

_ONLY_ROUND: Final = counted(
    "One round decided it, by {gained} point.", "One round decided it, by {gained} points.", "gained"
)
_ALWAYS_LED: Final = counted(
    "{names} led from the first round on; round {round} brought most: {gained} point on the best of the others.",
    "{names} led from the first round on; round {round} brought most: {gained} points on the best of the others.",
    "gained",
)
_DREW_LEVEL: Final = phrase("Round {round} decided it: {names} were level from there on.")
_WERE_LEVEL: Final = phrase("Round {round} parted {all}: {names} led from there to the end.")
_PASSED: Final = phrase("Round {round} decided it: the lead went from {others} to {names}, and stayed there.")


class Outcome(NamedTuple):
    """How a match went.

    Attributes:
        decided: What decided it, in words; empty where the scores do not tell.
        version: Where that can be looked at.
        moment: The most telling thing that happened in that round; None if there is nothing to tell.
    """

    course: ShownCourse
    decided: str
    version: int
    moment: ShownMoment | None

    def address(self, match: str, at: int) -> str:
        """Return where a position of the match is looked at."""
        return f"/m/{match}/replay?at={at}"


async def outcome_of(
    visit: Visit, position: Position, seat: int | None, names: Sequence[str]
) -> Outcome | None:
    """Return how a match that is over went; None before its first round was scored, or while too many others ask."""
    state = position.state
    if state.terms is None or state.game is None or not state.lifecycle.ranking:
        return None
    try:
        course = await _course_at(visit, position)
        moments = await moments_at(visit.request, position, seat)
    except MatchesBusy:
        # The result does not wait for what it can do without.
        return None
    if not course:
        return None
    most_wins = most_wins_by(game_of(state.terms).standing(state.game))
    found = decision_of(course, state.lifecycle.ranking[0], most_wins=most_wins)
    shown = shown_course(course, names, visit.language, most_wins=most_wins)
    if found is None:
        return Outcome(shown, "", 0, None)
    telling = _most_telling(moments, found)
    return Outcome(
        shown,
        decided_in(found, len(course), names, visit.language),
        found.version,
        None if telling is None else shown_moment(telling, state.terms.game, names, visit.language, seat),
    )


async def _course_at(visit: Visit, position: Position) -> list[Scored]:
    async def make() -> list[Scored]:
        entries = await visit.parts.application.store.read(position.match, last=position.version)
        game = position.state.terms.game if position.state.terms else ""

        def course() -> list[Scored]:
            return course_of(position.match, entries, list(unsaid(entries, game)), left_in(entries))

        return await asyncio.to_thread(course)

    key = "course", position.match, position.version
    return await visit.parts.whole_matches.made(
        key, address_of(visit.request), make, lambda found: _BYTES_OF_A_ROUND * (1 + len(found))
    )


def decided_in(found: Decision, rounds: int, names: Sequence[str], language: str) -> str:
    """Return what decided a match of so many rounds, in words."""
    words = words_in(language)

    def said(seats: Sequence[int]) -> str:
        return words.all_of(names[seat] for seat in seats)

    winners, before = set(found.winners), set(found.before)
    told = {"round": found.round, "names": said(found.winners), "gained": found.gained}
    if not before:
        return words.say(_ONLY_ROUND if rounds == 1 else _ALWAYS_LED, **told)
    if before < winners:
        return words.say(_DREW_LEVEL, **told)
    if winners < before:
        return words.say(_WERE_LEVEL, **told, all=said(found.before))
    return words.say(_PASSED, **told, others=said([seat for seat in found.before if seat not in winners]))


def _most_telling(moments: Sequence[Moment], found: Decision) -> Moment | None:
    """Return the first answer of the round that decided, best one about who won or who had led before."""
    inside = [one for one in moments if found.begins < one.version <= found.version]
    concerned = {*found.winners, *found.before}
    return next((one for one in inside if one.seat in concerned), next(iter(inside), None))

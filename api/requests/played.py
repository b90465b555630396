"""What somebody asks of the matches that they have played."""

from collections.abc import Sequence
from typing import Final

import msgspec

from api.answering.moments import moments_seen
from api.answering.turns import names_at
from api.parts import Http, parts_of
from api.requests.inboxes import LONGEST_SEARCH, fits, plain
from api.requests.instants import given_instant
from api.requests.queries import number, query
from domain.errors import Malformed
from domain.games.moments import Moment
from domain.games.registry import CURRENT
from domain.instants import milliseconds_of
from domain.viewers import Viewer
from services.projections.inbox import InboxTable
from services.projections.list_positions import ListPosition, position_of_mark
from services.projections.list_reader import Range
from services.projections.played import MOST_LOOKED_AT, OUTCOMES, PlayedPage, PlayedWanted

MOST_LOGS: Final = 24
"""In how many logs a page looks for moments."""

_MINUTE_MS: Final = 60_000


class PlayedAsked(msgspec.Struct, frozen=True):
    """What is asked.

    Attributes:
        wanted: What rows must say.
        people: Words that must all occur in the names of those who played.
        club: The club whose table it was; empty for any.
        moment: A game and one of its questions, of which there must be a moment; None for none.
        after: Where the page begins.
    """

    wanted: PlayedWanted
    people: str
    club: str
    moment: tuple[str, str] | None
    after: ListPosition | None


class PlayedFound(msgspec.Struct, frozen=True):
    """What was found.

    Attributes:
        moments: The moments that were asked for, by match.
    """

    page: PlayedPage
    moments: dict[str, tuple[Moment, ...]]


def played_asked(request: Http) -> PlayedAsked:
    """Read what is asked. Empty fields of a form ask nothing.

    Raises:
        Malformed: It cannot be read.
    """
    moment = _moment(request)
    game = query(request, "game") or (moment[0] if moment else None)
    if game is not None and game not in CURRENT:
        raise Malformed("query.malformed", f"`game` is one of: {', '.join(sorted(CURRENT))}.")
    outcome = query(request, "result") or None
    known = next((one for one in OUTCOMES if one == outcome), None)
    if known != outcome:
        raise Malformed("query.malformed", f"`result` is one of: {', '.join(OUTCOMES)}.")
    after = query(request, "after")
    wanted = PlayedWanted(
        game,
        known,
        Range(_instant(request, "since"), _instant(request, "until")),
        _range(request, "rounds", 1),
        _range(request, "minutes", _MINUTE_MS),
    )
    people, club = query(request, "with") or "", query(request, "club") or ""
    return PlayedAsked(
        wanted, people[:LONGEST_SEARCH], club, moment, position_of_mark(after) if after else None
    )


async def played_by(request: Http, person: str, asked: PlayedAsked, count: int, language: str) -> PlayedFound:
    """Return a page of the matches that a person has played.

    Raises:
        MatchesBusy: Too many others wait for whole matches.
        StoreUnavailable: The store did not answer.
    """
    application = parts_of(request).application
    moments: dict[str, tuple[Moment, ...]] = {}
    sought = [plain(word) for word in asked.people.split()]

    async def also(tables: Sequence[InboxTable]) -> Sequence[InboxTable]:
        if asked.club:
            clubs = await application.clubs.tables.clubs_of([table.match for table in tables])
            tables = [table for table, club in zip(tables, clubs, strict=True) if club == asked.club]
        if sought:
            names = await names_at(application, tables, language)
            tables = [table for table in tables if fits(sought, names[table.match])]
        if asked.moment is None:
            return tables
        for table in tables:
            moments[table.match] = await _moments(request, table, asked.moment[1])
        return [table for table in tables if moments[table.match]]

    most = MOST_LOOKED_AT if asked.moment is None else MOST_LOGS
    page = await application.played.page(person, asked.wanted, asked.after, count, also, most)
    return PlayedFound(page, moments)


async def _moments(request: Http, table: InboxTable, question: str) -> tuple[Moment, ...]:
    viewer = Viewer(table.seat, everything=True)
    found = await moments_seen(request, table.match, table.row.version, viewer)
    return tuple(moment for moment in found if moment.question == question)


def _moment(request: Http) -> tuple[str, str] | None:
    given = query(request, "moment")
    if not given:
        return None
    game, _, question = given.partition(".")
    if game not in CURRENT or all(one.name != question for one in CURRENT[game].questions):
        raise Malformed(
            "query.malformed", "`moment` is a game and one of its questions, with a dot between them."
        )
    return game, question


def _instant(request: Http, name: str) -> int | None:
    given = query(request, name)
    if not given:
        return None
    instant = given_instant(given)
    if instant is None:
        raise Malformed("query.malformed", f"`{name}` is an instant with its zone, or a day.")
    return milliseconds_of(instant)


def _range(request: Http, name: str, unit: int) -> Range:
    least, most = (
        number(request, f"{edge}_{name}", 0) if query(request, f"{edge}_{name}") else None
        for edge in ("least", "most")
    )
    return Range(None if least is None else least * unit, None if most is None else (most + 1) * unit)

"""``/m/{match}/sheet``: the score of a match on paper: round by round, who ended it, the result, a place to sign."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from litestar import get
from litestar.response.base import ASGIResponse

from api.pages.games import page_of
from api.pages.games.contract import Reckoning, RoundEnd
from api.pages.imported import imported_since
from api.pages.rendering import page
from api.pages.replay import Told, entries_of, former_of, told_of
from api.pages.sitting import chosen_value
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.requests.addresses import public_address
from api.requests.commands import match_of
from domain.entries import decode_envelope
from domain.games.registry import CURRENT
from domain.match.state import OVER
from domain.match.view import viewer_of
from services.matches.history import Line, lines_of
from services.words.names import game_name, level_name, option_name
from services.words.times import local_day

_LONG: Final = 22
"""With more rounds the rows are set smaller, to stay on one page."""


class Row(NamedTuple):
    """A round on the sheet.

    Attributes:
        round: Its number.
        version: Where it can be looked at.
        seats: By seat, what it brought, why, and what the seat had then.
        ended_by: The seat that ended it; None if nobody did.
        remarks: What else changed a total before the next deal.
    """

    round: int
    version: int
    seats: Sequence[Reckoning]
    ended_by: int | None
    remarks: tuple[str, ...]


@get("/m/{match:str}/sheet")
async def show_sheet(request: Http) -> ASGIResponse:
    """Show the score of a match as a sheet to print: only what its reader may know, and no card."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    state, language = table.position.state, visit.language
    told = await told_of(visit, table)
    rows = await _rows(visit, table, told)
    terms = state.terms
    game = "" if terms is None else terms.game
    options = {} if terms is None else terms.options
    return page(
        visit,
        "sheet.html",
        styles=("tokens.css", "page.css", "score_sheet.css"),
        match=match,
        game_name=game_name(game, language),
        options=[
            (option_name(game, name, language), chosen_value(game, name, value, language))
            for name, value in options.items()
        ],
        names=table.names,
        levels=[level_name(seat.level, language) if seat.level else "" for seat in state.seats],
        people=[number for number, seat in enumerate(state.seats) if seat.kind == "person"],
        rows=rows,
        is_long=len(rows) > _LONG,
        lifecycle=state.lifecycle,
        ranking=list(_places(state.lifecycle.ranking)),
        is_over=state.lifecycle.phase in OVER,
        days=await _days(visit, table),
        head=table.position.head.hex(),
        address=public_address(request, f"/m/{match}"),
        imported=await imported_since(visit, table.position),
        here=f"/m/{match}/sheet",
    )


def _places(ranking: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield the place and the seat of everybody; those who share a place have the best of theirs."""
    place = 1
    for group in ranking:
        yield from ((place, seat) for seat in group)
        place += len(group)


async def _days(visit: Visit, table: Table) -> list[str]:
    """Return the day on which a match was made, and that of its last step if it is another one."""
    first = await visit.parts.application.store.read(table.position.match, last=1)
    zone = await visit.zone()
    instants = [decode_envelope(entry.e).at for entry in first] + [table.position.at]
    return list(dict.fromkeys(local_day(instant, zone, visit.language) for instant in instants))


async def _rows(visit: Visit, table: Table, told: Told) -> list[Row]:
    async def make() -> list[Row]:
        entries = await entries_of(visit, table)
        former = await former_of(entries, visit, table)
        wanted = _wanted(_game(table))

        def rows() -> list[Row]:
            some = [entry for entry in entries if decode_envelope(entry.e).type in wanted]
            viewer = viewer_of(table.position.state, table.seat)
            lines = lines_of(some, viewer, _game(table), table.names, visit.language, former)
            return _rows_of(
                [line for line in lines if line.version not in told.left], table, told, visit.language
            )

        return await asyncio.to_thread(rows)

    position = table.position
    key = "sheet", position.match, position.version, position.head, visit.language, table.seat, table.names
    return await visit.parts.whole_matches.made(
        key, address_of(visit.request), make, lambda rows: 2000 * len(rows)
    )


def _wanted(game: str) -> frozenset[str]:
    current = CURRENT.get(game)
    if current is None:
        return frozenset()
    return current.round_scores() | current.score_settlings() | frozenset(page_of(game).ended_by)


def _rows_of(lines: Sequence[Line], table: Table, told: Told, language: str) -> list[Row]:
    """Return the rounds, from the lines that score them, that settle the score, and that tell who ended them."""
    game = page_of(_game(table))
    settled = {one.version: one.totals for one in told.course}
    rows: list[Row] = []
    ended: int | None = None
    for line in lines:
        field = game.ended_by.get(line.type)
        said = line.data.get(field) if field else None
        ended = said if isinstance(said, int) else ended
        if line.scores_round:
            data: dict[str, Any] = {**line.data, "totals": settled.get(line.version, line.data["totals"])}
            seats = game.reckoning(RoundEnd(line._replace(data=data), {}, language))
            rows.append(Row(int(data["round"]), line.version, seats, ended, ()))
            ended = None
        elif line.settles_score and rows:
            rows[-1] = rows[-1]._replace(remarks=(*rows[-1].remarks, line.text))
    return rows


def _game(table: Table) -> str:
    terms = table.position.state.terms
    return "" if terms is None else terms.game

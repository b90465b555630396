"""``/``: my tables, those that wait for me first; or how to start. ``/next``: the next one that waits for me."""

from collections.abc import Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.turns import ListedTable, listed
from api.pages.forms import asks_for_fragment, read_form
from api.pages.preview import preview_of_house
from api.pages.rendering import html_answer, own_address, page, rendered, see_other
from api.pages.sitting import new_secret_key
from api.pages.tables import names_at, waiting_elsewhere
from api.pages.visits import Visit
from api.parts import Http
from api.requests.inboxes import LONGEST_SEARCH, FinishedWanted, finished_of, inbox_of
from api.requests.kept_seats import tables_that_keep_a_seat
from api.requests.queries import query
from domain.games.registry import CURRENT
from domain.instants import Instant
from domain.match.fold import Position
from domain.match.state import OVER
from services.bootstrap import present_instant
from services.people.persons import Wish
from services.projections.inbox import Inbox, InboxTable, Parts
from services.projections.list_positions import mark_of, position_of_mark
from services.words.languages import LANGUAGES
from services.words.names import game_name, rules_summary
from services.words.phrases import Phrase, phrase, words_in
from services.words.telling import Teller
from services.words.times import local_moment, time_left

MOST_TABLES: Final = 100
"""How many tables each list of the page shows."""

FINISHED_ON_A_PAGE: Final = 20

_TITLES: Final = {
    "turns": phrase("Your turn"),
    "moved": phrase("News since you looked"),
    "waiting": phrase("Waiting for others"),
}

_WAITS_FOR_ME: Final = {
    "move": phrase("your turn"),
    "answer": phrase("a question for you"),
    "ready": phrase("waits for you to get ready"),
    "start": phrase("waits for you to start it"),
}


class Row(msgspec.Struct, frozen=True):
    """A table in the list.

    Attributes:
        key: The game's key.
        score: Round and points; empty before the start.
        last: What happened last.
        until: Until when I have time, as an instant; empty for no limit.
        day: The same as a date where I live.
        left: How much of it is left.
    """

    match: str
    key: str
    game: str
    others: str
    state: str
    score: str
    last: str
    waits_for_me: bool
    is_over: bool
    until: str
    day: str
    left: str


class KeptSeat(msgspec.Struct, frozen=True):
    """A table that keeps a seat for the reader."""

    match: str
    game: str
    others: str


class Reader(msgspec.Struct, frozen=True):
    """Who reads the page: in which language, in which time zone (empty if they never said)."""

    language: str
    time_zone: str


@get("/")
async def show_tables(request: Http) -> ASGIResponse:
    """List my tables."""
    visit = Visit(request)
    person = await visit.person()
    known = await visit.parts.application.persons.of(person) if person else None
    reader = Reader(visit.language, known.time_zone if known is not None else "")
    mine = await inbox_of(visit.parts.application, person) if person else ({}, Inbox())
    waiting = len(mine[1].turns)
    words = words_in(visit.language)
    title = words.say(phrase("● Your turn ({waiting})"), waiting=waiting) if waiting else "Tablée"
    kept = [await _kept_seat(visit, one) for one in await tables_that_keep_a_seat(visit.parts, person)]
    tables = {**await _tables(visit, mine, reader), "kept": kept}
    if asks_for_fragment(request):
        return html_answer(
            rendered(
                "home_fragment.html",
                visit.language,
                title=title,
                turn=bool(waiting),
                tables=rendered("tables.html", visit.language, **tables),
            )
        )
    games = [(key, game_name(key, visit.language), rules_summary(key, visit.language)[0]) for key in CURRENT]
    return page(
        visit,
        "home.html",
        **tables,
        title=title,
        preview=preview_of_house(visit),
        turn=bool(waiting),
        games=sorted(games),
        has_tables=bool(mine[0] or kept),
        clubs=await visit.parts.application.clubs.of_person(person),
        asked=await visit.parts.application.clubs.leagues.asking(person),
        keys={key: new_secret_key() for key in CURRENT},
    )


@get("/next")
async def show_next(request: Http) -> ASGIResponse:
    """Go to the next table that waits for me, after the one that I come from."""
    visit = Visit(request)
    person, here = await visit.person(), query(request, "at") or ""
    inbox = (await inbox_of(visit.parts.application, person))[1] if person else Inbox()
    matches = [table.match for table in inbox.turns]
    start = matches.index(here) + 1 if here in matches else 0
    others = [match for match in (*matches[start:], *matches[:start]) if match != here]
    return see_other(f"/m/{others[0]}" if others else "/")


@get("/next/count")
async def count_next(request: Http) -> ASGIResponse:
    """Show how many other tables wait for me, for the page of a table on which nothing else has changed."""
    visit, here = Visit(request), query(request, "at") or ""
    others = await waiting_elsewhere(visit, here)
    return html_answer(rendered("table/next.html", visit.language, others=others, here=here))


@post("/language")
async def choose_language(request: Http) -> ASGIResponse:
    """Keep a language for this browser; the page that asked comes again in it."""
    visit = Visit(request)
    form = await read_form(visit)
    language, back = form.text("language"), form.text("back", "/")
    cookies = [visit.language_cookie(language)] if language in LANGUAGES else []
    if cookies and (person := await visit.person()):
        await visit.parts.application.persons.change(person, Wish(language=language))
    return see_other(own_address(back), cookies)


async def _tables(visit: Visit, mine: tuple[Parts, Inbox], reader: Reader) -> dict[str, Any]:
    """Return what the lists of the page show."""
    application, inbox = visit.parts.application, mine[1]
    find, mark = query(visit.request, "find") or "", query(visit.request, "from")
    asked = FinishedWanted(position_of_mark(mark) if mark else None, FINISHED_ON_A_PAGE, find)
    finished = await finished_of(application, mine, asked, visit.language)
    words = words_in(visit.language)
    lists = [
        (name, words.say(_TITLES[name]), await _rows(visit, some, reader))
        for name, some in (("turns", inbox.turns), ("moved", inbox.moved), ("waiting", inbox.waiting))
    ]
    return {
        "lists": lists,
        "finished": await _rows(visit, finished.tables, reader),
        "has_finished": bool(inbox.finished),
        "find": find[:LONGEST_SEARCH],
        "is_first": asked.after is None,
        "next": mark_of(finished.next) if finished.next else "",
        "longest_search": LONGEST_SEARCH,
    }


async def _kept_seat(visit: Visit, position: Position) -> KeptSeat:
    state = position.state
    names = zip(await names_at(visit, state), state.seats, strict=True)
    game = "" if state.terms is None else game_name(state.terms.game, visit.language)
    return KeptSeat(position.match, game, ", ".join(name for name, seat in names if seat.player))


async def _rows(visit: Visit, tables: Sequence[InboxTable], reader: Reader) -> list[Row]:
    shown = await listed(visit.parts.application, tables[:MOST_TABLES], visit.language)
    return [_row(table, reader) for table in shown]


def _row(table: ListedTable, reader: Reader) -> Row:
    until, now = table.until, present_instant()
    return Row(
        match=table.match,
        key=table.game,
        game=game_name(table.game, reader.language),
        others=", ".join(name for number, name in enumerate(table.names) if number != table.seat),
        state=_state(table, reader.language),
        score=_score(table, reader.language),
        last=table.last,
        waits_for_me=bool(table.awaited),
        is_over=table.state in OVER,
        until=until or "",
        day=_day(until, now, reader) if until else "",
        left=_left(until, now, reader.language) if until else "",
    )


def _day(until: Instant, now: Instant, reader: Reader) -> str:
    said = local_moment(until, ZoneInfo(reader.time_zone or "UTC"), now, reader.language)
    return said if reader.time_zone else f"{said} UTC"


def _left(until: Instant, now: Instant, language: str) -> str:
    words = words_in(language)
    if until <= now:
        return words.say(phrase("time is up"))
    return words.say(phrase("{time} left"), time=time_left(until, now, language))


def _state(table: ListedTable, language: str) -> str:
    words, names = words_in(language), ""
    said: Phrase
    if table.awaited:
        said = _WAITS_FOR_ME[table.awaited[0].what]
    elif table.state == "finished":
        has_won = table.seat is not None and table.seat in table.ranking[0]
        names = words.all_of(table.names[seat] for seat in table.ranking[0])
        said = phrase("you won") if has_won else phrase("won by {names}")
    elif table.state == "abandoned":
        said = phrase("ended without a result")
    elif table.state == "gathering" and any(player.kind == "empty" for player in table.players):
        said = phrase("waits for players")
    else:
        host = words.say(phrase("the host"))
        names = words.all_of(host if seat is None else table.names[seat] for seat in table.owing)
        said = phrase("waits for {names}")
    return words.say(said, names=names)


def _score(table: ListedTable, language: str) -> str:
    """Return the round and the points: ``round 3: Anna 12, you 7``."""
    if not table.totals:
        return ""
    words = words_in(language)
    points = Teller(words, table.names, table.seat).totals(table.totals)
    if table.state in OVER or table.round is None:
        return points
    return words.say(phrase("round {round}: {points}"), round=table.round, points=points)

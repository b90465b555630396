"""``/c/{club}/standings``: who has done how well, by game and season, with a plot beside the table."""

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.spreadsheets import csv_answer
from api.answering.standings import ClubStandings, StandingShown, shown_meetings, shown_standings
from api.pages.clubs.club import club_seen
from api.pages.plots import DRAWN, HEIGHT, WIDTH, curves
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.queries import query
from api.requests.standings import called_in, standings_asked, standings_of
from domain.games.registry import CURRENT
from services.standings.ratings import courses
from services.standings.results import Result
from services.standings.seasons import LENGTHS
from services.standings.table import head_to_head
from services.words.names import game_name
from services.words.numbers import decimal
from services.words.phrases import Phrase, phrase, words_in

_LENGTHS: Final[Mapping[str, Phrase]] = {
    "quarter": phrase("by quarters"),
    "year": phrase("by years"),
    "ever": phrase("all in one"),
}
_EVER: Final = phrase("of all time")


@get("/c/{club:str}/standings")
async def show_standings(request: Http) -> ASGIResponse:
    """Show the standings of a club to somebody who is in it."""
    visit = Visit(request)
    club, language = await club_seen(visit), visit.language
    asked = await standings_asked(request, visit.parts, club)
    found = await standings_of(asked)
    called = await called_in(visit.parts, club, (one.person for one in found), language)
    against = query(request, "against") or ""
    chosen = next((one for one in club.members if one.id == against), None)
    meetings = head_to_head(asked.results, chosen.person) if chosen else {}
    words = words_in(language)
    address = f"/c/{club.id}/standings"
    return page(
        visit,
        "clubs/standings.html",
        club=club,
        asked=asked,
        game=game_name(asked.game, language),
        games=[(key, game_name(key, language)) for key in sorted(CURRENT)],
        lengths=[(length, words.say(_LENGTHS[length])) for length in LENGTHS],
        seasons=[(season, words.say(_EVER) if season == "ever" else season) for season in asked.seasons],
        standings=shown_standings(found, called),
        curves=curves(
            [one.person for one in found if one.matches][:DRAWN],
            # A thread counts, so that nobody's move waits.
            await asyncio.to_thread(strengths, asked.results),
            {person: one.name for person, one in called.items()},
        ),
        width=WIDTH,
        height=HEIGHT,
        decimal=partial(decimal, language=language),
        meetings=shown_meetings(meetings, called),
        chosen=called[chosen.person].name if chosen and chosen.person in called else "",
        address=address,
        here=f"{address}?game={asked.game}",
    )


@get("/c/{club:str}/standings.csv")
async def download_standings(request: Http) -> ASGIResponse:
    """Download the standings of a club."""
    visit = Visit(request)
    club = await club_seen(visit)
    asked = await standings_asked(request, visit.parts, club)
    found = await standings_of(asked)
    called = await called_in(visit.parts, club, (one.person for one in found), visit.language)
    shown, headers = shown_standings(found, called), {"Cache-Control": "private, no-store"}
    return csv_answer(StandingShown, shown, f"standings-{asked.file_name}", headers)


@get("/c/{club:str}/standings.json")
async def download_standings_as_json(request: Http) -> ASGIResponse:
    """Download the standings of a club for programs."""
    visit = Visit(request)
    club = await club_seen(visit)
    asked = await standings_asked(request, visit.parts, club)
    found = await standings_of(asked)
    called = await called_in(visit.parts, club, (one.person for one in found), visit.language)
    shown = shown_standings(found, called)
    body = ClubStandings(asked.game, asked.season, asked.seasons, len(asked.results), shown, ())
    file = f'attachment; filename="standings-{asked.file_name}.json"'
    return answer(body, headers={"Cache-Control": "private, no-store", "Content-Disposition": file})


def strengths(results: Iterable[Result]) -> list[Mapping[str, float]]:
    """Return how strong everybody was thought to be after each match."""
    return [{person: one.strength for person, one in course.items()} for course in courses(results)]

"""``/c/{club}/standings``: who has done how well, by game and season, with a plot beside the table."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.spreadsheets import csv_answer
from api.answering.standings import Called, StandingShown, shown_meetings, shown_standings
from api.pages.clubs.club import club_seen
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.queries import query
from api.requests.standings import called_in, standings_asked, standings_of
from domain.games.registry import CURRENT
from services.standings.ratings import Rating, courses
from services.standings.seasons import LENGTHS
from services.standings.table import head_to_head
from services.words.names import game_name
from services.words.phrases import Phrase, phrase, words_in

WIDTH: Final = 640
HEIGHT: Final = 260
_MARGIN: Final = 16
_DRAWN: Final = 6
"""How many of the best a plot shows: more lines nobody can tell apart. The table has all."""

_LENGTHS: Final[Mapping[str, Phrase]] = {
    "quarter": phrase("by quarters"),
    "year": phrase("by years"),
    "ever": phrase("all in one"),
}
_EVER: Final = phrase("of all time")


class Curve(NamedTuple):
    """One line of a plot.

    Attributes:
        points: As SVG has them.
        end: Where it ends, from the top.
    """

    name: str
    points: str
    end: float


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
        curves=curves([one.person for one in found if one.matches][:_DRAWN], courses(asked.results), called),
        width=WIDTH,
        height=HEIGHT,
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


def curves(
    persons: Sequence[str], drawn: Sequence[Mapping[str, Rating]], called: Mapping[str, Called]
) -> list[Curve]:
    """Return the ratings of some people after each match as lines of a plot; none before there are two points."""
    if len(drawn) < 2:  # noqa: PLR2004 - a line has two ends
        return []
    values = {
        person: [(number, course[person].strength) for number, course in enumerate(drawn) if person in course]
        for person in persons
    }
    strengths = [strength for course in values.values() for _, strength in course]
    if not strengths:
        return []
    low, high = min(strengths), max(strengths)
    across = (WIDTH - 2 * _MARGIN - 120) / (len(drawn) - 1)
    up = (HEIGHT - 2 * _MARGIN) / max(high - low, 1.0)
    found = []
    for person, course in values.items():
        placed = [
            (_MARGIN + number * across, HEIGHT - _MARGIN - (strength - low) * up)
            for number, strength in course
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        found.append(Curve(called[person].name, points, round(placed[-1][1], 1)))
    return found

"""``/c/{club}/records``: the club's hall of records, by game."""

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.records import RecordShown
from api.answering.spreadsheets import csv_answer
from api.pages.clubs.club import club_seen
from api.pages.clubs.rows import day_of
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.records import records_asked
from services.words.names import game_name


@get("/c/{club:str}/records")
async def show_records(request: Http) -> ASGIResponse:
    """Show the records of a club to somebody who is in it."""
    visit = Visit(request)
    club, language = await club_seen(visit), visit.language
    asked = await records_asked(request, visit.parts, club, language)
    address = f"/c/{club.id}/records"
    return page(
        visit,
        "clubs/records.html",
        club=club,
        asked=asked,
        game=game_name(asked.game, language),
        games=[(key, game_name(key, language)) for key in asked.games],
        days={one.match: day_of(one.ended, language) for one in asked.records},
        address=address,
        here=f"{address}?game={asked.game}",
    )


@get("/c/{club:str}/records.csv")
async def download_records(request: Http) -> ASGIResponse:
    """Download the records of a club."""
    visit = Visit(request)
    club = await club_seen(visit)
    asked = await records_asked(request, visit.parts, club, visit.language)
    return csv_answer(
        RecordShown, asked.records, f"records-{asked.game}", {"Cache-Control": "private, no-store"}
    )

"""``/c/{club}``: its members, its tables and their results, for those who are in it."""

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.clubs.rows import day_of, league_links, member_rows, rights_table, role_names, table_rows
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http
from api.requests.clubs import club_for, club_id
from api.requests.queries import number
from domain.errors import Refused
from services.bootstrap import present_instant
from services.matches.tables_of_clubs import RESULTS_ON_A_PAGE
from services.people.clubs.changes import left
from services.people.clubs.club import Club
from services.people.clubs.roles import rights_of


@get("/c/{club:str}")
async def show_club(request: Http) -> ASGIResponse:
    """Show a club to somebody who is in it."""
    visit = Visit(request)
    return await club_page(visit, await club_seen(visit), first=number(request, "first", 0))


@post("/c/{club:str}/leave")
async def leave_club(request: Http) -> ASGIResponse:
    """Leave a club."""
    visit = Visit(request)
    await read_form(visit)
    person = await visit.person()
    try:
        await visit.parts.application.clubs.change(club_id(request), lambda present: left(present, person))
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        return await club_page(visit, await club_seen(visit), notice, status)
    return see_other("/c")


@get(["/c/{club:str}/leave", "/c/{club:str}/close", "/c/{club:str}/invitations", "/c/{club:str}/channel"])
async def come_back(request: Http) -> ASGIResponse:
    """Show the club to who comes back to the address of a form."""
    return see_other(f"/c/{club_id(request)}")


async def club_seen(visit: Visit) -> Club:
    """Return the club of the address, for a reader who is in it.

    Raises:
        NoSuchClub: There is none, or they are not in it.
    """
    return await club_for(visit.parts, club_id(visit.request), await visit.person())


async def club_page(
    visit: Visit, club: Club, notice: Notice | None = None, status: int = 200, first: int = 0
) -> ASGIResponse:
    """Answer with a club's page."""
    application, person = visit.parts.application, await visit.person()
    tables = await application.tables_of_clubs.open(club.id, present_instant())
    results, has_more = await application.tables_of_clubs.results(club.id, first)
    role = club.role(person)
    closes_at = await application.clubs.closes_at(club.id)
    return page(
        visit,
        "clubs/club.html",
        status=status,
        club=club,
        role=role,
        role_names=role_names(visit.language),
        may=rights_of(role),
        members=await member_rows(visit, club),
        tables=sorted(await table_rows(visit, tables), key=lambda row: not row.is_mine),
        leagues=await league_links(visit, club),
        results=await table_rows(visit, results),
        first=first,
        next=first + RESULTS_ON_A_PAGE if has_more else None,
        closes_on=day_of(closes_at, visit.language) if closes_at is not None else "",
        rights=rights_table(visit.language),
        notice=notice,
        here=f"/c/{club.id}",
    )

"""``/c``: the clubs that I am in, and making one."""

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.clubs import row_of
from api.pages.clubs.rows import role_names
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.sitting import new_secret_key, secret_key_of
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import Refused
from services.bootstrap import present_instant
from services.people.clubs.changes import begun
from services.people.clubs.club import LONGEST_NAME, UNUSED_DAYS, Member
from services.people.opaque_ids import new_id
from services.people.player_names import LONGEST_NAME as LONGEST_PERSONS_NAME


@get("/c")
async def show_my_clubs(request: Http) -> ASGIResponse:
    """List the clubs that I am in, and show a form for another one."""
    return await _page(Visit(request))


@post("/c")
async def make_club(request: Http) -> ASGIResponse:
    """Make a club, and become its host."""
    visit = Visit(request)
    form, now = await read_form(visit), present_instant()
    key, application = secret_key_of(form), visit.parts.application
    try:
        # What will be refused leaves no trace, not even a person.
        begun("", form.text("club"), now)
        person = await visit.become_person(form.text("name"))
        club_id = application.identity.for_new_club(person, key)
        club = begun(club_id, form.text("club"), now, Member(new_id("n"), person, "host", now))
        await application.clubs.create(club, now)
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        return await _page(visit, form.text("club"), notice, status)
    return see_other(f"/c/{club_id}")


async def _page(
    visit: Visit, name: str = "", notice: Notice | None = None, status: int = 200
) -> ASGIResponse:
    application, person = visit.parts.application, await visit.person()
    clubs = await application.clubs.of_person(person)
    return page(
        visit,
        "clubs/mine.html",
        status=status,
        clubs=[row_of(club, person) for club in clubs],
        role_names=role_names(visit.language),
        club_name=name,
        my_name=await visit.name(),
        notice=notice,
        key=new_secret_key(),
        longest_name=LONGEST_NAME,
        longest_persons_name=LONGEST_PERSONS_NAME,
        unused_days=UNUSED_DAYS,
        here="/c",
    )

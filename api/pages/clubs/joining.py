"""``/i/{code}``: where an invitation leads. Looking uses nothing up; pressing the button joins."""

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.clubs import seen_invitation
from api.pages.clubs.rows import day_of, rights_table, role_names
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.scene import Notice
from api.pages.secret_pages import secret_page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.clubs import code_of
from domain.errors import Refused
from services.bootstrap import present_instant
from services.errors import NoSuchInvitation
from services.people.clubs.changes import joined
from services.people.clubs.club import Club, Invitation, Member
from services.people.hashed_secrets import hash_of
from services.people.opaque_ids import new_id
from services.people.player_names import LONGEST_NAME


@get("/i/{code:str}")
async def show_invitation(request: Http) -> ASGIResponse:
    """Show which club an invitation leads to, and what joining means."""
    return await _page(Visit(request))


@post("/i/{code:str}")
async def join(request: Http) -> ASGIResponse:
    """Join the club."""
    visit, code, now = Visit(request), code_of(request), present_instant()
    form, application = await read_form(visit), visit.parts.application
    club, _ = await _invitation(visit, code)
    try:
        # What will be refused leaves no trace, not even a person.
        joined(club, hash_of(code), Member(new_id("n"), await visit.person(), "guest", now), now)
        person = await visit.become_person(form.text("name"))
        await application.clubs.join(code, Member(new_id("n"), person, "guest", now), now)
    except Refused as refusal:
        return await _page(visit, *notice_of(refusal, visit.language, ""))
    return see_other(f"/c/{club.id}")


async def _invitation(visit: Visit, code: str) -> tuple[Club, Invitation]:
    club = await visit.parts.application.clubs.invited_to(code)
    invitation = club.invitation(hash_of(code))
    if invitation is None:
        raise NoSuchInvitation
    return club, invitation


async def _page(visit: Visit, notice: Notice | None = None, status: int = 200) -> ASGIResponse:
    code = code_of(visit.request)
    club, invitation = await _invitation(visit, code)
    person = await visit.person()
    return secret_page(
        visit,
        "clubs/joining.html",
        status=status,
        seen=seen_invitation(club, invitation, person, present_instant()),
        code=code,
        role_name=role_names(visit.language)[invitation.role],
        expires=day_of(invitation.expires, visit.language),
        rights=rights_table(visit.language),
        my_name=await visit.name(),
        longest_name=LONGEST_NAME,
        notice=notice,
        here=f"/i/{code}",
    )

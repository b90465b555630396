"""``/back/mail`` and ``/back/code``: coming back by a mail to a mailbox that one has confirmed."""

from litestar import post
from litestar.background_tasks import BackgroundTask
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.scene import Notice
from api.pages.secret_pages import secret_page
from api.pages.visits import Visit
from api.pages.ways_back import returning_of
from api.parts import Http, address_of
from domain.errors import TableeError


@post("/back/mail")
async def ask_for_mail(request: Http) -> ASGIResponse:
    """Ask for a mail with a link and a code; the answer is the same whoever has confirmed the mailbox."""
    visit = Visit(request)
    form = await read_form(visit)
    returning, given = returning_of(request), form.text("address")
    try:
        asked = await returning.ask(given, visit.language, address_of(request))
    except TableeError as error:
        return _page(visit, given, "", *notice_of(error, visit.language, ""))
    answer = _page(visit, given, asked.name)
    # Afterwards: how long a mail server takes would tell whether there is anybody to send to.
    answer.background = BackgroundTask(returning.send, asked.letters)
    return answer


@post("/back/code")
async def type_code(request: Http) -> ASGIResponse:
    """Come back by the code in a mail: it leads to the page that a link leads to."""
    visit = Visit(request)
    form = await read_form(visit)
    name, given = form.text("name"), form.text("address")
    try:
        token = await returning_of(request).by_code(name, form.text("code"))
    except TableeError as error:
        return _page(visit, given, name, *notice_of(error, visit.language, ""))
    return see_other(f"/s/{token}", visit.cookies())


def _page(
    visit: Visit, given: str, name: str, notice: Notice | None = None, status: int = 200
) -> ASGIResponse:
    return secret_page(
        visit, "mailed.html", status=status, address=given, name=name, notice=notice, here="/back"
    )

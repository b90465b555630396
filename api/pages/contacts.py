"""``/me/contacts``: where I want to be told. ``/confirm/{secret}``: what the link in a mail leads to.

Looking changes nothing, so that a mail scanner may open every link.
"""

from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.permissions.admission import access_of
from api.requests.devices import device_of
from api.routes.contacts import reaching_of
from domain.errors import TableeError
from services.notices.reaching import Asker
from services.words.phrases import Phrase, phrase, words_in
from services.words.reasons import reason_words

ADDRESS: Final = "/me/contacts"

SHAPE_NAMES: Final = {
    "discord": Phrase("Discord"),
    "slack": Phrase("Slack"),
    "mattermost": Phrase("Mattermost"),
    "ntfy": Phrase("ntfy"),
    "gotify": Phrase("Gotify"),
    "json": phrase("A program of my own (JSON)"),
}
"""What stands at the other end of a webhook."""


@get(ADDRESS)
async def show_contacts(request: Http) -> ASGIResponse:
    """Show where I am told, and how to add to it."""
    return await _contacts_page(Visit(request))


@post("/me/contacts/mail")
async def give_mailbox(request: Http) -> ASGIResponse:
    """Give a mailbox; it gets a mail with which it is confirmed."""
    visit = Visit(request)
    form = await read_form(visit)
    try:
        await reaching_of(request).give_mailbox(await asker_of(visit), form.text("address"))
    except TableeError as error:
        return await _contacts_page(visit, *notice_of(error, visit.language, ""), given=form.text("address"))
    return see_other(ADDRESS)


@post("/me/contacts/webhook")
async def give_webhook(request: Http) -> ASGIResponse:
    """Give an address to post to; it gets a test."""
    visit = Visit(request)
    form = await read_form(visit)
    address, shape = form.text("address"), form.text("shape")
    try:
        await reaching_of(request).give_webhook(await asker_of(visit), address, shape)
    except TableeError as error:
        return await _contacts_page(visit, *notice_of(error, visit.language, ""), posted=(address, shape))
    return see_other(ADDRESS)


@post("/me/contacts/push")
async def give_device(request: Http) -> ASGIResponse:
    """Have notices pushed to this device; it gets a test."""
    visit = Visit(request)
    form = await read_form(visit)
    endpoint, p256dh, auth = (form.text(name) for name in ("endpoint", "p256dh", "auth"))
    try:
        device = device_of(request)
        await reaching_of(request).give_device(await asker_of(visit), endpoint, p256dh, auth, device)
    except TableeError as error:
        return await _contacts_page(visit, *notice_of(error, visit.language, ""))
    return see_other(ADDRESS)


@post("/me/contacts/{channel:str}/{contact:str}/confirm")
async def confirm_by_code(request: Http) -> ASGIResponse:
    """Confirm a mailbox by the code in the mail."""
    visit = Visit(request)
    form = await read_form(visit)
    person, number = access_of(request).person, request.path_params["contact"]
    try:
        await reaching_of(request).confirm_by_code(person, number, form.text("code"))
    except TableeError as error:
        return await _contacts_page(visit, *notice_of(error, visit.language, ""))
    return see_other(ADDRESS)


@post("/me/contacts/{channel:str}/{contact:str}/remove")
async def take_away(request: Http) -> ASGIResponse:
    """Take a contact away."""
    visit = Visit(request)
    channel, number = (request.path_params[name] for name in ("channel", "contact"))
    try:
        await reaching_of(request).take_away(access_of(request).person, channel, number)
    except TableeError as error:
        return await _contacts_page(visit, *notice_of(error, visit.language, ""))
    return see_other(ADDRESS)


@get("/confirm/{secret:str}")
async def show_confirmation(request: Http) -> ASGIResponse:
    """Show which mailbox a link confirms, and the button that does it."""
    return await _confirmation_page(Visit(request))


@post("/confirm/{secret:str}")
async def confirm(request: Http) -> ASGIResponse:
    """Confirm a mailbox by the link in the mail."""
    visit = Visit(request)
    try:
        contact = await reaching_of(request).confirm(request.path_params["secret"])
    except TableeError as error:
        return await _confirmation_page(visit, *notice_of(error, visit.language, ""))
    return page(visit, "confirmation.html", contact=contact, notice=None, done=True, here="/")


async def asker_of(visit: Visit) -> Asker:
    """Return who gives a contact on a page."""
    person = access_of(visit.request).person
    known = await visit.parts.application.persons.of(person)
    language = (known.language if known is not None else "") or visit.language
    return Asker(person, language, address_of(visit.request))


async def _contacts_page(
    visit: Visit,
    notice: Notice | None = None,
    status: int = 200,
    *,
    given: str = "",
    posted: tuple[str, str] = ("", ""),
) -> ASGIResponse:
    contacts = await visit.parts.application.contacts.of(access_of(visit.request).person)
    return page(
        visit,
        "contacts.html",
        status=status,
        contacts=contacts,
        notice=notice,
        sends_mail=reaching_of(visit.request).sends_mail,
        given=given,
        posted=posted,
        push_key=reaching_of(visit.request).push_key if _can_push(visit) else "",
        shapes=[(name, words_in(visit.language).say(said)) for name, said in SHAPE_NAMES.items()],
        reasons={one.off: reason_words(one.off, visit.language) for one in contacts},
        here=ADDRESS,
    )


def _can_push(visit: Visit) -> bool:
    """Tell whether browsers let pages at this address subscribe: under HTTPS, or on the machine itself."""
    host = (visit.request.headers.get("host") or "").partition(":")[0]
    return visit.secure or host in {"localhost", "127.0.0.1"}


async def _confirmation_page(visit: Visit, notice: Notice | None = None, status: int = 200) -> ASGIResponse:
    secret = visit.request.path_params["secret"]
    contact = await reaching_of(visit.request).led_to(secret)
    if contact is None and notice is None:
        status = 410
    # `here`: a secret in an address must not be handed on by the form that chooses a language.
    return page(
        visit,
        "confirmation.html",
        status=status,
        contact=contact,
        secret=secret,
        notice=notice,
        done=False,
        here="/",
    )

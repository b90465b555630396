"""``/m/{match}/talk``: what the people at a table say to each other, a folded part of its page."""

from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.pages.forms import asks_for_fragment, read_form
from api.pages.rendering import html_answer, rendered, see_other
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import access_of
from api.permissions.refusals import HostTokenNeeded
from api.requests.commands import match_of
from api.requests.talk import mute_author, player_in, speaker, talk_at
from services.people.memberships import Held
from services.people.talk import LONGEST, REACTIONS
from services.words.talk import reaction_text

_LONGEST_KEY: Final = 64


@get("/m/{match:str}/talk")
async def show_talk(request: Http) -> ASGIResponse:
    """Show what was said at a table."""
    visit, match = Visit(request), match_of(request)
    held = speaker(access_of(request))
    if not asks_for_fragment(request):
        return see_other(f"/m/{match}#talk")
    return html_answer(await talk_html(visit, match, held))


@post("/m/{match:str}/talk")
async def speak(request: Http) -> ASGIResponse:
    """Say something, delete it, mute somebody, or let people talk or not."""
    visit, match = Visit(request), match_of(request)
    form, held = await read_form(visit), speaker(access_of(request))
    application, message = visit.parts.application, form.text("message")
    talk, player = application.talk, player_in(held)
    match form.text("do"):
        case "delete":
            await talk.delete(match, message, player, is_host=bool(held.host))
        case "mute" | "hear" as wish:
            await mute_author(application, match, held.person, message, on=wish == "mute")
        case "open" | "close" as wish:
            if not held.host:
                raise HostTokenNeeded
            await talk.switch(match, on=wish == "open")
        case _:
            text, reaction = form.text("text"), form.text("reaction")
            said, key = "" if reaction else text, form.text("key")[:_LONGEST_KEY]
            # A form that is posted twice says it once.
            await talk.say(match, player, held.person, text=said, reaction=reaction, key=key)
    if asks_for_fragment(request):
        return html_answer(await talk_html(visit, match, held))
    return see_other(f"/m/{match}#talk")


async def talk_html(visit: Visit, match: str, held: Held) -> Markup:
    """Return the talk of a table as one of its people reads it; nothing for others."""
    if not player_in(held):
        return Markup()
    talk = await talk_at(visit.parts.application, match, held, visit.language)
    return rendered(
        "talk.html",
        visit.language,
        match=match,
        talk=talk,
        is_host=bool(held.host),
        reactions=[(name, reaction_text(name, visit.language)) for name in REACTIONS],
        longest=LONGEST,
        form_token=visit.form_token,
    )

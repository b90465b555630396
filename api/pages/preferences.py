"""How somebody wants the pages: their theme, whether things move, whether it sounds, when a move is confirmed.

What is chosen is kept with the person, under ``page.<name>``, and in a cookie for a browser that nobody knows yet.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.forms import Form, read_form
from api.pages.rendering import own_address, see_other
from api.pages.visits import KEPT, PREFERENCES_COOKIE, Preferences, Visit
from api.parts import Http
from services.people.persons import Wish
from services.words.phrases import Phrase, phrase, words_in

CHOICES: Final[Mapping[str, tuple[Phrase, Mapping[str, Phrase]]]] = {
    "theme": (
        phrase("Colours"),
        {
            "": phrase("as the device says"),
            "light": phrase("light"),
            "dark": phrase("dark"),
            "contrast": phrase("high contrast"),
        },
    ),
    "motion": (phrase("Cards move"), {"": phrase("yes, unless the device says no"), "off": phrase("no")}),
    "sound": (phrase("A sound when it is my turn"), {"": phrase("no"), "on": phrase("yes")}),
    "confirm": (
        phrase("Press twice to make a move"),
        {"": phrase("never"), "phones": phrase("on phones"), "always": phrase("always")},
    ),
}
"""By name: what it is called, and the values that it takes; empty is what holds if nothing was chosen."""


@post("/me/display")
async def choose_display(request: Http) -> ASGIResponse:
    """Keep how somebody wants the pages; the page that asked comes again."""
    visit = Visit(request)
    form = await read_form(visit)
    chosen = _chosen(form)
    if person := await visit.person():
        kept = {f"{KEPT}.{name}": value for name, value in msgspec.structs.asdict(chosen).items()}
        kept[f"{KEPT}.chosen"] = "yes"
        await visit.parts.application.persons.change(person, Wish(preferences=kept))
    return see_other(
        own_address(form.text("back", "/me")), [visit.cookie(PREFERENCES_COOKIE, chosen.written)]
    )


def _chosen(form: Form) -> Preferences:
    said = {name: form.text(name) for name in CHOICES}
    return Preferences(**{name: value for name, value in said.items() if value in CHOICES[name][1]})


def choices_shown(visit: Visit) -> list[dict[str, Any]]:
    """Return what can be chosen, in words, with what holds now."""
    words = words_in(visit.language)
    return [
        {
            "name": name,
            "label": words.say(label),
            "values": [(value, words.say(text)) for value, text in values.items()],
            "chosen": getattr(visit.preferences, name),
        }
        for name, (label, values) in CHOICES.items()
    ]

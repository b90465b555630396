"""``/privacy``: what is kept about people, and for how long."""

from litestar import get
from litestar.response.base import ASGIResponse

from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from services.words.kept_data import KEPT_DATA
from services.words.phrases import words_in


@get("/privacy")
async def show_privacy(request: Http) -> ASGIResponse:
    """Tell what is kept for how long."""
    visit = Visit(request)
    words = words_in(visit.language)
    rows = [(words.say(kept.what), words.say(kept.until)) for kept in KEPT_DATA.values()]
    return page(visit, "privacy.html", rows=rows)

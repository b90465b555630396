"""Pages that show a secret, which no browser and no proxy keeps."""

from collections.abc import Iterable
from typing import Any, Final

from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse

from api.pages.rendering import html_answer, page_html
from api.pages.visits import Visit

NOT_KEPT: Final = {"Cache-Control": "no-store"}


def secret_page(
    visit: Visit, template: str, *, status: int = 200, cookies: Iterable[Cookie] = (), **context: Any
) -> ASGIResponse:
    """Answer with a whole page that is not to be kept."""
    html = page_html(visit, template, **context)
    return html_answer(html, status=status, headers=NOT_KEPT, cookies=[*visit.cookies(), *cookies])

"""``/ops``: the matches, those that need attention first."""

from litestar import get
from litestar.response.base import ASGIResponse

from api.ops.rendering import ops_page
from api.parts import Http


@get("/")
async def show_matches(request: Http) -> ASGIResponse:
    """List the matches."""
    return ops_page(request, "matches.html")

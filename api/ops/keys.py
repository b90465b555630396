"""``/ops/keys``: what the keys do."""

from litestar import get
from litestar.response.base import ASGIResponse

from api.ops.rendering import ops_page
from api.parts import Http


@get("/keys")
async def show_keys(request: Http) -> ASGIResponse:
    """Show what the keys do."""
    return ops_page(request, "ops_keys.html")

"""``GET /metrics``: for Prometheus, and only for readers whom the operator admits."""

import hmac
from ipaddress import ip_address
from typing import Final

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response.base import ASGIResponse

from api.metrics.scraper import Scraper
from api.parts import Http
from api.requests.headers import bearer
from services.errors import Unauthenticated
from services.process.settings import Settings

_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


@get("/metrics", include_in_schema=False)
async def metrics(request: Http) -> ASGIResponse:
    """Send the metrics in Prometheus' text format."""
    from api.metrics.exposition import CONTENT_TYPE

    scraper: Scraper = request.app.state.metrics
    return ASGIResponse(body=await scraper.text(), media_type=CONTENT_TYPE, encoding="utf-8")


def require_reader(request: Http, settings: Settings) -> None:
    """Make sure that the asker may read metrics.

    Raises:
        NotFoundException: They may not, and need not know that there are any.
        Unauthenticated: The token is missing or wrong.
    """
    if settings.metrics == "token":
        given, wanted = bearer(request) or "", settings.metrics_token or ""
        if not hmac.compare_digest(given.encode(), wanted.encode()):
            raise Unauthenticated
        return
    # Behind a proxy everybody seems to be on this machine; a forwarded request is not.
    forwarded = any(name in request.headers for name in _FORWARDED)
    if settings.metrics == "off" or forwarded or not _is_here(request):
        raise NotFoundException


def _is_here(request: Http) -> bool:
    client = request.client
    try:
        return client is not None and ip_address(client.host).is_loopback
    except ValueError:
        return False

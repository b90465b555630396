"""What makes the pages an app on a phone: ``/manifest.webmanifest``, and what it shows without a network."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.pages.rendering import html_answer, page_html
from api.pages.static_files import address_of
from api.pages.visits import Visit
from api.parts import Http

_KIND: Final = "application/manifest+json"
_SIZES: Final = (192, 512)
_FELT: Final = "#235641"
_PAGE: Final = "#efe3cf"


@get("/manifest.webmanifest")
async def send_manifest(request: Http) -> ASGIResponse:
    """Tell a device how to keep the pages among its apps."""
    pictures = [
        {
            "src": address_of(f"icon_{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for size in _SIZES
        for purpose in ("any", "maskable")
    ]
    manifest = {
        "name": "Tablée",
        "short_name": "Tablée",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": Visit(request).language,
        "theme_color": _FELT,
        "background_color": _PAGE,
        "icons": pictures,
    }
    headers = {"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language"}
    return ASGIResponse(body=msgspec.json.encode(manifest), headers=headers, media_type=_KIND)


@get("/offline")
async def show_offline(request: Http) -> ASGIResponse:
    """Show what a device keeps for when there is no network: it names nobody, and knows no table."""
    # Without a session of its own: the device keeps it for whoever holds it.
    return html_answer(page_html(Visit(request), "offline.html"))

"""``GET /openapi.json`` and ``GET /docs``: the API's description, for programs and for people."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.document.operations import Answer, Operation
from api.parts import Http

_HEADERS: Final = {"Cache-Control": "public, max-age=300"}

_JSON: Final = Operation(
    id="openApiDocument",
    tag="document",
    description="Enough to write a client without any other source.",
    answers={200: Answer("The document.", media={"application/json": {"type": "object"}})},
)

_PAGE: Final = Operation(
    id="documentation",
    tag="document",
    description="The same as a page, which loads nothing else.",
    answers={200: Answer("The page.", media={"text/html": {"type": "string"}})},
)


class Written(msgspec.Struct, frozen=True):
    """The description as it is sent.

    Attributes:
        document: The OpenAPI document, JSON.
        page: The page, HTML.
        page_policy: The content security policy that the page needs.
    """

    document: bytes
    page: bytes
    page_policy: str


@get("/openapi.json", operation=_JSON)
async def openapi_document(request: Http) -> ASGIResponse:
    """Give this API's description as an OpenAPI document."""
    written: Written = request.app.state.written()
    return ASGIResponse(body=written.document, headers=_HEADERS, media_type="application/json")


@get("/docs", operation=_PAGE)
async def documentation(request: Http) -> ASGIResponse:
    """Show this API's description to people."""
    written: Written = request.app.state.written()
    headers = {**_HEADERS, "Content-Security-Policy": written.page_policy}
    return ASGIResponse(body=written.page, headers=headers, media_type="text/html")

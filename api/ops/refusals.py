"""What the operator's pages say when something cannot be done."""

from typing import Final

from litestar import Response

from api.answering.problems import status_of
from api.ops.rendering import ops_html
from api.pages.refusals import ErrorPages
from api.parts import Http
from domain.errors import TableeError
from services.words.phrases import phrase

_PAGES: Final = ErrorPages(
    lambda visit, said, status: ops_html(visit, "refused_here.html", said=said, here="/ops", status=status),
    phrase("The service log tells more under the correlation id {trace}."),
)
rejected_here: Final = _PAGES.rejected
failed_here: Final = _PAGES.failed


def refused_here(request: Http, error: TableeError) -> Response[bytes]:
    """Answer one of our own errors; what nobody foresaw, such as a broken log, as a failure."""
    answer = failed_here if status_of(error) == 500 else _PAGES.refused  # noqa: PLR2004 - a status
    return answer(request, error)

"""What the operator's pages say when something cannot be done."""

import structlog
from litestar import Response
from litestar.exceptions import HTTPException

from api.answering.problems import status_of, when_to_ask_again
from api.ops.rendering import ops_html
from api.pages.refusals import in_words
from api.pages.rendering import HEADERS, HTML
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import TableeError
from services.process.service_log import current_correlation
from services.words.phrases import phrase, words_in
from services.words.refusals import Refusal

_log = structlog.get_logger(__name__)

_NO_PAGE = phrase("There is no such page.")
_MALFORMED = phrase("This cannot be read.")
_FAILED = phrase("Something went wrong here.")
_FAILED_HELP = phrase("The service log tells more under the correlation id {trace}.")


def refused_here(request: Http, error: TableeError) -> Response[bytes]:
    """Answer one of our own errors with a page."""
    status = status_of(error)
    if status == 500:  # noqa: PLR2004 - a status
        return failed_here(request, error)
    visit = Visit(request)
    return _page(visit, status, in_words(error, visit.language, ""), when_to_ask_again(error))


def rejected_here(request: Http, error: HTTPException) -> Response[bytes]:
    """Answer what the framework refused: mostly addresses that do not exist."""
    visit = Visit(request)
    words = words_in(visit.language)
    is_missing = error.status_code in {404, 405}
    said = Refusal(words.say(_NO_PAGE if is_missing else _MALFORMED))
    return _page(visit, error.status_code if is_missing else 400, said)


def failed_here(request: Http, error: Exception) -> Response[bytes]:
    """Answer what nobody foresaw, such as a broken log: the service log gets all of it, the page where to look."""
    _log.error("page_failed", exc_info=error)
    visit = Visit(request)
    words = words_in(visit.language)
    help_ = words.say(_FAILED_HELP, trace=current_correlation() or "")
    return _page(visit, 500, Refusal(words.say(_FAILED), "", help_))


def _page(visit: Visit, status: int, said: Refusal, more: dict[str, str] | None = None) -> Response[bytes]:
    html = ops_html(visit, "refused_here.html", said=said, here="/ops", status=status)
    return Response(
        html.encode(),
        status_code=status,
        headers={**HEADERS, **(more or {})},
        cookies=visit.cookies(),
        media_type=HTML,
    )

"""Every refusal as a problem document (RFC 9457) with a stable code, a status, and what would be right.

``status_of`` gives each error its status; ``api/answering/sentences.py`` has the sentences.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException

from api.answering.sentences import HELP, TITLES, sentence
from api.entrance.refused_commands import note_code
from api.parts import Http
from api.requests.headers import PreconditionRequired, wanted_language
from api.streams.hub import StreamsFull, TooManyStreams
from domain.errors import BrokenLog, Malformed, Refused, TableeError
from domain.games.contract import LegalMoves
from domain.match.upcasting import NEWER
from services.errors import (
    CommandIdReused,
    Contended,
    LinkEnded,
    LogBroken,
    MatchClosed,
    MatchesBusy,
    MatchFull,
    NoSuchClub,
    NoSuchContact,
    NoSuchDevice,
    NoSuchKey,
    NoSuchMatch,
    NoSuchMessage,
    NotAllowed,
    NoWayBack,
    OutcomeUnknown,
    ReleaseTooOld,
    StaleVersion,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreWentBack,
    TooManyRequests,
    Unauthenticated,
)
from services.log.archive.errors import ImportRefused
from services.process.service_log import current_correlation

_log = structlog.get_logger(__name__)

PROBLEM_JSON: Final = "application/problem+json"

_STATUSES: Final[Mapping[type[TableeError], int]] = {
    Malformed: 400,
    Unauthenticated: 401,
    NotAllowed: 403,
    NoSuchContact: 404,
    NoSuchMatch: 404,
    NoSuchClub: 404,
    NoWayBack: 404,
    NoSuchDevice: 404,
    LinkEnded: 410,
    NoSuchKey: 404,
    NoSuchMessage: 404,
    MatchClosed: 410,
    StaleVersion: 412,
    PreconditionRequired: 428,
    Refused: 422,
    ImportRefused: 422,
    CommandIdReused: 422,
    MatchFull: 422,
    TooManyRequests: 429,
    LogBroken: 500,
    Contended: 503,
    MatchesBusy: 503,
    StoreUnavailable: 503,
    StreamsFull: 503,
    TooManyStreams: 429,
    OutcomeUnknown: 503,
}

CONFLICTS: Final = frozenset(
    {
        "club.full",
        "club.last_host",
        "club.too_many",
        "club.too_many_tables",
        "command.without_effect",
        "league.begun",
        "league.by_invitation",
        "league.full",
        "league.over",
        "league.table_has_result",
        "league.table_not_over",
        "league.table_over",
        "league.table_unknown",
        "league.too_few",
        "league.too_many",
        "import.differs_here",
        "invitation.expired",
        "invitation.revoked",
        "invitation.too_many",
        "invitation.used_up",
        "expiry.announced",
        "expiry.not_announced",
        "expiry.not_yet",
        "match.already_started",
        "match.exists",
        "match.nonces_awaited",
        "match.not_ready",
        "match.not_started",
        "match.over",
        "match.seats_open",
        "nonce.already_announced",
        "nonce.too_early",
        "nonce.too_late",
        "nudge.already",
        "nudge.bot",
        "nudge.nobody",
        "nudge.not_awaited",
        "nudge.too_early",
        "nudge.unwanted",
        "nudge.yourself",
        "player.already_seated",
        "passkey.kept",
        "passkey.too_many",
        "ready.not_ahead",
        "rematch.not_over",
        "seat.asked_too_often",
        "seat.kept",
        "seat.nobody_to_ask",
        "seat.not_asked",
        "seat.not_kept",
        "request.already_answered",
        "request.already_made",
        "request.not_asked",
        "request.not_yours",
        "seat.already_ready",
        "seat.bot_plays",
        "seat.bot_plays_already",
        "seat.empty",
        "seat.no_bot_plays",
        "seat.none_free",
        "seats.closed",
        "seat.resigned",
        "seat.taken",
    }
)
"""Refusals because of the table's state, not because of the rules: 409 instead of 422."""

_HTTP_CODES: Final = {
    400: "request.malformed",
    404: "path.unknown",
    405: "method.not_allowed",
    406: "accept.unsupported",
    413: "body.too_large",
    415: "body.not_json",
}


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal.

    Attributes:
        type: The stable name of the kind of problem: ``urn:tablee:problem:`` and the code.
        title: The kind of problem in a few words; the same for all problems of one status.
        status: The HTTP status.
        detail: What is wrong here and what to do, for people; in the language that ``Accept-Language`` asks for, if
            available.
        code: The stable, machine-readable cause.
        help: What a program should do next.
        rule: The rule that was broken, by its number or its name.
        arguments: The values in the sentence: seats, cards, counts, what is known or allowed.
        legal: What your seat may do now, when the rules refused a move.
        version: The match's present version.
        events_since: The types of the events after the version that you named, oldest first.
        move_types: The types of moves in the match's game, when the body was not a move.
        idempotency_key: The key that the command got, if you gave none. Send it again with this one.
        trace: The request's correlation id, as in the service log.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    help: str = ""
    rule: str = ""
    arguments: Mapping[str, Any] = {}
    legal: LegalMoves | None = None
    version: int | None = None
    events_since: tuple[str, ...] | None = None
    move_types: tuple[str, ...] = ()
    idempotency_key: str = ""
    trace: str = ""


class Explained(Exception):
    """An error, with more that the asker should know.

    Attributes:
        error: The error.
        game: The match's game; some sentences depend on it.
        more: Further members of the problem document.
    """

    def __init__(self, error: TableeError, game: str = "", **more: Any) -> None:
        super().__init__(str(error))
        self.error = error
        self.game = game
        self.more = more


def status_of(error: TableeError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, Refused | ImportRefused) and error.code in CONFLICTS:
        return 409
    return next((_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES), 500)


def when_to_ask_again(error: TableeError) -> dict[str, str]:
    """Return the ``Retry-After`` header of an error that passes with time."""
    if isinstance(error, TooManyRequests):
        return {"Retry-After": str(max(1, math.ceil(error.wait)))}
    if isinstance(error, StoreFull | StoreReadOnly | StoreWentBack):
        return {"Retry-After": "30"}
    if isinstance(error, MatchesBusy):
        return {"Retry-After": "2"}
    if isinstance(error, TooManyStreams):
        return {"Retry-After": "15"}
    return {}


def explained(request: Http, told: Explained) -> Response[bytes]:
    """Answer an error that a handler has explained."""
    error, more = for_askers(request, told.error), told.more
    note_code(request, error.code)
    status = status_of(error)
    if status == 500 and not isinstance(error, LogBroken):  # noqa: PLR2004 - a status
        return failed(request, error)
    if isinstance(error, Refused):
        more = {"rule": error.rule, "arguments": error.arguments, **more}
    language = wanted_language(request)
    headers = {"Content-Language": language, "Vary": "Accept-Language", **when_to_ask_again(error)}
    return problem(status, error.code, sentence(error, language, told.game), headers, **more)


def refused(request: Http, error: TableeError) -> Response[bytes]:
    """Answer one of our own errors."""
    return explained(request, Explained(error))


def for_askers(request: Http, error: TableeError) -> TableeError:
    """Return the error to show: of a broken log only that it is one; the service log gets the rest.

    What a newer release wrote is no damage: another process may read it.
    """
    if not isinstance(error, BrokenLog):
        return error
    if error.code == NEWER:
        return ReleaseTooOld(str(error))
    match = request.path_params.get("match", "")
    _log.error("log_broken", match=match, version=error.version, code=error.code, remedy="tablee verify")
    return LogBroken()


def rejected(request: Http, error: HTTPException) -> Response[bytes]:
    """Answer what was refused before any handler saw it: unknown paths, methods, content types."""
    status = error.status_code if error.status_code in _HTTP_CODES else 400
    code = _HTTP_CODES[status]
    note_code(request, code)
    detail = error.detail if status in {413, 415} else TITLES[status] + "."
    return problem(status, code, detail, dict(error.headers or {}))


def failed(_: Http, error: Exception) -> Response[bytes]:
    """Answer an unforeseen error: the service log gets all of it, the asker the correlation id."""
    _log.error("request_failed", exc_info=error)
    return problem(500, "internal", "Something went wrong here. The service log tells more under this trace.")


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response[bytes]:
    """Return a problem document."""
    document = Problem(
        type=f"urn:tablee:problem:{code}",
        title=TITLES[status],
        status=status,
        detail=detail,
        code=code,
        help=HELP.get(code, ""),
        trace=current_correlation() or "",
        **more,
    )
    given = dict(headers or {})
    if status == 401:  # noqa: PLR2004 - a status
        given["WWW-Authenticate"] = 'Bearer realm="tablee"'
    elif status == 503:  # noqa: PLR2004 - a status
        given.setdefault("Retry-After", "1")
    return Response(msgspec.json.encode(document), status_code=status, headers=given, media_type=PROBLEM_JSON)

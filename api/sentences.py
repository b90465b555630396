"""The sentences of problem documents."""

from collections.abc import Mapping
from typing import Final

from domain.errors import Malformed, Refused, TableeError

TITLES: Final[Mapping[int, str]] = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "This address knows no such method",
    406: "There is no answer in a form that you accept",
    409: "The table does not allow it now",
    410: "The match is over",
    412: "The match has moved on",
    413: "The body is too large",
    415: "The body is not JSON",
    422: "The rules do not allow it",
    428: "If-Match is missing",
    429: "Too many requests",
    500: "The service failed",
    503: "Not possible at the moment",
}
"""What a status means here, in a few words."""

_SENTENCES: Final[Mapping[str, str]] = {
    "command.id_reused": "You sent this Idempotency-Key before with another command. Take a new key for a new command.",
    "match.closed": "The match has ended and takes no more commands. Its replay can still be read.",
    "match.contended": "Others were quicker every time. Nothing was changed: send the same request again.",
    "match.full": "The log of the match is full; it can only be ended.",
    "match.private": "This match shows itself only to those who sit at it.",
    "match.unknown": "There is no match with this id.",
    "outcome.unknown": (
        "The connection to the log broke before it answered: the command may have been carried out or not. "
        "Send the same request again with the same Idempotency-Key; it has no second effect."
    ),
    "precondition.required": (
        'Say on which version your move is based: If-Match: "12", with the version of the view that you have seen.'
    ),
    "seat.not_held": "You hold no seat at this match any more.",
    "seat.other": "While a match runs, only the one who holds a seat may look with its eyes.",
    "store.unavailable": "The log does not answer. Nothing was changed: send the same request again in a moment.",
    "token.host_needed": "Only the host of the table may do this: send the host token.",
    "token.missing": "Send your token: Authorization: Bearer TOKEN.",
    "token.seat_needed": "Only somebody who sits at the table may do this: send a seat token.",
    "token.unknown": "This token opens nothing at this match.",
    "version.stale": "The match has moved on since the version in If-Match. Look at it again, then decide.",
    "version.unknown": "The match has no such version.",
}


def sentence(error: TableeError, languages: str) -> str:
    """Return what to tell people about an error.

    Args:
        error: What went wrong.
        languages: The request's ``Accept-Language``.
    """
    del languages
    if isinstance(error, Malformed):
        return error.detail
    if isinstance(error, Refused):
        return f"Refused: {error.code}."
    return _SENTENCES.get(error.code, error.code)

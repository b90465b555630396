"""The sentences of problem documents: what is wrong, in the asker's language, and what a program should do next."""

from collections.abc import Mapping
from typing import Final

from domain.errors import Malformed, Refused, TableeError
from services.words.misfits import Misfit
from services.words.refusals import refusal_text

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

HELP: Final[Mapping[str, str]] = {
    "command.id_reused": "Take a new Idempotency-Key for a new command.",
    "game.unknown": "GET /api/v1/games lists the games.",
    "log.broken": "Nothing was changed. Tell the operator: sending it again does not help.",
    "match.closed": "Its replay can still be read: GET /api/v1/matches/{match}/at/{version}.",
    "match.contended": "Nothing was changed. Send the same request again.",
    "matches.busy": "Send the same request again after the seconds in Retry-After. Other answers are not held up.",
    "outcome.unknown": "Send the same request again with the same Idempotency-Key: it has no second effect.",
    "precondition.required": 'Send If-Match: "12", with the version of the view on which the move is based.',
    "release.too_old": "Nothing was changed. Send the same request again: a newer process may answer it.",
    "requests.too_many": "Nothing was changed. Send the same request again after the seconds in Retry-After.",
    "seat.not_held": "Take a seat again: POST /api/v1/matches/{match}/seats.",
    "streams.too_many": "Close a stream that you no longer read, or look at the match every few seconds instead.",
    "streams.full": "Look at the match every few seconds instead, or try again.",
    "store.full": "Nothing was changed. Only the operator can make room; look at /health/ready now and then.",
    "store.read_only": "Nothing was changed. Only the operator can mend it; look at /health/ready now and then.",
    "store.went_back": "Nothing was changed. Only the operator can settle it; look at /health/ready now and then.",
    "store.unavailable": "Nothing was changed. Send the same request again in a moment.",
    "token.missing": "Send Authorization: Bearer TOKEN.",
    "token.unknown": "Tokens belong to one match. Send the one that came with its seat, or with the table.",
    "version.stale": "Get the match again, decide again, and send the move with the new version in If-Match.",
}
"""What a program should do, by code, where the sentence does not say it."""


def sentence(error: TableeError, language: str, game: str) -> str:
    """Return an error's sentence; the game may be empty."""
    if isinstance(error, Misfit):
        return error.say(language)
    if isinstance(error, Malformed):
        # Only clients' writers see these, and they are too many to translate.
        return error.detail
    if isinstance(error, Refused):
        return str(refusal_text(error.code, error.rule, error.arguments, language, game=game))
    return str(refusal_text(error.code, "", {}, language, game=game))

"""Reading headers. One that cannot be read is refused, and the refusal says what would be right."""

import re
import secrets
from functools import lru_cache
from typing import Final

from api.parts import Http
from api.requests.command_ids import is_command_id
from domain.errors import Malformed, TableeError
from services.words.languages import choose_language

_SECRET_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,128}").fullmatch
_VERSION: Final = re.compile(r'"?([0-9]{1,15})"?').fullmatch
BEARER: Final = re.compile(r"[Bb]earer +([A-Za-z0-9_-]{16,128})").fullmatch
_LONGEST_WISHES: Final = 500
_WEIGHT: Final = re.compile(r"q=([01](?:\.[0-9]{0,3})?)").fullmatch
_NEVER: Final = re.compile(r"q=0(\.0*)?").fullmatch

HOW_TO_MAKE_A_KEY: Final = (
    "Send an Idempotency-Key of 16 to 128 characters (letters, digits, - and _) that nobody can guess, for "
    "example 32 random hexadecimal digits (`openssl rand -hex 16`). Keep it: whoever has it can get the "
    "token again."
)


class PreconditionRequired(TableeError):
    """A move must say which version it is based on."""

    code = "precondition.required"


def header(request: Http, name: bytes) -> str | None:
    """Return a header (named in lower case) that a request may have once.

    Raises:
        Malformed: The request has more than one.
    """
    found: bytes | None = None
    for key, value in request.scope["headers"]:
        if key == name:
            if found is not None:
                raise Malformed("header.repeated", f"The header {name.decode()} may be sent once.")
            found = value
    return None if found is None else found.decode("latin-1").strip()


def secret_key(request: Http) -> str:
    """Return the secret ``Idempotency-Key`` of a request that hands out a token.

    Raises:
        Malformed: It is missing, or easy to guess.
    """
    key = header(request, b"idempotency-key")
    if key is None:
        raise Malformed("idempotency_key.missing", HOW_TO_MAKE_A_KEY)
    if not _SECRET_KEY(key):
        raise Malformed("idempotency_key.malformed", HOW_TO_MAKE_A_KEY)
    return key


def command_id(request: Http, *, required: bool) -> str:
    """Return a command's id, its ``Idempotency-Key``; a new one if it is optional and missing.

    Raises:
        Malformed: It is required and missing, or unreadable.
    """
    key = header(request, b"idempotency-key")
    if key is None and not required:
        return f"once-{secrets.token_hex(12)}"
    if key is None or not is_command_id(key):
        code = "idempotency_key.missing" if key is None else "idempotency_key.malformed"
        raise Malformed(
            code,
            "Send an Idempotency-Key of 1 to 64 letters, digits, - _ and . that is new for each move, and "
            "the same when you send the same move again.",
        )
    return key


def if_match(request: Http) -> int:
    """Return the version that a move is based on.

    Raises:
        PreconditionRequired: There is no ``If-Match``.
        Malformed: It does not name a version.
    """
    given = header(request, b"if-match")
    if given is None:
        raise PreconditionRequired
    version = _VERSION(given)
    if version is None or (given[0] == '"') != (given[-1] == '"'):
        raise Malformed(
            "if_match.malformed",
            'If-Match names the one version that you have seen, such as "12". Weak tags, lists and * are not accepted: '
            "a move is made on a table that its player has seen.",
        )
    return int(version[1])


def holds_none_match(request: Http, tag: str) -> bool:
    """Tell whether ``If-None-Match`` names an entity tag, so that the asker has the answer already."""
    given = header(request, b"if-none-match")
    if given is None:
        return False
    return given == "*" or tag in (one.strip().removeprefix("W/") for one in given.split(","))


def accepts_gzip(request: Http) -> bool:
    """Tell whether an answer may be compressed with gzip."""
    for one in request.headers.get("accept-encoding", "").lower().split(","):
        coding, _, quality = one.replace(" ", "").partition(";")
        if coding == "gzip":
            return not _NEVER(quality)
    return False


def wanted_language(request: Http) -> str:
    """Return the language that the asker prefers among ours, by ``Accept-Language``."""
    return _wanted_language(request.headers.get("accept-language", "")[:_LONGEST_WISHES])


@lru_cache(maxsize=256)
def _wanted_language(accepted: str) -> str:
    weighed: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, parameter = part.partition(";")
        weight = _WEIGHT(parameter.strip())
        weighed.append((float(weight[1]) if weight else 1.0, tag))
    # Sorting is stable: among equals the first named stays first.
    return choose_language(tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0)


def bearer(request: Http) -> str | None:
    """Return a request's bearer token; None without ``Authorization``; empty if that holds something else."""
    given = header(request, b"authorization")
    if given is None:
        return None
    token = BEARER(given)
    return "" if token is None else token[1]

"""Reading the query part of addresses."""

import re
from typing import Final
from urllib.parse import parse_qsl

from api.parts import Http
from domain.errors import Malformed

_NUMBER: Final = re.compile(r"[0-9]{1,9}").fullmatch
_MOST_FIELDS: Final = 20


def query(request: Http, name: str) -> str | None:
    """Return a query parameter.

    Raises:
        Malformed: It occurs more than once, or the query cannot be read.
    """
    written: bytes = request.scope["query_string"]
    if not written:
        return None
    try:
        pairs = parse_qsl(
            written.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Malformed("query.malformed", "What follows the ? in the address cannot be read.") from None
    values = [value for key, value in pairs if key == name]
    if len(values) > 1:
        raise Malformed("query.repeated", f"`{name}` may stand in the address once.")
    return values[0] if values else None


def number(request: Http, name: str, default: int, least: int = 0) -> int:
    """Return a query parameter that is a whole number, at least ``least``.

    Raises:
        Malformed: It is not such a number.
    """
    given = query(request, name)
    if given is None:
        return default
    if not _NUMBER(given) or int(given) < least:
        raise Malformed("query.malformed", f"`{name}` is a whole number from {least} on.")
    return int(given)

"""What a request's line in the service log says about its match, to answer "the site ate my move"."""

from collections.abc import Mapping
from typing import Any, Final

from api.document.operations import SECRET_KEY, Operation
from api.parts import Http
from api.requests.command_ids import is_command_id
from services.log.event_store.checks import is_match_id

NOTHING: Final[Mapping[str, str]] = {}

_CODE, _COMMAND = "tablee.refused_code", "tablee.refused_command"
_KEY: Final = b"idempotency-key"


def note_code(request: Http, code: str) -> None:
    """Note why a request is refused."""
    _kept(request)[_CODE] = code


def note_command(request: Http, command: str) -> None:
    """Note the id of a command that came in a form."""
    if is_command_id(command):
        _kept(request)[_COMMAND] = command


def told_of_request(scope: Mapping[str, Any], status: int) -> Mapping[str, str]:
    """Return what to log about a request: its match; if it was refused, also the reason and the command's id.

    It is empty for a request to no match. It never holds the body, the query or who asked.
    """
    match = scope.get("path_params", NOTHING).get("match", "")
    if not isinstance(match, str) or not is_match_id(match):
        return NOTHING
    found = {"match": match}
    if status < 400:  # noqa: PLR2004 - a status
        return found
    command = scope.get(_COMMAND) or _command_in_header(scope)
    if command:
        found["command"] = command
    if _CODE in scope:
        found["code"] = scope[_CODE]
    return found


def _kept(request: Http) -> dict[str, Any]:
    scope: Any = request.scope
    kept: dict[str, Any] = scope
    return kept


def _command_in_header(scope: Mapping[str, Any]) -> str:
    operation = scope["route_handler"].opt.get("operation") if "route_handler" in scope else None
    # Where a token is handed out, the key is a secret: anybody who has it can get the token.
    if not isinstance(operation, Operation) or SECRET_KEY in operation.parameters:
        return ""
    keys = [value.decode("latin-1").strip() for name, value in scope["headers"] if name == _KEY]
    return keys[0] if len(keys) == 1 and is_command_id(keys[0]) else ""

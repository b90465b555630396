"""The refusals in the API's own description."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import msgspec

_CODES: Final = re.compile(r"`([a-z0-9_.]+)`")
_BASE: Final = "/api/v1"

NOWHERE: Final = {400: {"host.malformed"}, 404: {"path.unknown"}, 405: {"method.not_allowed"}}
"""Codes of refusals at addresses and methods outside the document."""


class Described(msgspec.Struct):
    """The document.

    Attributes:
        operations: By name, the codes by status.
        paths: By pattern and method, the name.
    """

    operations: Mapping[str, Mapping[int, set[str]]]
    paths: Mapping[str, Mapping[str, str]]

    def operation(self, method: bytes, path: bytes) -> str | None:
        """Return the operation that a request reaches; empty for none, None if that is uncertain."""
        plain = unquote_to_bytes(path.partition(b"?")[0]).decode("utf-8", "replace")
        if "//" in plain or "/." in plain or plain.endswith("/") or "%" in plain or b"%2f" in path.lower():
            return None
        for pattern, methods in self.paths.items():
            if re.fullmatch(pattern, plain, re.DOTALL):
                name = "GET" if method == b"HEAD" else method.decode("latin-1")
                return methods.get(name, "")
        return ""

    def knows(self, operation: str | None, status: int, code: str) -> bool:
        """Tell whether the document allows an operation to be refused with this code."""
        if operation:
            return code in self.operations[operation].get(status, ())
        if operation == "":
            return code in NOWHERE.get(status, ())
        return any(code in codes.get(status, ()) for codes in (*self.operations.values(), NOWHERE))


def described(document: Mapping[str, Any]) -> Described:
    """Read the document."""
    operations: dict[str, dict[int, set[str]]] = {}
    paths: dict[str, dict[str, str]] = {}
    for path, methods in document["paths"].items():
        pattern = re.escape(_BASE) + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))
        for method, operation in methods.items():
            name = operation["operationId"]
            paths.setdefault(pattern, {})[method.upper()] = name
            operations[name] = {
                int(status): set(_CODES.findall(answer["description"].partition("Codes:")[2]))
                for status, answer in operation["responses"].items()
                if int(status) >= 400
            }
    return Described(operations, paths)

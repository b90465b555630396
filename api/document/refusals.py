"""The refusals of an operation: its own, and those of all operations of its kind."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from api.document.operations import Operation, Parameter
from api.permissions.rules import HOST, IN_CLUB, LOOK, SEAT, Rule
from domain.games.registry import CURRENT
from services.words.games import words_of

Codes = Mapping[int, tuple[str, ...]]
"""By status."""

_OF_BODIES: Final[Codes] = {
    400: ("body.malformed", "body.cut_off", "body.key_repeated"),
    413: ("body.too_large",),
    415: ("body.not_json",),
}

_OF_FILES: Final[Codes] = {400: ("body.cut_off",), 413: ("body.too_large",), 503: ("matches.busy",)}

_OF_QUERIES: Final[Codes] = {400: ("query.malformed", "query.repeated")}

_OF_COMMANDS: Final[Mapping[str, Codes]] = {
    SEAT.name: {409: ("command.without_effect",), 422: ("match.full",)},
    HOST.name: {422: ("match.full",)},
}
"""By rule."""

_OF_MATCHES: Final[Codes] = {400: ("match.id_malformed",), 404: ("match.unknown",), 500: ("log.broken",)}

_OF_HEALTH: Final[Codes] = {405: ("method.not_allowed",), 500: ("internal",)}
"""Of every address, supervisors' included."""

_OF_ALL: Final[Codes] = {**_OF_HEALTH, 429: ("requests.too_many",)}
"""Of every other address."""


def rule_codes() -> tuple[str, ...]:
    """Return the codes of all refusals by the games' rules."""
    spoken = (words_of(key) for key in CURRENT)
    return tuple(sorted({code for words in spoken if words is not None for code in words.refusals}))


def problems_of(path: str, method: str, operation: Operation, rule: Rule) -> Codes:
    """Return the refusals of an operation that has a rule."""
    found: dict[int, tuple[str, ...]] = dict(operation.problems)
    for codes in _of_its_kind(path, method, operation, rule):
        for status, more in codes.items():
            found[status] = tuple(dict.fromkeys((*found.get(status, ()), *more)))
    return found


def _of_parameters(parameters: Iterable[Parameter]) -> Iterator[Codes]:
    for parameter in parameters:
        if parameter.place == "query":
            yield _OF_QUERIES
        elif parameter.name == "Idempotency-Key":
            missing = ("idempotency_key.missing",) if parameter.required else ()
            yield {400: (*missing, "idempotency_key.malformed")}


def _of_rule(rule: Rule) -> Iterator[Codes]:
    if rule.proofs:
        yield {401: ("token.missing", "token.unknown") if rule.needs_proof else ("token.unknown",)}
    if rule.refusal is not None:
        yield {403: (rule.refusal.code,)}
    if rule.name == IN_CLUB.name:
        yield {403: ("token.person_needed",), 404: ("club.unknown",)}
    if rule.cells == LOOK.cells:
        yield {403: ("club.members_only",)}
    if rule.cells is not None and "keyToken" in rule.proofs:
        yield {403: ("key.other_scope",)}
    if rule.cells is not None and "seatToken" in rule.proofs:
        yield {403: ("seat.not_held",)}


def _of_its_kind(path: str, method: str, operation: Operation, rule: Rule) -> Iterator[Codes]:
    yield {400: ("request.malformed", "header.repeated", "host.malformed")}
    if operation.body is not None:
        yield _OF_BODIES
    if operation.file:
        yield _OF_FILES
    yield from _of_parameters(operation.parameters)
    if operation.body == "moves":
        yield {422: rule_codes()}
    yield from _of_rule(rule)
    if "{match}" in path:
        yield _OF_MATCHES
    if "matches" in path:
        yield {503: ("store.unavailable", "release.too_old")}
    if path.endswith("/replay"):
        yield {503: ("matches.busy",)}
    if method != "get":
        yield _OF_COMMANDS.get(rule.name, {})
        yield {503: ("store.full", "store.read_only")}
        if "matches" in path:
            yield {503: ("outcome.unknown", "match.contended", "store.went_back")}
    yield _OF_HEALTH if operation.tag == "health" else _OF_ALL

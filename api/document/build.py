"""Building the OpenAPI document from what each route says about itself."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from importlib.metadata import version
from typing import Final, Literal

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from api.answering.problems import PROBLEM_JSON, Problem
from api.answering.sentences import TITLES
from api.document.example import examples
from api.document.fixed import (
    DESCRIPTION,
    HEADERS,
    HEADERS_OF_ALL,
    HEADERS_OF_PROBLEMS,
    SECURITY,
    TAGS,
)
from api.document.operations import IN_PATHS, Answer, Operation, Parameter
from api.document.refusals import problems_of
from api.document.schemas import Schema, any_move, components, ref_to
from api.permissions.rules import Rule
from api.permissions.table import rule_of

_JSON: Final = "application/json"
_BYTES: Final = "application/octet-stream"
_RULES: Final = 422


def document_of(app: Litestar, base: str) -> Schema:
    """Return the OpenAPI document of an application whose addresses all begin with ``base``."""
    found = sorted(_operations(app, base), key=_in_order)
    paths: Schema = {}
    for path, method, handler, operation in found:
        rule = rule_of(method.upper(), base + path)
        paths.setdefault(path, {})[method] = _operation(path, method, handler, operation, rule)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablée",
            "version": version("tablee"),
            "summary": "Card games by turns: tables, moves, replays, and a log that anybody can check.",
            "description": DESCRIPTION,
        },
        "servers": [{"url": base, "description": "This installation"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components(_structs(operation for *_, operation in found)),
            "headers": HEADERS,
            "examples": {name: {"value": value} for name, value in examples().items()},
            "securitySchemes": SECURITY,
        },
    }


def _in_order(found: tuple[str, str, HTTPRouteHandler, Operation]) -> tuple[int, str, str]:
    path, method, _, operation = found
    return list(TAGS).index(operation.tag), path, method


def _operations(app: Litestar, base: str) -> Iterator[tuple[str, str, HTTPRouteHandler, Operation]]:
    for route in app.routes:
        if not isinstance(route, HTTPRoute) or not route.path.startswith(base):
            continue
        for handler in route.route_handlers:
            operation = handler.opt.get("operation")
            if operation is not None:
                path = route.path_format.removeprefix(base)
                yield from ((path, method.lower(), handler, operation) for method in handler.http_methods)


def _structs(operations: Iterable[Operation]) -> set[type[msgspec.Struct]]:
    found: set[type[msgspec.Struct]] = {Problem}
    for operation in operations:
        if isinstance(operation.body, type):
            found.add(operation.body)
        found.update(answer.body for answer in operation.answers.values() if answer.body is not None)
    return found


def _operation(path: str, method: str, handler: HTTPRouteHandler, operation: Operation, rule: Rule) -> Schema:
    summary = (handler.fn.__doc__ or "").partition("\n")[0].rstrip(".")
    written: Schema = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": summary,
        "description": operation.description,
        "security": _security(rule),
        "parameters": [
            *(_parameter(parameter) for name, parameter in IN_PATHS.items() if f"{{{name}}}" in path),
            *(_parameter(parameter) for parameter in operation.parameters),
        ],
    }
    if operation.body is not None:
        written["requestBody"] = _body(operation, operation.body)
    elif operation.file:
        schema = {"type": "string", "format": "binary", "description": operation.file}
        written["requestBody"] = {"required": True, "content": {_BYTES: {"schema": schema}}}
    answers = {str(status): _answer(answer) for status, answer in operation.answers.items()}
    for status, codes in sorted(problems_of(path, method, operation, rule).items()):
        answers.setdefault(str(status), _problem(status, codes))
    return written | {"responses": answers}


def _security(rule: Rule) -> list[Schema]:
    asked: list[Schema] = [{proof: []} for proof in rule.proofs]
    return [{}, *asked] if asked and not rule.needs_proof else asked


def _parameter(parameter: Parameter) -> Schema:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "description": parameter.description,
        "schema": dict(parameter.schema),
        "example": int(parameter.example) if parameter.schema.get("type") == "integer" else parameter.example,
    }


def _body(operation: Operation, body: type[msgspec.Struct] | Literal["moves"]) -> Schema:
    content: Schema = {"schema": any_move() if body == "moves" else ref_to(body)}
    if operation.examples:
        content["examples"] = {
            f"example{number}": {"summary": summary, "value": value}
            for number, (summary, value) in enumerate(operation.examples.items(), 1)
        }
    required = body == "moves" or any(field.required for field in msgspec.structs.fields(body))
    return {"required": required, "content": {_JSON: content}}


def _answer(answer: Answer) -> Schema:
    written: Schema = {
        "description": answer.description,
        "headers": {
            name: {"$ref": f"#/components/headers/{name}"} for name in (*answer.headers, *HEADERS_OF_ALL)
        },
    }
    if answer.body is not None:
        written["content"] = {_JSON: _content(answer.body)}
        written["content"] |= {media: {"schema": dict(schema)} for media, schema in answer.media.items()}
    elif answer.media:
        written["content"] = {media: {"schema": dict(schema)} for media, schema in answer.media.items()}
    return written


def _content(body: type[msgspec.Struct]) -> Schema:
    name = body.__name__
    shown = {"examples": {name: {"$ref": f"#/components/examples/{name}"}}} if name in examples() else {}
    return {"schema": ref_to(body), **shown}


def _problem(status: int, codes: tuple[str, ...]) -> Schema:
    names = (*HEADERS_OF_PROBLEMS.get(status, ()), *HEADERS_OF_ALL)
    title = TITLES.get(status, HTTPStatus(status).phrase)
    return {
        "description": f"{title}. Codes: {', '.join(f'`{code}`' for code in codes)}.",
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names},
        # The only example is about a move; under other statuses it would mislead.
        "content": {PROBLEM_JSON: _content(Problem) if status == _RULES else {"schema": ref_to(Problem)}},
    }

"""The OpenAPI document as one page of plain HTML, without scripts, which loads nothing else."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from api.document.schemas import Schema

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 3rem; border-bottom: 2px solid; }
h3 { margin-top: 2.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #8886; }
th { font-weight: 600; }
.method { font-weight: 700; }
.wide { overflow-x: auto; }
"""

POLICY: Final = (
    "default-src 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page's content security policy: its own style, nothing else."""

_REF: Final = "#/components/schemas/"


def page_of(document: Schema) -> bytes:
    """Return a document as a page."""
    return "".join(_page(document)).encode()


def _page(document: Schema) -> Iterator[str]:
    info, base = document["info"], document["servers"][0]["url"]
    title = f"{info['title']} {info['version']}: HTTP API"
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{_STYLE}</style></head><body><main><h1>{_text(title)}</h1><p>{_text(info['summary'])}</p>"
    yield f"{_prose(info['description'])}<p>All addresses begin with <code>{_text(base)}</code>. "
    yield f'The same for programs: <a href="{_text(base)}/openapi.json">openapi.json</a>.</p>'
    yield "<nav aria-label=Contents><ul>"
    for tag in document["tags"]:
        yield f'<li><a href="#{_text(tag["name"])}">{_text(tag["description"])}</a></li>'
    yield '<li><a href="#schemas">What goes over the wire.</a></li></ul></nav>'
    for tag in document["tags"]:
        yield f'<h2 id="{_text(tag["name"])}">{_text(tag["description"])}</h2>'
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] == [tag["name"]]:
                    yield from _operation(path, method, operation)
    yield '<h2 id="schemas">What goes over the wire</h2>'
    for name, schema in document["components"]["schemas"].items():
        yield from _component(name, schema)
    yield "</main></body></html>"


def _operation(path: str, method: str, operation: Schema) -> Iterator[str]:
    yield f'<h3 id="{_text(operation["operationId"])}"><span class="method">{method.upper()}</span> '
    yield f"<code>{_text(path)}</code></h3><p>{_text(operation['summary'])}. {_inline(operation['description'])}</p>"
    tokens = [name for entry in operation["security"] for name in entry]
    if tokens:
        optional = " (or none)" if {} in operation["security"] else ""
        yield f"<p>Token: {' or '.join(_text(name) for name in tokens)}{optional}.</p>"
    if operation["parameters"]:
        yield from _table(
            "Parameters", ("Name", "Where", "Kind", "What"), map(_parameter, operation["parameters"])
        )
    if "requestBody" in operation:
        contents = operation["requestBody"]["content"]
        kinds = "; ".join(
            f"{_kind(content['schema'])} as {_text(media)}" for media, content in contents.items()
        )
        yield f"<p>Body: {kinds}.</p>"
        for example in contents.get("application/json", {}).get("examples", {}).values():
            yield f"<p>For example, {_text(example['summary'])}:</p><pre>{_json(example['value'])}</pre>"
    yield from _table("Answers", ("Status", "Body", "What"), map(_answer, operation["responses"].items()))


def _parameter(parameter: Schema) -> tuple[str, ...]:
    needed = "" if parameter["required"] else " (optional)"
    return (
        f"<code>{_text(parameter['name'])}</code>",
        f"{_text(parameter['in'])}{needed}",
        _kind(parameter["schema"]),
        f"{_inline(parameter['description'])} For example <code>{_text(str(parameter['example']))}</code>.",
    )


def _answer(answer: tuple[str, Schema]) -> tuple[str, ...]:
    status, said = answer
    bodies = [
        f"{_kind(content['schema'])} as {_text(media)}" for media, content in said.get("content", {}).items()
    ]
    return status, "; ".join(bodies), _inline(said["description"])


def _component(name: str, schema: Schema) -> Iterator[str]:
    yield f'<h3 id="schema-{_text(name)}">{_text(name)}</h3>{_prose(schema.get("description", ""))}'
    if "properties" not in schema:
        yield f"<p>{_kind(schema)}</p>"
        return
    required = schema.get("required", ())
    rows = (
        (
            f"<code>{_text(name)}</code>" + ("" if name in required else " (optional)"),
            _kind(inner),
            _inline(inner.get("description", "")),
        )
        for name, inner in schema["properties"].items()
    )
    yield from _table(f"Parts of {name}", ("Name", "Kind", "What"), rows)


def _table(label: str, heads: tuple[str, ...], rows: Any) -> Iterator[str]:
    yield f'<div class="wide" role="region" aria-label="{_text(label)}" tabindex="0"><table><thead><tr>'
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div>"


def _kind(schema: Schema) -> str:
    """Describe a schema in a few words, with links."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        return f'<a href="#schema-{_text(name)}">{_text(name)}</a>'
    if "oneOf" in schema or "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema.get("oneOf") or schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{_json(value)}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        elements = schema.get("prefixItems") or [schema.get("items") or {}]
        return f"list of {', '.join(_kind(one) for one in elements)}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object with values of {_kind(schema['additionalProperties'])}"
    limits = [f"{word} {schema[name]}" for name, word in _LIMITS.items() if name in schema]
    return _text(", ".join([str(schema.get("type", "anything")), *limits]))


_LIMITS: Final = {
    "pattern": "matching",
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMaximum": "below",
    "maxLength": "characters at most",
}


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def _inline(text: str) -> str:
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)


def _json(value: object) -> str:
    return _text(json.dumps(value, ensure_ascii=False))


def _text(text: str) -> str:
    return escape(text, quote=True)

"""JSON Schemas of everything on the wire, made from the structs."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from api.requests.bodies import END
from domain.entries import Envelope
from domain.games.contract import AnyGame
from domain.games.registry import CURRENT, move_types
from domain.match.decide_table import UNDO_POLICIES, VISIBILITIES
from domain.match.levels import KNOWN

Schema = dict[str, Any]

_REF: Final = "#/components/schemas/"
_ATTRIBUTES: Final = re.compile(r"\n\s*Attributes:\n(?P<list>(?:[ \t]+.*\n?|\n)*)")
_ATTRIBUTE: Final = re.compile(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", re.MULTILINE)

MOVE_TITLES: Final = {key: f"{key.capitalize()}Move" for key in sorted(CURRENT)}
"""The name of each game's schema of moves."""


def components(structs: Iterable[type[msgspec.Struct]]) -> Schema:
    """Return by name the schemas of structs, of everything in them, and of all games."""
    # The structs of the games' contract are empty; each game has its own instead.
    found = _schemas({*structs, Envelope})
    views, legal, options = [], [], []
    for key, game in sorted(CURRENT.items()):
        found |= game_schemas(game)
        views.append(_ref(_named(key, game.view_type.__name__)))
        legal.append(_ref(_named(key, game.legal_type.__name__)))
        options.append(_ref(_named(key, game.options_type.__name__)))
    found["GameView"] = {"title": "GameView", "description": "The view of the match's game.", "anyOf": views}
    found["LegalMoves"] = {
        "title": "LegalMoves",
        "description": "What a seat of the match's game may do.",
        "anyOf": legal,
    }
    _say_more(found, options)
    return dict(sorted(found.items()))


def _say_more(found: Schema, options: list[Schema]) -> None:
    """Add to the schemas what the structs allow and the domain refuses."""
    create = found["CreateMatchBody"]["properties"]
    create["game"] |= {"enum": sorted(CURRENT)}
    create["options"] = {"anyOf": options, "default": {}, "description": create["options"]["description"]}
    create["undo"] |= {"enum": ["", *UNDO_POLICIES]}
    create["visibility"] |= {"enum": list(VISIBILITIES)}
    for body, name in (("SeatBody", "bot"), ("HandToBotBody", "level")):
        found[body]["properties"][name] |= {"enum": ["", *KNOWN]}
    event = found["EventLine"]["properties"]["e"]
    event |= {"contentMediaType": "application/json", "contentSchema": _ref("Envelope")}


def game_schemas(game: AnyGame) -> Schema:
    """Return the schemas of a game's moves, views, legal moves and options, by names unique to it."""
    kinds = [*game.move_types, game.view_type, game.legal_type, game.options_type]
    found = _schemas(kinds)
    names = {name: _named(game.key, name) for name in found}
    renamed = {names[name]: _with_refs(schema, names) for name, schema in found.items()}
    moves = {tag: _named(game.key, kind.__name__) for tag, kind in move_types(game).items()}
    title = MOVE_TITLES[game.key]
    renamed[title] = {
        "title": title,
        "description": f"A move of {game.key}.",
        "oneOf": [_ref(name) for name in moves.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {tag: _REF + name for tag, name in moves.items()},
        },
    }
    return renamed


def any_move() -> Schema:
    """Return the schema of all games' moves. Games share move types; the match's game decides which one is meant."""
    return {"anyOf": [_ref(title) for title in MOVE_TITLES.values()]}


def ref_to(kind: type[msgspec.Struct]) -> Schema:
    """Return the reference to a struct's schema."""
    return _ref(kind.__name__)


def _ref(name: str) -> Schema:
    return {"$ref": _REF + name}


def _named(key: str, name: str) -> str:
    title = key.capitalize()
    return name if name.startswith(title) else title + name


def _schemas(kinds: Iterable[type[msgspec.Struct]]) -> Schema:
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    _, found = msgspec.json.schema_components(ordered, ref_template=_REF + "{name}")
    return {name: _tidied(schema) for name, schema in found.items()}


def _with_refs(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {
            key: _REF + names[inner.removeprefix(_REF)] if key == "$ref" else _with_refs(inner, names)
            for key, inner in value.items()
        }
    return [_with_refs(inner, names) for inner in value] if isinstance(value, list) else value


def _tidied(schema: Schema) -> Schema:
    """Move a docstring's attributes to the properties, in terms that are not Python's."""
    description = schema.get("description", "") + "\n"
    listed = _ATTRIBUTES.search(description)
    said: dict[str, str] = {}
    if listed is not None:
        said = {name: _prose(text) for name, text in _ATTRIBUTE.findall(listed["list"])}
        description = description[: listed.start()] + "\n\n" + description[listed.end() :]
    properties: Schema = {}
    for name, inner in schema.get("properties", {}).items():
        properties[name] = _plain(inner)
        if name in said:
            properties[name]["description"] = said[name]
    tidied: Schema = _plain(schema) | {"description": _prose(description)}
    return tidied | {"properties": properties} if properties else tidied


def _plain(value: Any) -> Any:
    """Copy a schema, without what only our own matcher needs in patterns."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value.replace(END, "$") if isinstance(value, str) else value


def _prose(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]
    told = "\n\n".join(part for part in paragraphs if part).replace("``", "`")
    return re.sub(r"\bNone\b", "null", told)

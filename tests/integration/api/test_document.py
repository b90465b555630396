"""The API's description: complete, true, and about nothing that is not there."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from litestar.routes import HTTPRoute

from api.answering.problems import CONFLICTS, Problem
from domain.games.registry import CURRENT
from services.words.games import words_of
from services.words.table_refusals import TABLE_REFUSALS
from tests.integration.api.tables import Api, Table

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture
async def document(api: Api) -> dict[str, Any]:
    answer = await api.get("/openapi.json")
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def all_values(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from all_values(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from all_values(inner)


async def test_every_address_stands_in_the_document_and_no_other(api: Api, document):
    described = {(path, method) for path, method, _ in operations(document)}
    served = {
        (route.path_format.removeprefix("/api/v1"), method.lower())
        for route in api.app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith("/api/v1/")
        for method in route.methods
        if method.lower() in METHODS
    }
    assert described == served


async def test_every_reference_leads_somewhere(document):
    names = {value for key, value in all_values(document) if key == "$ref"}
    names |= {value for key, found in all_values(document) if key == "mapping" for value in found.values()}
    assert names
    for name in names:
        found = document
        for part in name.removeprefix("#/").split("/"):
            found = found[part]


async def test_every_operation_is_described_for_who_writes_a_client(document):
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert operation["description"], where
        assert set(operation["tags"]) <= tags, where
        assert {"400", "405", "500"} <= operation["responses"].keys() or "health" in path, where
        named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path)), where
        for parameter in operation["parameters"]:
            assert parameter["description"], where
            assert "example" in parameter, where
        for status, answer in operation["responses"].items():
            assert answer["description"], where
            if int(status) >= 400 and "ready" not in path:
                assert list(answer["content"]) == ["application/problem+json"], where
            if status == "401":
                assert "WWW-Authenticate" in answer["headers"], where
            if status == "503" and "ready" not in path:
                assert "Retry-After" in answer["headers"], where


async def test_every_schema_and_every_part_of_it_is_described(document):
    for name, schema in document["components"]["schemas"].items():
        assert "." not in name
        assert schema["description"], name
        assert "Attributes:" not in schema["description"], name
        for part, inner in schema.get("properties", {}).items():
            known = inner.get("description") or "$ref" in inner or part == "type" or "enum" in inner
            assert known or schema["description"], f"{name}.{part}"


async def test_tokens_are_asked_for_where_they_are_needed(document):
    needed = {operation["operationId"]: operation["security"] for _, _, operation in operations(document)}
    person: dict[str, list[str]] = {"personToken": []}
    key: dict[str, list[str]] = {"keyToken": []}
    assert needed["makeMove"] == [{"seatToken": []}, person, key]
    assert needed["startMatch"] == [{"hostToken": []}, person]
    assert needed["viewMatch"] == [{}, {"seatToken": []}, {"hostToken": []}, person, key]
    assert needed["createMatch"] == [{}, person]
    assert needed["showPerson"] == [person]


async def test_moves_are_told_apart_by_their_type(document):
    schemas = document["components"]["schemas"]
    body = document["paths"]["/matches/{match}/moves"]["post"]["requestBody"]
    assert body["required"] is True
    named = [one["$ref"].rpartition("/")[2] for one in body["content"]["application/json"]["schema"]["anyOf"]]
    assert named == [f"{key.capitalize()}Move" for key in sorted(CURRENT)]
    for key, game in CURRENT.items():
        move = schemas[f"{key.capitalize()}Move"]
        assert move["discriminator"]["propertyName"] == "type"
        tags = {str(kind.__struct_config__.tag) for kind in game.move_types}
        assert move["discriminator"]["mapping"].keys() == tags
        for tag, name in move["discriminator"]["mapping"].items():
            schema = schemas[name.rpartition("/")[2]]
            assert schema["properties"]["type"] == {"enum": [tag]}
            assert schema["additionalProperties"] is False


async def test_the_examples_of_bodies_are_good_ones(api: Api, document):
    create = document["paths"]["/matches"]["post"]["requestBody"]["content"]["application/json"]
    for number, example in enumerate(create["examples"].values()):
        answer = await api.post("/matches", key=f"example-number-{number:05}", json=example["value"])
        assert answer.status_code == 201 or "fork" in example["value"], answer.text


async def test_the_examples_of_answers_are_what_the_schemas_say(document):
    shown = document["components"]["examples"]
    assert shown.keys() >= {"MatchCreated", "SeatTaken", "CommandDone", "MatchView", "EventList", "Problem"}
    assert msgspec.convert(shown["Problem"]["value"], Problem).code == "not_your_turn"
    for name, example in shown.items():
        schema = document["components"]["schemas"][name]
        assert set(schema["required"]) <= example["value"].keys() <= schema["properties"].keys()


async def test_a_games_description_is_enough_to_play_it(api: Api):
    games = (await api.get("/games")).json()["games"]
    assert [game["key"] for game in games] == sorted(CURRENT)
    lama = (await api.get("/games/lama")).json()
    assert lama in games
    assert lama["rules"] == CURRENT["lama"].rules_number
    assert lama["seats"] == {"fewest": 2, "most": 6}
    assert len(lama["cards"]) == 56
    options = {option["name"]: option for option in lama["options"]}
    assert options["limit"] == {"name": "limit", "default": 40, "allowed": [40, "single"]}
    assert options["first"]["allowed"] == ["random", 0, 1, 2, 3, 4, 5]
    assert lama["bots"] == {"default": "normal", "allowed": ["easy", "normal", "hard", "expert"]}
    assert lama["moves"]["discriminator"]["mapping"].keys() == {"play", "draw", "quit", "return"}
    assert {"hands", "pile_size"} <= lama["view"]["$defs"]["LamaView"]["properties"].keys()
    for game in games:
        for option in game["options"]:
            for value in option["allowed"]:
                await Table.make(
                    api, game["key"], people=game["seats"]["most"], options={option["name"]: value}
                )


async def test_every_conflict_has_words():
    assert TABLE_REFUSALS.keys() >= CONFLICTS


async def test_the_page_loads_nothing_from_anywhere(api: Api, document):
    answer = await api.get("/docs")
    page = answer.text
    assert answer.headers["Content-Type"].startswith("text/html")
    assert not re.search(r"<(script|img|link|iframe|object|embed)\b|\bsrc=|url\(|@import", page)
    assert not re.search(r"href=\"(?!#|/api/v1/)", page)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert anchors.issuperset(re.findall(r'href="#([^"]+)"', page))
    for _, _, operation in operations(document):
        assert operation["operationId"] in anchors
    assert page.count("<h1>") == 1
    assert '<html lang="en">' in page


async def test_the_document_is_json_with_nothing_of_ours_in_it(api: Api):
    text = (await api.get("/openapi.json")).text
    assert msgspec.json.decode(text)["openapi"] == "3.1.0"
    assert "(?!" not in text
    assert "``" not in text
    assert "domain." not in text


def codes_of(operation: dict[str, Any], status: str) -> set[str]:
    told = operation["responses"].get(status, {"description": ""})["description"]
    return set(re.findall(r"`([a-z0-9_.]+)`", told.partition("Codes:")[2]))


async def test_whoever_reads_a_query_says_that_it_may_be_unreadable(document):
    for path, _, operation in operations(document):
        if any(parameter["in"] == "query" for parameter in operation["parameters"]):
            assert {"query.malformed", "query.repeated"} <= codes_of(operation, "400"), path


async def test_all_that_rules_refuse_has_its_code_in_the_document(document):
    told = codes_of(document["paths"]["/matches/{match}/moves"]["post"], "422")
    for key in CURRENT:
        words = words_of(key)
        assert words is not None
        assert told >= set(words.refusals)


async def test_who_has_had_enough_says_so_everywhere_but_to_supervisors(document):
    for path, _, operation in operations(document):
        limited = "requests.too_many" in codes_of(operation, "429")
        assert limited is not path.startswith("/health"), path

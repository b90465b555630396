"""Forms, the operator's gate, secret links, lists and browsers' streams: the doors beside those of the tables."""

import re
import secrets
from typing import Any

import pytest

from api.permissions.rules import ADDRESS, EVERYBODY, FORK, LINK, LOOK, OPERATOR, OWN
from api.permissions.table import API
from services.people.program_keys import SCOPES
from tests.integration.api.permissions.asking import (
    FORMS,
    Browser,
    addressed,
    browsers,
    code_on,
    rows,
    words_of,
)
from tests.integration.api.permissions.expected import STATUS, refusal
from tests.integration.api.permissions.house import Asker, House

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_no_form_from_elsewhere_does_anything(house: House):
    before, asked = house.dump(), 0
    place = house.place("public", "playing")
    anna, olga = (house.asker(place, name) for name in ("a person who sits", "a person without a part"))
    theirs = house.people.form_tokens.of(olga.token or "")
    for method, address, rule in rows():
        if method != "POST" or address.startswith(API) or not rule.only_our_forms:
            continue
        browser = Browser(house, anna)
        if rule == OPERATOR:
            browser.reader.client.cookies.set("tablee-operator", house.operator)
        here = browser.form_token
        for token, origin in (("", ""), ("0" * 64, ""), (theirs, ""), (here, "https://elsewhere.test")):
            headers = {"Origin": origin} if origin else {}
            fields = FORMS | {"form": token}
            there = addressed(address, place.match)
            answer = await browser.reader.client.post(there, data=fields, headers=headers)
            assert answer.status_code == 403, (address, token, origin)
            assert words_of("form.foreign") in answer.text, address
            asked += 1
    assert house.dump() ^ before == set()
    assert asked > 40


async def test_behind_the_gate_is_nobody_but_an_operator(house: House):
    before = house.dump()
    places = [house.place("private", "playing"), house.place("public", "archived"), house.places[-1]]
    locked = ""
    for method, address, _ in rows(OPERATOR):
        for place in places if "{match}" in address else places[:1]:
            there = addressed(address, place.match)
            for asker in browsers(house, place):
                answer = await Browser(house, asker).ask(method, there, **FORMS)
                assert answer.status_code == 401, (method, there, asker.name)
                page = re.sub(r'value="[0-9a-f]{64}"', "", answer.text)
                assert page == (locked := locked or page), (method, there, asker.name)
            answer = await _operator_asks(house, method, there)
            assert answer.status_code in {200, 303, 400, 404}, (method, there)
            assert "Olga" not in answer.text
    assert house.dump() ^ before == set()


async def _operator_asks(house: House, method: str, there: str) -> Any:
    operator = Browser(house, Asker("an operator", secrets.token_urlsafe(32), "nothing"))
    operator.reader.client.cookies.set("tablee-operator", house.operator)
    if there.endswith("/stream"):
        return await operator.reader.client.head(there)
    return await operator.ask(method, there)


async def test_an_operators_session_opens_no_table(house: House):
    place = house.place("private", "playing")
    for address in ("", "/fragment", "/history", "/replay", "/changes"):
        answer = await _operator_asks(house, "GET", f"/m/{place.match}{address}")
        assert (answer.status_code, code_on(answer.text, {"match.private"})) == (403, "match.private")


async def test_a_secret_that_is_none_opens_nothing(house: House):
    before, place = house.dump(), house.place("private", "playing")
    browser = Browser(house, house.asker(place, "a person without a part"))
    for method, address, _ in rows(LINK, ADDRESS):
        fields = {"match": place.match, "token": secrets.token_urlsafe(32)} if method == "POST" else {}
        answer = await browser.ask(method, addressed(address, place.match), **fields)
        assert answer.status_code in {401, 403, 404, 410, 422}, address
        house.told(house.asker(place, "nobody"), place.match, answer.text)
    assert house.dump() ^ before == set()


async def test_lists_hold_what_is_public_and_ones_own(house: House):
    await house.api.list_anew()
    known = [place for place in house.places if place.is_known and place.state != "gone"]
    for asker in house.askers(known[0]):
        answer = await house.api.get("/matches?limit=200", token=asker.token)
        if told := refusal(OWN, asker, known[0]):
            assert told == "token.unknown" or asker.proves in SCOPES
            assert answer.json()["code"] == told
            continue
        seen = {row["match"] for row in answer.json()["matches"]}
        for place in known:
            mine = asker.roles if asker.proves == "person" else ()
            assert (place.match in seen) is (place.shown == "public" or bool(mine)), (asker, place)


async def test_a_browsers_stream_watches_only_what_it_may_see(house: House):
    for place in house.places:
        for asker in browsers(house, place):
            answer = await house.reader(asker).client.head(f"/me/stream?seen={place.match}.1")
            expected = refusal(LOOK, asker, place, page=True)
            assert answer.status_code == (STATUS.get(expected, 403) if expected else 200), (asker, place)


async def test_what_is_for_everybody_is_for_everybody(house: House):
    place = house.place("public", "playing")
    for method, address, _ in rows(EVERYBODY):
        if method != "GET":
            continue
        there = addressed(address, place.match)
        for asker in house.askers(place):
            headers = {"Authorization": f"Bearer {asker.token}"} if asker.token else {}
            answer = await house.api.client.get(there, headers=headers)
            assert answer.status_code not in {401, 403}, (there, asker.name)


async def test_the_head_of_a_page_is_its_answer_without_the_page(house: House):
    for shown in ("public", "private"):
        place = house.place(shown, "playing")
        for method, address, _ in rows(LOOK, FORK):
            if method == "POST" or address.startswith(API):
                continue
            for asker in browsers(house, place):
                reader, there = house.reader(asker), addressed(address, place.match)
                answer, head = await reader.client.get(there), await reader.client.head(there)
                assert (head.status_code, head.content) == (answer.status_code, b""), (there, asker.name)

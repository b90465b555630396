"""Every route, asked by everybody, about a match in every state: let in is whom the table admits, and nobody else.

Whoever is refused sends what would be carried out for another; whoever is admitted sends what nobody can carry out, so
that the house stays as it is. All that is stored is compared before and after.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from api.document.operations import Operation
from api.permissions.refusals import OtherSeat, SeatTokenNeeded
from api.permissions.rules import ADDRESS, COMMAND, FORK, LINK, LOOK, NEWCOMER, OPERATOR, READER, Rule
from api.permissions.table import API, RULES, rule_of
from api.requests.table_commands import TABLE_COMMANDS
from domain.match.state import OVER
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
from tests.integration.api.permissions.house import Asker, House, Place
from tests.integration.api.tables import fresh_key

pytestmark = pytest.mark.asyncio(loop_scope="module")


def pages() -> Iterator[tuple[str, str, Rule]]:
    for method, address, rule in rows(but=(OPERATOR, READER, LINK, ADDRESS)):
        if not address.startswith((API, "/health", "/static")):
            yield method, address, rule


AT_ONCE: Final = {"/matches/{match}/rematch", "/m/{match}/rematch"}
"""Forms in which nothing can be wrong, of those who sit there: the table is looked at before the seat."""

NEEDS_A_ROLE: Final = ("club.role_needed", words_of("club.role_needed"))


class Walk:
    """Asks and compares."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.asked = 0
        self.wrong: list[str] = []

    def check(self, what: str, asker: Asker, place: Place, expected: str, answer: Any, code: str) -> None:
        self.asked += 1
        self.house.told(asker, place.match, answer.text)
        status = answer.status_code
        # In a club it depends on the role, too: see services/people/clubs/roles.py.
        good = (status not in {401, 403} and status < 500) or any(
            said in answer.text for said in NEEDS_A_ROLE
        )
        if expected:
            good = (status, code) == (STATUS.get(expected, 403), expected)
        if not good:
            where = f"{place.shown} {place.state}"
            self.wrong.append(
                f"{what} by {asker.name}, {where}: {expected or 'admitted'}, but {status} {code}"
            )

    def done(self, least: int) -> None:
        assert not self.wrong, "\n".join(self.wrong[:40])
        assert self.asked > least, self.asked


async def test_the_api_lets_in_whom_the_table_admits(house: House):
    walk, api, before = Walk(house), house.api, house.dump()
    operations = dict(operations_of(api.app))
    for method, address, rule in rows(but=(READER,)):
        if not address.startswith(API):
            continue
        path = address.removeprefix(API)
        for place in house.places if "{match}" in path else house.places[:1]:
            for asker in house.askers(place):
                expected = refusal(rule, asker, place)
                if expected == "match.closed" and path in AT_ONCE and place.is_at_hand:
                    expected = "seat.not_held"  # what comes after a match takes no command of its own
                operation = operations[f"{method} {address}"]
                if not expected and method != "GET" and (operation.body is None or path in AT_ONCE):
                    continue  # it would be carried out
                asked: dict[str, Any] = {"token": asker.token, "key": fresh_key()}
                if method != "GET":
                    asked["json"] = body_of(operation) if expected else []
                    asked["if_match"] = place.version
                there = addressed(path, place.match)
                # A stream that is open is read in its own tests.
                open_stream = path.endswith("/stream") and not expected
                answer = await api.ask("HEAD" if open_stream else method, there, **asked)
                code = answer.json().get("code", "") if expected else ""
                walk.check(f"{method} {path}", asker, place, expected, answer, code)
                if method == "GET" and place.state == "playing":
                    head = await api.ask("HEAD", there, **asked)
                    assert (head.status_code, head.content) == (answer.status_code, b""), path
    assert house.dump() ^ before == set()
    walk.done(2000)


def operations_of(app: Litestar) -> Iterator[tuple[str, Operation]]:
    """Yield what each route of the API says of itself."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if (operation := handler.opt.get("operation")) is not None:
                    yield from (
                        (f"{method} {route.path_format}", operation) for method in handler.http_methods
                    )


def body_of(operation: Operation) -> Any:
    """Return a body that would be carried out for somebody else."""
    return {"type": "draw"} if operation.body == "moves" else next(iter(operation.examples.values()), {})


async def test_only_its_holder_looks_through_a_seat_before_the_end(house: House):
    for place in (place for place in house.places if place.is_known and place.state != "gone"):
        for asker in house.askers(place):
            if refusal(LOOK, asker, place):
                continue
            for address in ("/at/3", "/replay", "/difference"):
                for seat in (0, 1):
                    path = f"/matches/{place.match}{address}?as=seat{seat}"
                    answer = await house.api.get(path, token=asker.token)
                    if place.phase in OVER or asker.seat == seat:
                        assert answer.status_code == 200, (path, asker.name)
                    else:
                        assert answer.json()["code"] == OtherSeat.code, (path, asker.name)
                    house.told(asker, place.match, answer.text)


async def test_forks_are_begun_by_whom_the_table_admits(house: House):
    walk, before = Walk(house), house.dump()
    for place in house.places:
        for asker in house.askers(place):
            expected = refusal(NEWCOMER, asker, place) or refusal(FORK, asker, place)
            body = {"game": "lama", "seats": [{}, {"bot": "steady"}]}
            # Whoever is admitted asks for a position that there is not.
            fork = {"match": place.match, "version": place.version if expected else 999_999}
            answer = await house.api.post(
                "/matches",
                token=asker.token,
                key=fresh_key(),
                json={**body, "fork": {**fork, "same_cards": False, "seat": 0}},
            )
            code = answer.json()["code"]
            if expected:
                walk.check("fork", asker, place, expected, answer, code)
            else:
                assert code == "version.unknown", answer.text
    assert house.dump() ^ before == set()
    walk.done(60)


async def test_pages_let_in_whom_the_table_admits(house: House):
    await everybody_looks_at_their_own(house)
    walk, before = Walk(house), house.dump()
    for method, address, row in pages():
        for action, rule in buttons().items() if row == COMMAND else {"": row}.items():
            path = address.replace("{action}", action or "ready")
            for place in places_of(house, address, action):
                for asker in browsers(house, place):
                    expected = refusal(rule, asker, place, page=True)
                    if method == "POST" and not expected and (rule.cells is None or path in AT_ONCE):
                        continue  # it would be carried out
                    if expected and path in AT_ONCE:
                        expected = refusal(LOOK, asker, place, page=True) or SeatTokenNeeded.code
                    if method == "POST" and asker.token is None:
                        expected = "form.foreign"  # no page was ever served to a browser without a session
                    fields = fields_of(action) if expected else {}
                    answer = await asked(Browser(house, asker), method, addressed(path, place.match), fields)
                    code = code_on(answer.text, CODES) if expected else ""
                    walk.check(f"{method} {path}", asker, place, expected, answer, code)
                    if expected in {"match.private", "club.members_only"}:
                        assert "Zyx" not in answer.text, path
    assert house.dump() ^ before == set()
    walk.done(1500)


CODES: Final = {
    *(rule.refusal.code for rule in RULES.values() if rule.refusal),
    *STATUS,
    "seat.not_held",
    "form.foreign",
    "club.members_only",
}
"""With which pages refuse."""


def buttons() -> dict[str, Rule]:
    """Return the rule of each button of a table: that of the command of the same name."""
    commands = TABLE_COMMANDS.items()
    return {name: rule_of("POST", f"{API}/matches/{{match}}/{command.path}") for name, command in commands}


def places_of(house: House, address: str, action: str) -> list[Place]:
    if "{match}" not in address:
        return house.places[:1]
    if action in {"", "ready", "start"}:
        return house.places
    # Of the other buttons, the API's walk has seen every table; here the private ones must do.
    return [place for place in house.places if place.shown == "private"]


async def everybody_looks_at_their_own(house: House) -> None:
    """Open all pages about oneself: some make a secret address at the first look."""
    for asker in browsers(house, house.places[0]):
        for method, address, _ in pages():
            if method == "GET" and "{" not in address and not address.endswith("/stream"):
                await house.reader(asker).get(address)


def fields_of(action: str) -> dict[str, str]:
    """Return the fields with which a button's form would be carried out for somebody else."""
    example: Mapping[str, Any] = next(iter(TABLE_COMMANDS[action].examples.values()), {}) if action else {}
    return FORMS | {name: str(value) for name, value in example.items() if name not in FORMS}


async def asked(browser: Browser, method: str, there: str, fields: dict[str, str]) -> Any:
    """Ask; who is to be refused fills in the form."""
    if method == "POST":
        return await browser.ask("POST", there, **fields)
    if there.endswith("/stream"):
        return await browser.reader.client.head(there)  # one that is open is read in its own tests
    return await browser.ask("GET", there)

"""Clubs over HTTP: joining, roles, tables, and what those outside see of them."""

import asyncio
import json
from typing import Any

import pytest

from api.permissions.rules import IN_CLUB
from api.permissions.table import API, RULES
from domain.instants import after
from services.bootstrap import present_instant
from services.people.clubs.roles import STANDINGS, Action, may
from tests.integration.api.streaming import reading
from tests.integration.api.tables import Api, fresh_key
from tests.integration.api.test_me import person


class Clubhouse:
    """A club with somebody in each role, and somebody outside."""

    def __init__(self, api: Api, club: str, people: dict[str, str]) -> None:
        self.api = api
        self.id = club
        self.path = f"/clubs/{club}"
        self.people = people

    @classmethod
    async def make(cls, api: Api, **body: Any) -> "Clubhouse":
        hanna = await person(api, "Hanna")
        made = await api.post("/clubs", token=hanna, json={"name": "Thursday", **body})
        assert made.status_code == 201, made.text
        house = cls(api, made.json()["id"], {"host": hanna, "stranger": await person(api, "Sam")})
        for role, name in (("member", "Max"), ("guest", "Gino")):
            house.people[role] = await house.join(await house.invite(role=role), name)
        return house

    async def invite(self, **body: Any) -> str:
        made = await self.api.post(f"{self.path}/invitations", token=self.people["host"], json=body)
        assert made.status_code == 201, made.text
        code: str = made.json()["code"]
        return code

    async def join(self, code: str, name: str) -> str:
        token = await person(self.api, name)
        joined = await self.api.post(f"/invitations/{code}", token=token, json={})
        assert joined.status_code == 200, joined.text
        return token

    async def seen(self, who: str = "host") -> dict[str, Any]:
        answer = await self.api.get(self.path, token=self.people[who])
        assert answer.status_code == 200, answer.text
        shown: dict[str, Any] = answer.json()
        return shown

    async def member(self, name: str) -> str:
        found: str = next(one["id"] for one in (await self.seen())["members"] if one["name"] == name)
        return found

    async def table(self, who: str = "member", **body: Any) -> str:
        given = {"game": "lama", "seats": [{}, {"bot": "steady"}], **body}
        made = await self.api.post(f"{self.path}/tables", token=self.people[who], key=fresh_key(), json=given)
        assert made.status_code == 201, made.text
        match: str = made.json()["match"]
        return match

    async def league(self, *signed_up: str, **body: Any) -> dict[str, Any]:
        """Make a league of the host's, for which some people sign up."""
        given = {"name": "Winter", "game": "lama", "seats": 4, "rounds": 1, **body}
        made = await self.api.post(f"{self.path}/leagues", token=self.people["host"], json=given)
        assert made.status_code == 201, made.text
        league: dict[str, Any] = made.json()
        for who in signed_up:
            path = f"{self.path}/leagues/{league['id']}/entrants"
            answer = await self.api.post(path, token=self.people[who], json={})
            assert answer.status_code == 200, answer.text
            league = answer.json()
        return league

    async def tables(self, who: str = "host", query: str = "") -> list[dict[str, Any]]:
        answer = await self.api.get(f"{self.path}/tables{query}", token=self.people[who])
        assert answer.status_code == 200, answer.text
        listed: list[dict[str, Any]] = answer.json()["tables"]
        return listed

    async def play(self, match: str, who: str = "member") -> None:
        """Sit down, begin and give up, so that the match is over."""
        token = self.people[who]
        for command in ("seats", "ready", "resign"):
            answer = await self.api.post(f"/matches/{match}/{command}", token=token, key=fresh_key(), json={})
            assert answer.status_code in {200, 201}, answer.text


@pytest.fixture
async def house(api: Api) -> Clubhouse:
    return await Clubhouse.make(api)


async def test_a_club_shows_its_members_by_name_and_leads_to_nobody(house: Clubhouse):
    shown = await house.seen("guest")
    assert [(one["name"], one["role"], one["you"]) for one in shown["members"]] == [
        ("Hanna", "host", False),
        ("Max", "member", False),
        ("Gino", "guest", True),
    ]
    assert (shown["role"], shown["may"]) == ("guest", ["see", "watch", "sit", "leave"])
    club = await house.api.application.clubs.of(house.id)
    assert club is not None
    persons = [one.person for one in club.members]
    assert not any(one in answer.text for one in persons for _, answer in house.api.answers)
    listed = await house.api.get("/clubs", token=house.people["guest"])
    assert listed.json()["clubs"] == [{"id": house.id, "name": "Thursday", "role": "guest", "members": 3}]


async def test_the_same_request_makes_one_club_and_one_invitation(api: Api):
    hanna = await person(api, "Hanna")
    made = [await api.post("/clubs", token=hanna, key="k1", json={"name": "Thursday"}) for _ in range(2)]
    assert len({one.json()["id"] for one in made}) == 1
    path = f"/clubs/{made[0].json()['id']}/invitations"
    invited = [await api.post(path, token=hanna, key="k1", json={}) for _ in range(2)]
    assert invited[0].json() == invited[1].json()
    assert len((await api.get(path, token=hanna)).json()["invitations"]) == 1


CALLS: dict[str, tuple[Action, dict[str, Any] | None]] = {
    "GET /clubs/{club}": ("see", None),
    "PATCH /clubs/{club}": ("set_terms", {"name": "Friday"}),
    "DELETE /clubs/{club}": ("close", None),
    "PATCH /clubs/{club}/members/{member}": ("give_roles", {"role": "member"}),
    "DELETE /clubs/{club}/members/{member}": ("remove", None),
    "POST /clubs/{club}/invitations": ("invite", {}),
    "GET /clubs/{club}/invitations": ("invite", None),
    "DELETE /clubs/{club}/invitations/{invitation}": ("invite", None),
    "GET /clubs/{club}/tables": ("see", None),
    "POST /clubs/{club}/tables": ("make_tables", {"game": "lama", "seats": [{}, {}]}),
    "GET /clubs/{club}/channel": ("set_terms", None),
    "PUT /clubs/{club}/channel": ("set_terms", {"address": "https://localhost/hook"}),
    "PATCH /clubs/{club}/channel": ("set_terms", {"tells": ["result"]}),
    "DELETE /clubs/{club}/channel": ("set_terms", None),
    "GET /clubs/{club}/standings": ("see", None),
    "GET /clubs/{club}/leagues": ("see", None),
    "POST /clubs/{club}/leagues": ("make_leagues", {"name": "Winter", "game": "lama", "seats": 4}),
    "GET /clubs/{club}/leagues/{league}": ("see", None),
    "POST /clubs/{club}/leagues/{league}/entrants": ("sit", {}),
    "DELETE /clubs/{club}/leagues/{league}/entrants/{member}": ("run_leagues", None),
    "POST /clubs/{club}/leagues/{league}/asked": ("run_leagues", {"members": ["{member}"]}),
    "POST /clubs/{club}/leagues/{league}/begin": ("run_leagues", {}),
    "POST /clubs/{club}/leagues/{league}/call-off": ("run_leagues", {}),
    "POST /clubs/{club}/leagues/{league}/tables/{table}/end": ("run_leagues", {}),
    "POST /clubs/{club}/leagues/{league}/tables/{table}/again": ("run_leagues", {}),
    "GET /clubs/{club}/records": ("see", None),
}


LET_IN = {
    "PUT /clubs/{club}/channel": "contact.not_reached",
    "PATCH /clubs/{club}/channel": "contact.unknown",
}
"""What those are told whose role allows it, where nobody listens."""


def test_every_route_of_a_club_is_tried():
    rows = {row.replace(f" {API}", " ", 1) for row, rule in RULES.items() if rule is IN_CLUB and API in row}
    assert rows == CALLS.keys()


@pytest.mark.parametrize("who", ["guest", "member", "host", "stranger", "nobody"])
@pytest.mark.parametrize("call", CALLS)
async def test_every_role_at_every_route(house: Clubhouse, who, call):
    action, body = CALLS[call]
    code = await house.invite()
    club = await house.api.application.clubs.of(house.id)
    assert club is not None
    method, path = call.split(" ")
    other = "Gino" if who == "member" else "Max"  # going oneself is another test
    path = path.replace("{club}", house.id).replace("{member}", await house.member(other))
    path = path.replace("{invitation}", club.invitations[-1].id)
    if "{league}" in path:
        path = await with_league(house, path)
    if body and body.get("members"):
        body = {"members": [await house.member(other)]}
    token = house.people.get(who)
    answer = await house.api.ask(method, path, token=token, key=fresh_key(), json=body)
    if who in STANDINGS and may(who, action):
        assert answer.status_code in {200, 201, 204} or answer.json()["code"] == LET_IN.get(call), answer.text
    else:
        expected = {"stranger": (404, "club.unknown"), "nobody": (401, "token.missing")}
        told = expected.get(who, (403, "club.role_needed"))
        assert (answer.status_code, answer.json()["code"]) == told
        assert await house.api.application.clubs.of(house.id) == club
    assert code not in answer.text


async def with_league(house: Clubhouse, path: str) -> str:
    """The address with a league of the host's in it, that has come as far as the address needs."""
    made = await house.league(*([] if path.endswith(("entrants", "asked")) else ["member", "guest"]))
    path = path.replace("{league}", made["id"])
    if "{table}" not in path:
        return path
    league = f"{house.path}/leagues/{made['id']}"
    token = house.people["host"]
    begun = await house.api.post(f"{league}/begin", token=token, json={})
    table = begun.json()["rounds"][0]["tables"][0]["match"]
    if path.endswith("again"):
        await house.api.post(f"{league}/tables/{table}/end", token=token, json={})
    return path.replace("{table}", table)


async def test_an_invitation_says_where_it_leads_and_uses_nothing_up_by_being_looked_at(house: Clubhouse):
    code = await house.invite(role="guest", uses=1)
    for token in (None, house.people["stranger"], None):
        seen = (await house.api.get(f"/invitations/{code}", token=token)).json()
        assert (seen["name"], seen["role"], seen["state"], seen["members"]) == (
            "Thursday",
            "guest",
            "valid",
            3,
        )
        assert seen["club"] == ""
    zoe = await house.join(code, "Zoe")
    assert (await house.api.get(f"/invitations/{code}", token=zoe)).json()["state"] == "member"
    assert (await house.api.get(f"/invitations/{code}", token=zoe)).json()["club"] == house.id
    assert (await house.api.get(f"/invitations/{code}")).json()["state"] == "used_up"
    late = await house.api.post(f"/invitations/{code}", token=house.people["stranger"], json={})
    assert (late.status_code, late.json()["code"]) == (409, "invitation.used_up")
    again = await house.api.post(f"/invitations/{code}", token=zoe, json={})
    assert again.status_code == 200


async def test_a_revoked_and_an_unknown_invitation_say_so(house: Clubhouse):
    code = await house.invite()
    club = await house.api.application.clubs.of(house.id)
    assert club is not None
    path = f"{house.path}/invitations/{club.invitations[-1].id}"
    assert (await house.api.ask("DELETE", path, token=house.people["host"])).status_code == 204
    assert (await house.api.get(f"/invitations/{code}")).json()["state"] == "revoked"
    late = await house.api.post(f"/invitations/{code}", token=house.people["stranger"], json={})
    assert (late.status_code, late.json()["code"]) == (409, "invitation.revoked")
    for unknown in ("x" * 43, "x", "%00", "x" * 500):
        answer = await house.api.get(f"/invitations/{unknown}")
        assert (answer.status_code, answer.json()["code"]) == (404, "invitation.unknown")


async def test_of_several_who_take_the_last_place_at_once_one_gets_it(house: Clubhouse):
    code = await house.invite(uses=1)
    people = [await person(house.api, f"P{number}") for number in range(4)]
    answers = await asyncio.gather(
        *(house.api.post(f"/invitations/{code}", token=token, json={}) for token in people)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert len((await house.seen())["members"]) == 4


async def test_two_clubs_do_not_see_each_other(house: Clubhouse):
    other = await Clubhouse.make(house.api)
    match = await house.table()
    for path in (house.path, f"{house.path}/tables"):
        answer = await house.api.get(path, token=other.people["host"])
        assert (answer.status_code, answer.json()["code"]) == (404, "club.unknown")
    assert await other.tables() == []
    answer = await house.api.get(f"/matches/{match}", token=other.people["host"])
    assert answer.status_code == 403
    mixed = f"{other.path}/members/{await house.member('Max')}"
    answer = await house.api.ask("DELETE", mixed, token=other.people["host"])
    assert (answer.status_code, answer.json()["code"]) == (404, "member.unknown")


async def test_a_clubs_table_is_its_clubs_to_see_and_to_sit_at(house: Clubhouse):
    match = await house.table()
    for who in ("guest", "member", "host"):
        answer = await house.api.get(f"/matches/{match}", token=house.people[who])
        assert answer.status_code == 200, who
        assert answer.json()["viewer"] is None
    for token in (house.people["stranger"], None):
        answer = await house.api.post(f"/matches/{match}/seats", token=token, key=fresh_key(), json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "club.members_only")
    assert (await house.api.get(f"/matches/{match}", token=house.people["stranger"])).status_code == 403
    sat = await house.api.post(
        f"/matches/{match}/seats", token=house.people["guest"], key=fresh_key(), json={}
    )
    assert sat.status_code == 201
    (listed,) = await house.tables("guest")
    assert (listed["match"], listed["phase"], listed["mine"]) == (match, "gathering", 0)
    assert [seat["name"] for seat in listed["seats"]] == ["Gino", "Bot 2"]


async def test_a_table_that_is_for_everybody_is_watched_and_joined_by_everybody(house: Clubhouse):
    match = await house.table(visibility="public")
    assert (await house.api.get(f"/matches/{match}")).status_code == 200
    sat = await house.api.post(f"/matches/{match}/seats", key=fresh_key(), json={})
    assert sat.status_code == 201


async def test_a_seat_is_kept_for_a_member(house: Clubhouse):
    gino = await house.member("Gino")
    match = await house.table("host", seats=[{}, {}], keep=[gino])
    path = f"/matches/{match}/seats"
    for who, seat in (("member", 1), ("guest", 0)):
        sat = await house.api.post(path, token=house.people[who], key=fresh_key(), json={})
        assert (sat.status_code, sat.json()["seat"]) == (201, seat)
    for keep, seats, told in (
        (["nobody"], [{}, {}], (404, "member.unknown")),
        ([gino, await house.member("Max")], [{}, {"bot": "steady"}], (400, "body.malformed")),
    ):
        body: dict[str, object] = {"game": "lama", "seats": seats, "keep": keep}
        answer = await house.api.post(
            f"{house.path}/tables", token=house.people["host"], key=fresh_key(), json=body
        )
        assert (answer.status_code, answer.json()["code"]) == told


async def test_no_log_tells_that_a_table_is_a_clubs(house: Clubhouse):
    match = await house.table()
    await house.play(match)
    entries = await house.api.application.store.read(match)
    log = b"".join(bytes(entry.e) + bytes(entry.s or b"") for entry in entries)
    club = await house.api.application.clubs.of(house.id)
    assert club is not None
    for told in (club.id, *(one.person for one in club.members), *(one.id for one in club.members)):
        assert told.encode() not in log


async def test_what_a_table_does_not_say_is_as_the_club_has_it(api: Api):
    defaults = {"clock": {"per_turn": 3600}, "undo": "consent", "visibility": "public"}
    house = await Clubhouse.make(api, defaults=defaults)
    terms = (await api.get(f"/matches/{await house.table()}")).json()["terms"]
    assert (terms["clock"]["per_turn"], terms["undo"]) == (3600, "consent")
    assert terms.get("visibility", "public") == "public"
    said = await house.table(undo="off", clock={}, visibility="private")
    terms = (await api.get(f"/matches/{said}", token=house.people["guest"])).json()["terms"]
    assert (terms["clock"], terms["undo"], terms["visibility"]) == ({}, "off", "private")


@pytest.mark.parametrize(
    ("defaults", "code"),
    [
        ({"clock": {"per_turn": 3}}, "clock.out_of_range"),
        ({"undo": "always"}, "undo.unknown_policy"),
        ({"visibility": "club"}, "visibility.unknown"),
        ({"options": {"chess": {}}}, "game.unknown"),
        ({"options": {"lama": {"first": "nobody"}}}, "options.invalid"),
        ({"options": {"lama": {"colour": 1}}}, "options.invalid"),
    ],
)
async def test_defaults_that_no_table_could_have_are_refused(house: Clubhouse, defaults, code):
    answer = await house.api.ask("PATCH", house.path, token=house.people["host"], json={"defaults": defaults})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert (await house.seen())["defaults"] == {}


async def test_the_list_is_what_the_logs_say(house: Clubhouse):
    first, second, unbegun = await house.table(), await house.table(), await house.table()
    assert [one["match"] for one in await house.tables()] == [unbegun, second, first]
    await house.play(first)
    ended = await house.api.post(f"/matches/{unbegun}/abandon", token=house.people["member"], json={})
    assert ended.status_code == 200
    for _ in range(2):
        assert [one["match"] for one in await house.tables()] == [second]
        (result,) = await house.tables(query="?state=over")
        assert (result["match"], result["phase"]) == (first, "finished")
        assert result["ranking"] == [[1], [0]]
    answer = await house.api.get(f"{house.path}/tables?state=lost", token=house.people["host"])
    assert answer.status_code == 400


async def test_a_table_that_never_came_to_be_is_forgotten(house: Clubhouse):
    tables, now = house.api.application.clubs.tables, present_instant()
    await tables.record(house.id, "never", now)
    assert await house.tables() == []
    assert await tables.club_of("never") == house.id
    await house.api.application.tables_of_clubs.open(house.id, after(now, 7200))
    assert await tables.club_of("never") == ""


async def test_a_removed_member_keeps_their_seats_and_loses_the_rest(house: Clubhouse):
    theirs, other = await house.table(seats=[{}, {}]), await house.table(seats=[{}, {}])
    max_ = house.people["member"]
    sat = await house.api.post(f"/matches/{theirs}/seats", token=max_, key=fresh_key(), json={})
    assert sat.status_code == 201
    # The tables that they made they still host; so let somebody else make the other one.
    other = await house.table("host", seats=[{}, {}])
    removed = await house.api.ask(
        "DELETE", f"{house.path}/members/{await house.member('Max')}", token=house.people["host"]
    )
    assert removed.status_code == 204
    assert (await house.api.get(f"/matches/{theirs}", token=max_)).json()["viewer"] == 0
    assert (await house.api.post(f"/matches/{theirs}/ready", token=max_, json={})).status_code == 200
    for path in (house.path, f"{house.path}/tables"):
        assert (await house.api.get(path, token=max_)).status_code == 404
    answer = await house.api.get(f"/matches/{other}", token=max_)
    assert (answer.status_code, answer.json()["code"]) == (403, "club.members_only")
    answer = await house.api.post(f"/matches/{other}/seats", token=max_, key=fresh_key(), json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "club.members_only")
    assert "Max" not in json.dumps((await house.seen())["members"])


async def test_the_streams_of_somebody_who_was_removed_end(house: Clubhouse, monkeypatch):
    monkeypatch.setattr("api.streams.answer.KEEP_ALIVE_AFTER", 0.02)
    match = await house.table("host", seats=[{}, {}])
    bearer = {"Authorization": f"Bearer {house.people['member']}"}
    async with reading(house.api.app, f"/matches/{match}/stream", **bearer) as stream:
        assert stream.status == 200
        assert "keep-alive" in await stream.block() + await stream.block()
        path = f"{house.path}/members/{await house.member('Max')}"
        await house.api.ask("DELETE", path, token=house.people["host"])
        await asyncio.wait_for(stream.ended.wait(), 5)


async def test_somebody_leaves_and_the_last_host_passes_the_club_on_first(house: Clubhouse):
    gone = await house.api.ask(
        "DELETE", f"{house.path}/members/{await house.member('Gino')}", token=house.people["guest"]
    )
    assert gone.status_code == 204
    own = f"{house.path}/members/{await house.member('Hanna')}"
    stuck = await house.api.ask("DELETE", own, token=house.people["host"])
    assert (stuck.status_code, stuck.json()["code"]) == (409, "club.last_host")
    passed = await house.api.ask(
        "PATCH",
        f"{house.path}/members/{await house.member('Max')}",
        token=house.people["host"],
        json={"role": "host", "pass_on": True},
    )
    assert [(one["name"], one["role"]) for one in passed.json()["members"]] == [
        ("Hanna", "member"),
        ("Max", "host"),
    ]
    assert (await house.api.ask("DELETE", own, token=house.people["host"])).status_code == 204


async def test_tables_of_a_closed_club_go_on_for_those_who_sit_there(house: Clubhouse):
    match = await house.table(seats=[{}, {"bot": "steady"}])
    token = house.people["guest"]
    sat = await house.api.post(f"/matches/{match}/seats", token=token, key=fresh_key(), json={"ready": True})
    assert sat.status_code == 201
    assert (await house.api.ask("DELETE", house.path, token=house.people["host"])).status_code == 204
    assert (await house.api.get(f"/matches/{match}", token=token)).status_code == 200
    assert (await house.api.get(f"/matches/{match}", token=house.people["host"])).status_code == 403
    assert (await house.api.get("/clubs", token=token)).json() == {"clubs": []}


async def test_whoever_is_in_no_club_is_told_of_none(api: Api):
    anna = await person(api)
    assert (await api.get("/clubs", token=anna)).json() == {"clubs": []}

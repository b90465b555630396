"""Clubs, as the operator sees them."""

import asyncio
import json
import re

from redis.asyncio import Redis

from services.bootstrap import present_instant
from services.people.clubs.club import Member
from services.people.clubs.clubs import Clubs
from services.people.clubs.league import LeagueTerms
from services.people.persons import Persons
from services.standings.leagues import changes

ADDRESS = re.compile(r"^http://\S+/i/([A-Za-z0-9_-]{43})$", re.MULTILINE)


def joined(url: str, code: str, name: str) -> str:
    """Let somebody new join by an invitation; return their role."""

    async def run() -> str:
        async with Redis.from_url(url) as client:
            now = present_instant()
            person = await Persons(client).create(now, name)
            club = await Clubs(client).join(code, Member(f"n-{name}", person.id, "guest", now), now)
            return str(club.role(person.id))

    return asyncio.run(run())


def league_of(url: str, club_id: str) -> str:
    """Let everybody of a club play a league, which has begun; return its id."""

    async def run() -> str:
        async with Redis.from_url(url) as client:
            now, clubs = present_instant(), Clubs(client)
            club = await clubs.of(club_id)
            assert club is not None
            host = club.members[0].person
            league = changes.made("l1", club, host, "Winter", LeagueTerms("lama", 2), now)
            for member in club.members:
                league = changes.signed_up(league, member.person, now)
            await clubs.leagues.create(changes.begun(league, now))
            return league.id

    return asyncio.run(run())


def test_an_operator_makes_a_club_for_others_and_helps_when_it_has_no_host(tablee, played):
    at = ("--data", played.folder)
    made = tablee("club", "make", "Thursday", *at)
    assert made.exit_code == 0, made.stderr
    (code,) = ADDRESS.findall(made.stdout)
    assert joined(played.url, code, "Hanna") == "host"
    (row,) = [json.loads(line) for line in tablee("club", "list", "--json", *at).stdout.splitlines()]
    assert (row["name"], row["members"], row["hosts"], row["open"]) == ("Thursday", 1, 1, 0)
    club = row["id"]
    assert club in tablee("--data", played.folder, "club", "list").stdout

    another = tablee("club", "make-host", club, "--json", *at)
    code = json.loads(another.stdout)["invitation"].rpartition("/")[2]
    assert joined(played.url, code, "Max") == "host"
    shown = tablee("club", "show", club, *at)
    assert re.search(r"n-Max +Max +host", shown.stdout), shown.stdout
    assert "0 open tables" in shown.stdout
    told = tablee("club", "make-host", club, "n-Hanna", *at)
    assert "n-Hanna is host" in told.stdout

    assert "told nowhere" in tablee("club", "channel", club, *at).stdout
    refused = tablee("club", "channel", club, "--address", "https://localhost/x", *at)
    assert refused.exit_code == 2
    assert "private" in refused.stderr or "network" in refused.stderr, refused.stderr
    assert "say --address URL" in tablee("club", "channel", club, "--tell", "result", *at).stderr
    assert "no league in this club" in tablee("club", "leagues", club, *at).stderr
    league = league_of(played.url, club)
    (row,) = [json.loads(one) for one in tablee("club", "leagues", club, "--json", *at).stdout.splitlines()]
    assert (row["id"], row["name"], row["people"], row["state"]) == (league, "Winter", 2, "running")
    assert re.search(r"1 +Hanna +0 +0 +0 +0", tablee("club", "league", league, *at).stdout)
    assert (
        tablee("club", "league", league, "--csv", *at).stdout.splitlines()[0].startswith("rank,member,name")
    )

    assert tablee("club", "close", club, *at, said="n\n").exit_code != 0
    assert tablee("club", "close", club, "--yes", *at).exit_code == 0
    nothing = tablee("club", "list", *at)
    assert (nothing.stdout, "There is no club yet" in nothing.stderr) == ("", True)


def test_what_is_not_there_is_said_in_a_line(tablee, played):
    at = ("--data", played.folder)
    for command in (
        ("show", "c1"),
        ("close", "c1", "--yes"),
        ("make-host", "c1", "n1"),
        ("make-host", "c1"),
        ("leagues", "c1"),
    ):
        told = tablee("club", *command, *at)
        assert (told.exit_code, "There is no club c1" in told.stderr) == (2, True), told.stderr
    told = tablee("club", "league", "l1", *at)
    assert (told.exit_code, "There is no league l1" in told.stderr) == (2, True)
    nameless = tablee("club", "make", "  ", *at)
    assert (nameless.exit_code, "The club has no name." in nameless.stderr) == (2, True)
    refused = tablee("--server", "http://localhost:1", "club", "list")
    assert (refused.exit_code, "takes no --server" in refused.stderr) == (2, True)

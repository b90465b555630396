"""Persons, as the operator sees them: found, shown, let back on a seat, erased; and every log still proves itself."""

import asyncio
import json
import re
from typing import NamedTuple

import pytest

from domain.match.command_handler import CommandMetadata
from domain.match.commands import Command, CreateMatch, SeatPlan, TakeSeat
from services.bootstrap import present_instant
from services.bootstrap.parts import Application, application
from services.matches.service import Submission
from services.people.hashed_secrets import new_secret
from services.people.identity import Holder
from tests.integration.api.command_line.conftest import SECRET, Played, Tablee, as_before

ADDRESS = re.compile(r"^http://\S+/s/([A-Za-z0-9_-]{43})$", re.MULTILINE)
NAME = "Zoë Quince"


class Zoe(NamedTuple):
    person: str
    player: str


async def settle(parts: Application) -> Zoe:
    """Let somebody hold the person's seat of the running match, and sit at a table that waits."""
    now = present_instant()
    person = await parts.persons.create(now, NAME)
    await parts.sessions.begin(new_secret(), person.id, now, "Firefox, Linux")
    await parts.codes.give(person.id, parts.identity.for_recovery(person.id, "key"), now)
    await parts.memberships.collect(person.id, Holder("live-lama", "anna", "seat"), now)
    await parts.names.give("anna", NAME)
    player = parts.identity.for_person("waiting", person.id, "key").player
    commands: tuple[Command, ...] = (
        CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "somebody", "5e" * 32),
        TakeSeat(player),
    )
    for number, command in enumerate(commands):
        metadata = CommandMetadata(player, "api", f"zoe-{number}")
        await parts.service.execute(Submission("waiting", command, metadata, f"z{number}"))
    await parts.memberships.collect(person.id, Holder("waiting", player, "seat"), now)
    await parts.names.give(player, NAME)
    return Zoe(person.id, player)


@pytest.fixture
def zoe(played: Played, monkeypatch):
    monkeypatch.setenv("TABLEE_SECRET", SECRET)

    async def run() -> Zoe:
        archive = str(played.folder / "archive")
        async with application(played.url, 16, SECRET.encode(), archive) as parts:
            return await settle(parts)

    with as_before(played):
        yield asyncio.run(run())


@pytest.fixture
def run(tablee: Tablee, played: Played, monkeypatch):
    monkeypatch.setenv("TABLEE_SECRET", SECRET)
    return lambda *arguments, **more: tablee(*arguments, "--data", played.folder, **more)


def test_a_person_is_found_by_name_and_by_the_player_in_a_log(run, zoe: Zoe):
    for who in (NAME, NAME.upper(), zoe.player, zoe.person):
        (row,) = [json.loads(line) for line in run("person", "find", who, "--json").stdout.splitlines()]
        assert (row["id"], row["name"], row["devices"], row["tables"]) == (zoe.person, NAME, 1, 2), who
    nobody = run("person", "find", "Nobody")
    assert (nobody.stdout, "Nobody here is known" in nobody.stderr) == ("", True)


def test_what_is_kept_is_shown_and_written(run, zoe: Zoe, tmp_path):
    shown = run("person", "show", zoe.person)
    assert shown.exit_code == 0, shown.stderr
    assert NAME in shown.stdout
    assert "seat at live-lama as anna" in shown.stdout
    file = tmp_path / "zoe.json"
    assert run("person", "export", zoe.person, "-o", file).exit_code == 0
    assert json.loads(file.read_text())["names_at_tables"] == {"live-lama": NAME, "waiting": NAME}
    assert file.stat().st_mode & 0o077 == 0
    unknown = run("person", "show", "u" + "a" * 20)
    assert (unknown.exit_code, "There is no person" in unknown.stderr) == (2, True)


def test_an_erased_person_is_gone_and_every_log_and_digest_still_proves_itself(run, zoe: Zoe, tmp_path):
    digest = run("digest", "--make")
    assert digest.exit_code == 0, digest.stderr
    kept = tmp_path / "digest"
    kept.write_text(digest.stdout)
    declined = run("person", "erase", zoe.person, said="n\n")
    assert declined.exit_code != 0
    assert run("person", "find", NAME).stdout
    erased = run("person", "erase", zoe.person, "--yes")
    assert erased.exit_code == 0, erased.stderr
    for who in (NAME, zoe.player, zoe.person, "anna"):
        assert run("person", "find", who).stdout == ""
    log = run("log", "live-lama").stdout
    # The last person among bots: the match ends as it stands.
    assert "SeatResigned" in log
    assert "MatchFinished" in log
    assert "SeatLeft" in run("log", "waiting").stdout
    for proof in (("--all",), ("--against", kept)):
        verified = run("verify", *proof)
        assert verified.exit_code == 0, verified.stdout + verified.stderr


@pytest.mark.usefixtures("zoe")
def test_a_lost_seat_is_given_back_and_the_log_tells_why(run):
    told = run("person", "reissue", "live-lama", "0", "--reason", "a lost phone")
    assert told.exit_code == 0, told.stderr
    assert len(ADDRESS.findall(told.stdout)) == 1
    assert "a lost phone" in run("log", "live-lama").stdout
    host = run("person", "reissue", "live-lama", "host", "--reason", "a lost phone", "--json")
    assert json.loads(host.stdout)["seat"] == "host"
    bot = run("person", "reissue", "live-lama", "1", "--reason", "why not")
    assert (bot.exit_code, "No person sits on seat" in bot.stderr) == (2, True)
    nowhere = run("person", "reissue", "nowhere", "0", "--reason", "why not")
    assert nowhere.exit_code == 2
    assert run("verify", "live-lama").exit_code == 0


def test_without_the_secret_nobody_is_erased(tablee: Tablee, played: Played):
    refused = tablee("person", "erase", "u" + "a" * 20, "--yes", "--data", played.folder)
    assert (refused.exit_code, "The secret of this installation" in refused.stderr) == (2, True)

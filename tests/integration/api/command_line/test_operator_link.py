"""Operators' links: printed by a command, and by the first start."""

import asyncio
import json
import re

import pytest
from redis.asyncio import Redis

from domain.instants import after
from services.bootstrap import present_instant
from services.log.embedded.running import Running
from services.people.operators import LINK_SECONDS, SESSION_SECONDS, Operators

ADDRESS = re.compile(r"^http://\S+/ops/enter/([A-Za-z0-9_-]{43})$", re.MULTILINE)


def operators_of(url, work):
    async def run():
        async with Redis.from_url(url) as client:
            return await work(Operators(client))

    return asyncio.run(run())


def test_the_link_stands_alone_on_standard_output_and_works_once(tablee, played):
    told = tablee("operator-link", "--data", played.folder)
    assert told.exit_code == 0
    (link,) = ADDRESS.findall(told.stdout)
    assert told.stdout.count("\n") == 1
    assert "within 24 hours" in told.stderr

    async def enter_twice(operators):
        now = present_instant()
        session = await operators.enter(link, now)
        again = await operators.enter(link, now)
        known = (
            await operators.knows(session, now),
            await operators.knows(session, after(now, SESSION_SECONDS)),
        )
        await operators.leave(session)
        return again, known, await operators.knows(session, now)

    assert operators_of(played.url, enter_twice) == (None, (True, False), False)


def test_of_many_who_use_a_link_at_once_one_gets_in(played):
    async def race(operators):
        link = await operators.make_link(present_instant())
        return await asyncio.gather(*(operators.enter(link, present_instant()) for _ in range(20)))

    assert sum(session is not None for session in operators_of(played.url, race)) == 1


def test_an_expired_link_opens_nothing(played):
    async def come_late(operators):
        link = await operators.make_link(present_instant())
        return await operators.enter(link, after(present_instant(), LINK_SECONDS))

    assert operators_of(played.url, come_late) is None


def test_the_store_holds_neither_links_nor_sessions(tablee, played):
    (link,) = ADDRESS.findall(tablee("operator-link", "--redis", played.url).stdout)

    async def all_that_is_kept(operators):
        session = await operators.enter(link, present_instant())
        async with Redis.from_url(played.url) as client:
            kept = [
                await client.zrange(f"tb:people:operators:{name}", 0, -1) for name in ("links", "sessions")
            ]
        return session, str(kept)

    session, kept = operators_of(played.url, all_that_is_kept)
    assert len(kept) > 64
    assert link not in kept
    assert session not in kept


def test_revoking_ends_sessions_and_links(tablee, played):
    assert tablee("operator-link", "--revoke", "--data", played.folder).exit_code == 0
    link = json.loads(tablee("operator-link", "--json", "--data", played.folder).stdout)["link"]
    told = tablee("operator-link", "--revoke", "--data", played.folder)
    assert told.stdout == "Ended: 0 sessions of operators, 1 unused link.\n"

    async def enter(operators):
        return await operators.enter(link.rpartition("/")[2], present_instant())

    assert operators_of(played.url, enter) is None


def test_the_public_address_is_the_links_address(tablee, played, monkeypatch):
    monkeypatch.setenv("TABLEE_PUBLIC_URL", "https://cards.example.org")
    told = tablee("operator-link", "--data", played.folder)
    assert told.stdout.startswith("https://cards.example.org/ops/enter/")
    assert "From another machine" not in told.stderr


@pytest.mark.parametrize(
    ("running", "port", "told"),
    [
        ({"api_url": "http://127.0.0.1:8499"}, "", "From another machine"),
        ({"api_url": "http://127.0.0.1:8499", "public_url": "https://club.example.org/"}, "", ""),
        ({}, "9123", "is a guess"),
    ],
)
def test_the_links_address_is_the_running_services_and_a_guess_is_called_one(
    tablee, played, monkeypatch, running, port, told
):
    described = Running(pid=1, purpose="tablee up", log_store_url=played.url, job_store_url="", **running)
    monkeypatch.setattr("api.command_line.base_address.find_running", lambda _: described)
    monkeypatch.setenv("TABLEE_PORT", port)
    printed = tablee("operator-link", "--redis", played.url)
    expected = running.get("public_url", running.get("api_url", "http://127.0.0.1:9123")).rstrip("/")
    assert printed.stdout.startswith(f"{expected}/ops/enter/")
    assert told in printed.stderr
    assert ("guess" in printed.stderr) == (not running)


def test_another_installations_service_gives_no_address(tablee, played, monkeypatch):
    described = Running(
        pid=1, purpose="tablee up", log_store_url="unix:///else", job_store_url="", api_url="http://else:1"
    )
    monkeypatch.setattr("api.command_line.base_address.find_running", lambda _: described)
    assert "else" not in tablee("operator-link", "--redis", played.url).stdout


def test_without_a_log_no_link_is_made(tablee, data):
    told = tablee("operator-link", "--data", data)
    assert told.exit_code == 2
    assert not data.exists()

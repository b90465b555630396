"""``tablee find`` and ``tablee rebuild``: over running, finished and archived matches."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from redis import Redis

from api.command_line.found_matches import found_matches
from api.command_line.opening import LogAddress, work_on
from api.command_line.purposes import STORE
from domain.entries import decode_envelope
from services.audit.operators import unseal
from services.bootstrap.parts import application
from services.log.embedded.session import running_stores
from services.log.event_store.redis_store import RedisEventStore
from services.projections.listing import MatchFilter
from tests.integration.api.command_line.conftest import (
    SECRET,
    Played,
    Tablee,
    _command,
    _play,
    _table,
    as_before,
)
from tests.kit.checkout import ROOT

RECORDED = ROOT / "tests/unit/services/watch/finding/doubled_on_a_tie.ndjson.gz"
DOUBLED_ON_A_TIE = "event.doubled is not None and event.raw[event.doubled] == min(event.raw)"


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[Played]:
    """An installation with finished matches, a running one and an archived one."""
    folder = tmp_path_factory.mktemp("t") / "d"
    with running_stores(folder, purpose=STORE) as stores:
        finished, live = asyncio.run(_play(stores.log_store_url, folder))
        yield Played(folder, stores.log_store_url, finished, live)


@pytest.fixture
def find(house: Played, tablee: Tablee):
    def found(*arguments: object, code: int = 0):
        result = tablee("find", *arguments, "--json", "--data", house.folder)
        assert result.exit_code == code, result.output
        return [json.loads(line) for line in result.stdout.splitlines()], result.stderr

    return found


def unsealings(house: Played) -> list[str]:
    async def read() -> list[str]:
        store = await RedisEventStore.open(house.url)
        try:
            envelopes = [decode_envelope(entry.e) for entry in await store.read(house.live)]
            return [json.loads(bytes(one.data))["reason"] for one in envelopes if one.type == "LogUnsealed"]
        finally:
            await store.close()

    return asyncio.run(read())


async def make_table(house: Played, match: str) -> None:
    async with application(house.url, 16, SECRET.encode(), str(house.folder / "archive")) as parts:
        await _command(parts, match, _table("lama", "", "steady"))


class TestListing:
    def test_shows_all_matches_and_fits_filters(self, house, find):
        rows, _ = find()
        assert {row["match"] for row in rows} >= {*house.finished.values(), house.live}
        rows, _ = find("--game", "odin")
        assert [row["match"] for row in rows] == [house.finished["odin"]]
        rows, _ = find("--state", "playing")
        assert [row["match"] for row in rows] == [house.live]
        rows, _ = find("--since", "2999-01-01")
        assert rows == []

    def test_shows_what_is_in_the_archive(self, house, find, tablee):
        archived = house.finished["odin"]
        assert tablee("archive", archived, "--data", house.folder).exit_code == 0
        rows, _ = find("--state", "archived")
        assert [(row["match"], row["archived"], row["state"]) for row in rows] == [
            (archived, True, "finished")
        ]

    def test_finds_players_by_id_and_by_name(self, house, find, tablee):
        with Redis.from_url(house.url) as client:
            client.set("tb:people:name:anna", "Ann-Kathrin")
        for player in ("anna", "ann-kathrin"):
            rows, _ = find("--player", player)
            assert [row["match"] for row in rows] == [house.live]
        shown = tablee("find", "--player", "anna", "--data", house.folder)
        assert "Ann-Kathrin (anna), bot-1" in shown.stdout
        rows, _ = find("--player", "Nobody")
        assert rows == []

    def test_is_a_table_for_people(self, house, tablee):
        result = tablee("find", "--game", "odin", "--data", house.folder)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0].split() == [
            "MATCH",
            "GAME",
            "STATE",
            "VERSION",
            "CHANGED",
            "PLAYERS",
        ]
        assert house.finished["odin"] in result.stdout

    def test_goes_page_by_page_and_shows_last_what_moves_meanwhile(self, played, monkeypatch):
        monkeypatch.setattr("api.command_line.found_matches._PAGE", 1)
        log = LogAddress(played.url, str(played.folder / "archive"))
        with as_before(played):
            asyncio.run(make_table(played, "newer"))
            pages = found_matches(log, MatchFilter(), None)
            assert [row.match for row in next(pages).rows] == ["newer"]
            # It was not shown yet, and now stands before what was.
            work_on(log, lambda parts: unseal(parts.service, played.live, "it moves"))
            work_on(log, lambda parts: parts.keeper().catch_up())
            rest = [row.match for found in pages for row in found.rows]
        assert sorted(rest) == sorted((*played.finished.values(), played.live))
        assert rest[-1] == played.live


class TestEvents:
    def test_are_found_in_every_match_without_an_unsealing(self, house, find):
        hits, told = find("--event", "MatchStarted")
        assert {hit["match"] for hit in hits} >= {*house.finished.values(), house.live}
        assert all(hit["type"] == "MatchStarted" for hit in hits)
        assert "Left out" not in told

    def test_of_a_running_match_show_no_sealed_part(self, house, find):
        hits, _ = find("--event", "MatchCreated")
        seeds = {hit["match"]: hit["data"]["seed"] for hit in hits}
        assert seeds[house.finished["lama"]] == "5e" * 32
        assert seeds[house.live] != "5e" * 32

    def test_that_do_not_exist_are_refused_with_what_is_near(self, house, tablee):
        result = tablee("find", "--event", "RoundScord", "--data", house.folder)
        assert result.exit_code == 2
        assert "RoundScored" in result.stderr

    def test_that_the_game_never_has_are_refused_with_those_that_it_has(self, house, tablee):
        result = tablee("find", "--game", "lama", "--event", "BoardsRevealed", "--data", house.folder)
        assert result.exit_code == 2
        assert "lama" in result.stderr
        assert "RoundQuit" in result.stderr
        assert result.stdout == ""


class TestStates:
    def test_of_running_matches_are_left_out_and_counted(self, house, find):
        before = unsealings(house)
        hits, told = find("--where", "phase == 'playing'")
        assert {hit["match"] for hit in hits} >= set(house.finished.values())
        assert house.live not in {hit["match"] for hit in hits}
        assert "Left out: 1 running match," in told
        assert unsealings(house) == before

    def test_of_running_matches_are_looked_at_for_a_reason_that_their_log_holds(self, house, find):
        before = unsealings(house)
        hits, told = find("--where", "phase == 'playing'", "--unseal", "a card is missing")
        assert house.live in {hit["match"] for hit in hits}
        assert "Left out" not in told
        assert unsealings(house) == [*before, "a card is missing"]
        # It has no such event, as everybody can see: there is no need to look.
        find("--event", "BoardsRevealed", "--where", "True", "--unseal", "again")
        assert unsealings(house) == [*before, "a card is missing"]

    def test_in_the_archive_are_found_too(self, house, find, tablee):
        assert tablee("import", RECORDED, "--data", house.folder).exit_code == 0
        rows, _ = find("--game", "skyjo")
        assert {row["archived"] for row in rows if row["match"].startswith("doubled")} == {True}
        hits, _ = find("--game", "skyjo", "--event", "RoundScored", "--where", DOUBLED_ON_A_TIE)
        (hit,) = [hit for hit in hits if hit["match"].startswith("doubled")]
        data = hit["data"]
        assert data["points"][data["doubled"]] == 2 * min(data["raw"])


class TestMisuse:
    @pytest.mark.parametrize(
        "arguments",
        [
            ("--where", "1 +"),
            ("--where", "gmae.round == 1"),
            ("--where", "import os"),
            ("--where", "event.nothing_of_the_kind == 1"),
            ("--unseal", "why not"),
            ("--where", "True", "--unseal", " "),
            ("--where", "True", "--unseal", "x" * 201),
            ("--since", "yesterday"),
            ("--until", "2026-11-29T10:00"),
        ],
    )
    def test_is_told_with_exit_code_2(self, house, tablee, arguments):
        before = unsealings(house)
        result = tablee("find", *arguments, "--data", house.folder)
        assert result.exit_code == 2
        assert "Traceback" not in result.output
        assert len(result.stderr.strip().splitlines()[-1]) > 20
        assert unsealings(house) == before


class TestRebuilding:
    def test_reads_all_matches_anew(self, house, tablee):
        result = tablee("rebuild", "--json", "--data", house.folder)
        assert result.exit_code == 0, result.output
        done = json.loads(result.stdout)
        assert done["projection"] == "matches"
        assert done["rows"] >= 4
        assert done["parked"] == 0

    def test_of_what_there_is_not_says_what_there_is(self, house, tablee):
        result = tablee("rebuild", "ratings", "--data", house.folder)
        assert result.exit_code == 2
        assert "matches" in result.stderr

    def test_mends_rows_that_somebody_altered(self, house, find, tablee):
        with Redis.from_url(house.url) as client:
            (key,) = [key for key in client.scan_iter(match="tb:*:rows") if client.hexists(key, house.live)]
            client.hset(key, house.live, client.hget(key, house.live).replace(b"lama", b"odin"))
        rows, _ = find("--game", "lama")
        assert house.live not in {row["match"] for row in rows}
        assert tablee("rebuild", "--data", house.folder).exit_code == 0
        rows, _ = find("--game", "lama")
        assert house.live in {row["match"] for row in rows}

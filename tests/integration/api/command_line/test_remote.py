"""``--server``: commands that ask a service over HTTP, and those that say why they do not."""

import json
import secrets

import click
import httpx
import pytest

from api.command_line.main import _ENTRIES, cli
from services.log.archive.documents import documents
from services.log.embedded.running import Running
from tests.integration.api.command_line.conftest import as_before
from tests.integration.api.serving import Server, serving
from tests.kit.games import GAME_KEYS


@pytest.fixture(scope="module")
def server(played, folders):
    """The API's process on the stores with matches in them."""
    folder = folders()
    folder.mkdir()
    stores = Running(pid=0, purpose="", log_store_url=played.url, job_store_url=played.url)
    # The server leaves the mark of its own secret in the store, for the doctor of other tests to find.
    with as_before(played):
        running = Server(folder, stores, TABLEE_ARCHIVE=str(played.folder / "archive"))
        yield running
        running.close()


@pytest.fixture
def at(tablee, played, server):
    """Run a command with the server, once the lists have come so far."""
    assert tablee("find", "--data", played.folder).exit_code == 0
    return lambda *arguments: tablee(*arguments, "--server", server.url)


def lines(result):
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_matches_are_those_of_the_store(tablee, at, played):
    def facts(result):
        return sorted(tuple(match.values()) for match in lines(result))

    assert facts(at("matches", "--json")) == facts(tablee("matches", "--json", "--data", played.folder))
    listed = lines(at("matches", "--json", "--phase", "playing"))
    assert [match["match"] for match in listed] == [played.live]
    assert "finished-odin" in at("matches", "--phase", "finished").stdout


def test_matches_are_found(at, played):
    assert [row["match"] for row in lines(at("find", "--game", "odin", "--json"))] == ["finished-odin"]
    assert lines(at("find", "--state", "archived", "--json")) == []
    assert [row["match"] for row in lines(at("find", "--player", "anna", "--json"))] == [played.live]


@pytest.mark.parametrize("match", ["finished-lama", "live-lama"])
@pytest.mark.parametrize(
    "command", [("log",), ("log", "--after", "3"), ("tail", "-n", "4"), ("tail", "-n", "0")]
)
def test_a_log_is_printed_byte_for_byte(tablee, at, played, match, command):
    name, *options = command
    there = at(name, match, *options, "--json")
    assert there.exit_code == 0
    assert there.stdout == tablee(name, match, *options, "--json", "--data", played.folder).stdout


def test_following_a_match_that_is_over_ends(at):
    followed = at("tail", "finished-skyjo", "-n", "3", "--follow", "--json")
    assert lines(followed)[-1]["type"] == "MatchFinished"


@pytest.mark.parametrize("options", [(), ("--at", "9"), ("--language", "fr")])
@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_finished_match_is_shown_as_it_stood(tablee, at, played, options, as_json):
    there = at("replay", "finished-odin", *options, *as_json)
    here = tablee("replay", "finished-odin", *options, *as_json, "--data", played.folder)
    assert there.exit_code == 0
    if as_json:
        # The store's operator sees everything, who asks the service is a spectator to whom all is open.
        assert lines(there)[0]["game"] == lines(here)[0]["game"]
    else:
        assert there.stdout == here.stdout


def test_a_running_match_is_shown_as_to_a_spectator(tablee, at, played):
    there, here = (
        at("replay", played.live, "--json"),
        tablee("replay", played.live, "--json", "--data", played.folder),
    )
    assert lines(there) == lines(here)


def test_versions_are_compared(tablee, at, played):
    for match in ("finished-odin", played.live):
        wanted = ("diff", match, "5", "7", "--json")
        there, here = lines(at(*wanted)), lines(tablee(*wanted, "--data", played.folder))
        assert {change[0] for change in there[0]["changes"]} == {change[0] for change in here[0]["changes"]}
    assert "/game/top" in at("diff", played.live, "5").stdout


def test_what_a_service_shows_is_verified_without_believing_it(tablee, at, played):
    for match in ("finished-lama", "finished-odin", "finished-skyjo"):
        assert lines(at("verify", match, "--json")) == lines(
            tablee("verify", match, "--json", "--data", played.folder)
        )
    (running,) = lines(at("verify", played.live, "--json"))
    assert (running["good"], running["sealed"] > 0) == (True, True)
    assert f"{len(GAME_KEYS) + 1} verified: {len(GAME_KEYS) + 1} good, 0 bad." in at("verify", "--all").stdout


def test_an_export_is_the_stores(tablee, at, played, tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    assert at("export", "--all", "-o", there).exit_code == 0
    assert tablee("export", "--all", "-o", here, "--data", played.folder).exit_code == 0
    assert there.read_bytes() == here.read_bytes()


def test_digests_are_printed_and_listed(tablee, at, played):
    if "There is no digest yet." in at("digest").stderr:
        assert at("digest", "--list").stdout == ""
        assert tablee("digest", "--make", "--data", played.folder).exit_code == 0
    printed = tablee("digest", "--data", played.folder).stdout
    assert at("digest").stdout == at("digest", "1").stdout == printed
    assert at("digest", "--list").stdout == tablee("digest", "--list", "--data", played.folder).stdout


def test_the_doctor_tells_what_the_service_tells(at, server):
    told = at("doctor")
    assert told.stdout.startswith(f"{server.url} is ready.")
    assert (told.exit_code, "Workers: 0" in told.stdout) == (1, True)
    assert json.loads(at("doctor", "--json").stdout)["ready"] is True


@pytest.fixture
def seated(folders):
    """A private table that plays, with somebody on its first seat: its address, its id and the seat's token."""
    with serving(folders()) as server, httpx.Client(base_url=f"{server.url}/api/v1") as client:

        def post(path, body):
            answer = client.post(path, json=body, headers={"Idempotency-Key": secrets.token_hex(16)})
            return answer.json()

        made = post("/matches", {"game": "lama", "seats": [{}, {"bot": "steady"}], "visibility": "private"})
        path = f"/matches/{made['match']}"
        token = post(f"{path}/seats", {})["seat_token"]
        for holder, command in ((token, "ready"), (made["host_token"], "start")):
            client.post(f"{path}/{command}", headers={"Authorization": f"Bearer {holder}"})
        yield server.url, made["match"], token


def test_a_token_says_who_looks(tablee, seated, monkeypatch, tmp_path):
    server, match, token = seated
    refused = tablee("replay", match, "--server", server)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert lines(tablee("replay", match, "--json", "--server", server, "--token", token))[0]["viewer"] == 0
    monkeypatch.setenv("TABLEE_TOKEN", token)
    assert lines(tablee("replay", match, "--json", "--server", server))[0]["viewer"] == 0
    in_front = tablee("--server", server, "--token", "nonsense", "log", match)
    assert (in_front.exit_code, in_front.stdout) == (2, "")
    assert tablee("export", match, "-o", tmp_path / "mine", "--server", server).exit_code == 0
    with (tmp_path / "mine").open("rb") as file:
        (document,) = documents(file)
    assert (document.line.seat, document.line.complete, document.altered) == (0, False, False)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("log", "finished-odin", "--unseal", "why"), "With --server there is no --unseal: "),
        (("replay", "finished-odin", "--as", "everything"), "all of it is shown"),
        (("replay", "live-lama", "--as", "seat0"), "seat"),
        (("replay", "live-lama", "--at", "999"), "version"),
        (("diff", "live-lama", "1", "999"), "version"),
        (
            ("export", "live-lama", "--as", "seat0"),
            "With --server there is no --as: the token says who looks.",
        ),
        (("verify", "--against", __file__), "With --server there is no --against: "),
        (("find", "--event", "RoundScored"), "With --server there is no --event: "),
        (("find", "--player", "bot-1"), "bot"),
        (("digest", "--make"), "With --server there is no --make: "),
        (("digest", "99"), "digest"),
        (("doctor", "--deep", "--repair"), "With --server there is no --deep and no --repair: "),
        (("matches", "--phase", "broken"), "--phase broken"),
        (("matches", "--data", "elsewhere"), "leave --data and --redis out"),
        (("demo", "lama", "--redis", "redis://x"), "leave --redis out"),
        (("tail", "nobody"), "There is no such match."),
    ],
)
def test_what_takes_the_store_is_refused_with_the_reason(at, arguments, told):
    refused = at(*arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert told in " ".join(refused.stderr.split())


def test_every_command_takes_a_server_or_says_why_not(tablee):
    for name, entry in _ENTRIES.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        (option,) = (parameter for parameter in command.params if "--server" in parameter.opts)
        assert isinstance(option, click.Option)
        assert bool(entry.local) == option.hidden
        if entry.local:
            inner = list(command.commands)[:1] if isinstance(command, click.Group) else []
            refused = tablee("--server", "http://127.0.0.1:9", name, *inner)
            assert refused.exit_code == 2
            assert f"tablee {name} takes no --server: {entry.local}." in " ".join(refused.stderr.split())


@pytest.mark.parametrize(
    "address", ["cards.example.org", "ftp://x", "http://", "http://x:port", "http://x/?a=b"]
)
def test_an_address_that_is_none_is_refused(tablee, address):
    refused = tablee("matches", "--server", address)
    assert refused.exit_code == 2
    assert "is not an address such as https://" in " ".join(refused.stderr.split())


def test_a_service_that_is_not_there_or_is_another_is_told(tablee, monkeypatch):
    monkeypatch.setattr("api.command_line.remote._PATIENCE", 0.0)
    silent = tablee("matches", "--server", "http://127.0.0.1:9")
    assert silent.stderr.startswith("tablee: http://127.0.0.1:9 does not answer: ")
    moved = httpx.MockTransport(
        lambda _: httpx.Response(301, headers={"Location": "https://new.example.org/"})
    )
    monkeypatch.setattr("httpx._client.HTTPTransport", lambda *_, **__: moved)
    told = "tablee: The service is elsewhere: https://new.example.org/. Name that address instead.\n"
    assert tablee("matches", "--server", "http://cards.example.org").stderr == told
    for content, status in ((b"<html>", 200), (b"<html>", 404), (b"[]", 200), (b"{}", 200)):
        transport = httpx.MockTransport(
            lambda _, content=content, status=status: httpx.Response(status, content=content)
        )
        monkeypatch.setattr("httpx._client.HTTPTransport", lambda *_, transport=transport, **__: transport)
        for command in (("matches",), ("replay", "m"), ("digest",), ("doctor",), ("verify", "m")):
            other = tablee(*command, "--server", "http://cards.example.org")
            told = (
                "tablee: What answers at http://cards.example.org is not a Tablée service of this release.\n"
            )
            assert (other.exit_code, other.stderr) == (2, told)

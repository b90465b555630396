"""``play`` and ``demo`` through the HTTP API of a real service."""

import json
import os
import re
import signal
import socket
import stat
import urllib.request

import httpx
import pytest

from api.command_line.first_link import first_link
from domain.games.registry import CURRENT
from services.log.archive.documents import document_of, file_end
from services.log.embedded.processes import is_alive
from services.log.embedded.running import find_running
from services.process.settings import load_settings
from tests.integration.api.command_line.conftest import Process, until
from tests.kit.games import GAME_KEYS, every_key
from tests.kit.logs import finished, named
from tests.kit.options import shortest

FRENCH_SPACES = str.maketrans("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def serving(folders):
    """A service, as `tablee up` starts it."""
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        port = attempt.getsockname()[1]
    folder = folders()
    process = Process(
        folder, "up", "--data", folder, "--port", port, "--log-format", "json", "--log-level", "warning"
    )
    process.wait_until_it_runs()
    yield process
    process.kill()


@pytest.fixture
def service(serving):
    """The data folder on which it runs."""
    return serving.folder


def asked(address, path):
    with urllib.request.urlopen(address + path, timeout=30) as answer:
        return json.load(answer)


def test_the_service_is_up_with_all_its_parts_when_it_says_so(serving):
    running = serving.running()
    assert set(running.pids) == {"log store", "job store", "API", "worker 1", "notices", "loops"}
    assert len(asked(running.api_url, "/api/v1/games")["games"]) == len(GAME_KEYS)
    assert asked(running.api_url, "/health/ready")["durability"]["durable"] == "yes"


def match_of(output):
    found = re.search(r"tablee (?:verify|play --resume) (\S+) --data", output)
    assert found is not None, output
    return found[1]


@every_key
def test_bots_play_a_match_to_its_end_and_the_deals_are_proven(tablee, service, game):
    shown = tablee("demo", game, "--players", 3, *shortest_options(game), "--data", service)
    assert shown.exit_code == 0, shown.output
    assert "The match begins." in shown.stdout
    assert re.search(r"^Bot \d (wins\.|and Bot .* share)|share the victory", shown.stdout, re.MULTILINE)
    assert "{" not in shown.stdout
    verified = tablee("verify", match_of(shown.stdout), "--data", service)
    assert (verified.exit_code, "1 good, 0 bad" in verified.stdout) == (0, True)


def shortest_options(game):
    return [
        word for option in shortest(CURRENT[game]).items() for word in ("--option", "{}={}".format(*option))
    ]


MOVES = {"skyjo": "reveal 0 7\n" + "".join(f"draw\nswap {turn % 12}\n" for turn in range(150))}
"""What is typed where always choosing the first move leads nowhere."""


@pytest.mark.parametrize(
    ("game", "language"), [(key, ("fr", "en")[number % 2]) for number, key in enumerate(GAME_KEYS)]
)
def test_a_person_plays_a_match_to_its_end(tablee, service, game, language):
    played = tablee(
        "play", game, "--bots", 1, *shortest_options(game), "--language", language, "--data", service,
        said=MOVES.get(game, "1\n" * 400),
    )  # fmt: skip
    said = played.stdout.translate(FRENCH_SPACES)
    assert played.exit_code == 0, played.output
    over = {"en": "Prove the deals with", "fr": "Vérifie les donnes avec"}[language]
    assert over in said
    assert {"en": "Totals:", "fr": "Totaux :"}[language] in said
    assert {"en": "Your hand", "fr": "Ta main"}[language] in said or game == "skyjo"
    # Who has finished a match has nothing to come back to.
    assert not (service / "seats" / f"{match_of(said)}.json").exists()


def test_who_has_finished_a_match_plays_it_again(tablee, service):
    table = ("play", "lama", "--bots", 2, *shortest_options("lama"), "--data", service)
    before = tablee(*table, said=MOVES.get("lama", "1\n" * 400)).stdout
    assert "Play again with: tablee rematch" in before
    again = tablee("rematch", "--data", service, said="exit\n")
    assert again.exit_code == 0, again.output
    assert match_of(again.stdout) != match_of(before)
    assert "Bot 3" in again.stdout
    assert "Come back with: tablee play --resume" in again.stdout


def test_one_plays_on_from_the_match_in_a_file(tablee, service, tmp_path):
    log, file = named("elsewhere", finished("lama", 3, whole=True)), tmp_path / "match.ndjson"
    file.write_bytes(document_of("elsewhere", "lama", 1, log) + file_end(1))
    played = tablee("play", "--from", file, "--seat", 2, "--data", service, said="exit\n")
    assert played.exit_code == 0, played.output
    assert "of match elsewhere" in played.stdout
    assert "You take seat 2." in played.stdout
    beyond = tablee("play", "--from", file, "--at", len(log) + 1, "--data", service)
    assert (beyond.exit_code, "has no position" in beyond.stderr) == (2, True)
    nothing = tablee("play", "--from", "nothing", "--data", service)
    assert (nothing.exit_code, "nothing is no file" in nothing.stderr) == (2, True)


def test_a_rematch_of_nothing_says_how_to_begin(tablee, data):
    refused = tablee("rematch", "--data", data)
    assert refused.exit_code == 2
    assert "Start one: tablee play GAME" in refused.output


def test_who_leaves_can_come_back_and_is_told_what_happened_since(tablee, service):
    left = tablee("play", "lama", "--bots", 2, "--data", service, said="draw\n")
    assert left.exit_code == 0
    assert left.stdout.rstrip().splitlines()[-2] == "The match goes on."
    match = match_of(left.stdout)
    kept = service / "seats" / f"{match}.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "You take seat 1." in left.stdout
    back = tablee("play", "--resume", match, "--data", service, said="quit\nexit\n")
    assert back.exit_code == 0
    assert "You take seat 1." not in back.stdout
    assert "You quit the round." in back.stdout


def test_a_service_elsewhere_is_played_at_and_its_seat_is_kept_here(tablee, serving, data):
    server = serving.running().api_url
    left = tablee("play", "lama", "--bots", 2, "--server", server, "--data", data, said="draw\n")
    assert left.exit_code == 0, left.output
    assert "The match goes on." in left.stdout
    match = match_of(left.stdout)
    back = tablee("play", "--resume", match, "--data", data, said="quit\n")
    assert (back.exit_code, "You quit the round." in back.stdout) == (0, True)
    assert {path.name for path in data.iterdir()} == {"seats"}


def test_a_service_elsewhere_plays_a_demo_that_is_proven_there(tablee, serving):
    server = serving.running().api_url
    shown = tablee("demo", "lama", "--players", 2, "--option", "limit=single", "--server", server)
    assert shown.exit_code == 0, shown.output
    command = shown.stdout.rstrip().splitlines()[-1].partition("tablee ")[2]
    assert command.endswith(f" --server {server}")
    assert "1 good, 0 bad" in tablee(*command.split()).stdout


def test_what_was_played_is_in_the_lists_and_a_rebuild_beside_the_service_changes_nothing(
    tablee, service, serving
):
    match = match_of(tablee("play", "lama", "--bots", 1, "--data", service).stdout)
    address = serving.running().api_url

    def listed():
        return [row["match"] for row in asked(address, "/api/v1/matches?game=lama")["matches"]]

    until(lambda: match in listed(), "the loops list the match")
    rebuilt = tablee("rebuild", "--data", service)
    assert rebuilt.exit_code == 0, rebuilt.output
    assert match in listed()
    found = tablee("find", "--state", "playing", "--data", service)
    assert match in found.stdout


def test_a_match_goes_on_with_its_last_seat_if_none_is_named(tablee, service):
    matches = [match_of(tablee("play", "odin", "--bots", 1, "--data", service).stdout) for _ in range(2)]
    assert match_of(tablee("play", "--resume", "--data", service).stdout) == matches[-1]


def test_help_rules_and_table_are_a_word_away_in_both_languages(tablee, service):
    for language, words, heard in (
        (
            "en",
            "help\nrules\ntable\nexit\n",
            ("Type a number, or a move: reveal 1.1 2.3", "twelve hidden cards in four"),
        ),
        (
            "fr",
            "aide\nRegles\ntapis\nsortir\n",
            ("Tape un numéro, ou un coup : révéler 1.1 2.3", "douze cartes cachées en"),
        ),
    ):
        said = tablee("play", "skyjo", "--language", language, "--data", service, said=words)
        assert said.exit_code == 0
        for text in heard:
            assert text in said.stdout.translate(FRENCH_SPACES)
        assert said.stdout.count("[1.1]") == 2


def test_a_refused_move_is_explained_and_asked_for_again(tablee, service):
    said = tablee(
        "play", "skyjo", "--data", service, said="draw\nsing\nreveal 1.2 1.2\nrévéler 0\nreveal 2.1\n"
    )
    assert "You have not turned up all your first cards." in said.stdout
    assert "Rule K4: Before the first turn, everybody turns up two hidden cards." in said.stdout
    assert "That is no move of this game." in said.stdout
    assert "You named the same slot twice: row 1, column 2." in said.stdout
    assert said.stdout.count("You turn up") == 1


def test_a_turn_can_be_taken_back_where_the_table_allows_it(tablee, service):
    said = tablee(
        "play",
        "lama",
        "--bots",
        1,
        "--language",
        "fr",
        "--data",
        service,
        said="piocher\nreprendre\nundo\nrefaire\nredo\n",
    )
    text = said.stdout.translate(FRENCH_SPACES)
    assert "Tu reprends ton coup." in text
    assert "Il n\N{RIGHT SINGLE QUOTATION MARK}y a rien à reprendre." in text
    assert "Tu rejoues" in text


def test_a_number_may_lead_to_a_second_question(tablee, service):
    said = tablee("play", "skyjo", "--data", service, said="1\n2.2\n1\n2.2\n1\n3.2\n")
    assert said.stdout.count("Which slot (") == 3
    assert said.stdout.count("You turn up") == 2


@pytest.mark.parametrize("over_http", [False, True])
def test_tail_follows_a_match_as_it_is_played(tablee, serving, service, start, over_http):
    where = ("--server", serving.running().api_url) if over_http else ("--data", service)
    left = tablee("play", "lama", "--bots", 1, "--option", "limit=single", "--data", service)
    tail = start(service, "tail", match_of(left.stdout), "-n", 1, "--follow", "--json", *where)
    first = json.loads(tail.popen.stdout.readline())
    # The round goes on without who has quit it, and the match is over with it.
    assert "Totals:" in tablee("play", "--resume", "--data", service, said="quit\n").stdout
    out, errors = tail.popen.communicate(timeout=60)
    followed = [json.loads(line) for line in out.splitlines()]
    assert (tail.popen.returncode, errors) == (0, "")
    assert [event["v"] for event in followed] == list(range(first["v"] + 1, first["v"] + 1 + len(followed)))
    assert followed[-1]["type"] == "MatchFinished"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("play",), "Name a game, or say --resume or --from: one of them."),
        (("play", "lama", "--resume", "x"), "Name a game, or say --resume or --from: one of them."),
        (("play", "--resume", "nowhere"), "No seat at nowhere is kept in"),
        (("play", "--resume", "../lock"), "'../lock' is not a valid match id"),
        (("play", "whist"), "'whist' is not one of"),
        (("play", "lama", "--bots", "9"), "is for 2 to 6 players"),
        (("play", "lama", "--option", "limit=41"), "Choose one of these: limit=40 or limit=single."),
        (("play", "lama", "--option", "limit"), "--option takes NAME=VALUE"),
        (("demo", "skyjo", "--players", "1"), "is for 2 to 8 players"),
    ],
)
def test_what_cannot_be_played_is_told_with_exit_code_2(tablee, service, arguments, told):
    result = tablee(*arguments, "--data", service)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_a_service_that_cannot_be_started_says_why(tablee, tmp_path):
    (tmp_path / "file").touch()
    result = tablee("demo", "lama", "--data", tmp_path / "file" / "data")
    assert result.exit_code == 2
    assert "cannot be used" in result.stderr
    broken = tablee("demo", "lama", "--data", tmp_path / "d", "--redis", "redis://127.0.0.1:1/0")
    assert broken.exit_code == 2
    assert broken.stderr.startswith("tablee: The log's server at redis://127.0.0.1:1/0 cannot be used")


def test_a_notice_arrives_once_though_its_worker_is_killed(serving):
    running = serving.running()
    headers = {"Origin": running.api_url, "Idempotency-Key": "0f" * 16}
    with httpx.Client(base_url=running.api_url, headers=headers) as anna:
        token = anna.post("/api/v1/me", json={"name": "Anna"}).json()["token"]
        anna.cookies.set("tablee", token)
        page = anna.get("/me/notices").text
        form = re.search(r'name="form" value="([^"]+)"', page)
        assert form is not None
        os.kill(running.pids["notices"], signal.SIGKILL)
        asked_for = anna.post("/me/notices", data={"form": form[1], "key": "k1", "do": "test"})
        assert asked_for.status_code == 303
        until(lambda: "Feed · A test · sent" in anna.get("/me/notices").text, "the test is sent")
        feed = re.search(r"/feeds/[\w-]+/atom\.xml", page)
        assert feed is not None
        assert anna.get(feed[0]).text.count("<entry>") == 1


def test_the_first_start_has_made_an_operators_link_and_later_ones_make_none(serving):
    running, mark = serving.running(), serving.folder / "operator-link.printed"
    # It is printed behind the greeting.
    until(mark.exists, "the link is made")
    pages = {httpx.get(f"{running.api_url}{path}").status_code for path in ("/ops", "/ops/queues")}
    assert pages == {401}
    # A start that does not find the mark asks the log whether there has been one.
    mark.unlink()
    settings = load_settings({}, data=str(serving.folder), log_store_url=running.log_store_url)
    assert first_link(settings) == ""
    assert mark.exists()


def test_one_ctrl_c_stops_all_and_the_next_service_goes_on_where_it_stopped(tablee, serving):
    """The last test of this file: it ends the service. Each start of all processes takes seconds on a small machine."""
    data, running = serving.folder, serving.running()
    left = tablee("play", "lama", "--bots", 1, "--data", data)
    assert "The match goes on." in left.stdout
    status, out, errors = serving.end(signal.SIGINT)
    assert status == 0
    assert f"Tablée is ready: {running.api_url}" in out
    assert f"play lama --bots 3 --data {data}" in out
    assert len(re.findall(r"^ *http://\S+/ops/enter/[A-Za-z0-9_-]{43}$", out, re.MULTILINE)) == 1
    assert all(json.loads(line) for line in errors.splitlines())
    assert "Traceback" not in errors
    assert find_running(data) is None
    assert not any(map(is_alive, running.pids.values()))

    # What was played is still there, for commands that bring the store themselves, and for the next service: here one
    # that `play` starts for as long as it needs it.
    verified = tablee("verify", "--all", "--data", data)
    assert (verified.exit_code, "0 bad" in verified.stdout) == (0, True)
    resumed = tablee("play", "--resume", match_of(left.stdout), "--data", data, said="quit\n")
    assert resumed.exit_code == 0, resumed.output
    assert "You quit the round." in resumed.stdout
    assert "The match waits for you." in resumed.stdout
    assert find_running(data) is None

"""What needs neither a service nor a store."""

import json
import stat
import subprocess
import sys

import click
import httpx
import msgspec
import pytest
from click.testing import CliRunner

from api.command_line.group import CommandFailed, Entry, LazyGroup
from api.command_line.main import cli
from api.command_line.options import game_options, spoken_language
from api.command_line.output import number_of
from api.command_line.playing.choosing import Choice
from api.command_line.playing.client import Answered, Client
from api.command_line.playing.saved_seats import SavedSeat, find_seat, forget_seat, save_seat
from api.command_line.playing.tables import table_of
from api.command_line.playing.terminal_game import problem_text
from api.command_line.playing.typed_moves import typed_move
from domain.chance import Chance
from domain.errors import Refused
from domain.games.registry import CURRENT
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from services.process.foreign_text import visible
from services.words.phrases import words_in
from services.words.telling import Teller
from tests.kit.checkout import ROOT
from tests.kit.options import shortest

GAMES = sorted(CURRENT)


def loaded_by(program: str) -> set[str]:
    """The packages that a program loads."""
    code = f"{program}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
        .stdout.splitlines()[-1]
        .split()
    )


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (number_of(1, "deal or draw", "deals and draws"), "1 deal or draw"),
        (number_of(0, "match", "matches"), "0 matches"),
        (number_of(1, "digest"), "1 digest"),
        (number_of(2, "digest"), "2 digests"),
    ],
)
def test_one_of_a_thing_is_not_many(told, text):
    assert told == text


def test_the_list_of_commands_loads_none_of_them():
    program = "from api.command_line.main import cli\ncli(['--help'], standalone_mode=False)"
    heavy = {"litestar", "granian", "httpx", "babel", "redis", "structlog", "msgspec", "asyncio"}
    assert not heavy & (loaded_by(program) - {"msgspec"})


def test_the_supervisor_stays_small():
    program = "import api.command_line.commands.up, api.command_line.service, api.supervision.supervisor"
    assert not {"litestar", "granian", "httpx", "babel", "redis", "rq"} & loaded_by(program)


def test_every_command_is_listed_with_what_its_own_help_says():
    listed = CliRunner().invoke(cli, ["--help"]).output
    for name in cli.list_commands(click.Context(cli)):
        helped = CliRunner().invoke(cli, [name, "--help"])
        assert helped.exit_code == 0
        assert f"Usage: tablee {name}" in helped.output.replace("cli", "tablee")
        assert name in listed


def test_what_tablee_reports_is_a_line_and_an_interruption_is_no_finding():
    @click.command()
    def refuses() -> None:
        raise Refused("some.code", "rule")

    @click.command()
    def interrupted() -> None:
        raise KeyboardInterrupt

    class Group(LazyGroup):
        def get_command(self, ctx, cmd_name):  # noqa: ARG002 - click's signature
            return {"refuses": refuses, "interrupted": interrupted}.get(cmd_name)

    group = Group("group", entries={"refuses": Entry("", ""), "interrupted": Entry("", "")})
    failed = CliRunner().invoke(group, ["refuses"])
    assert (failed.exit_code, failed.stderr) == (2, "tablee: some.code\n")
    assert CliRunner().invoke(group, ["interrupted"]).exit_code == 130
    assert CliRunner().invoke(group, ["unheard"]).exit_code == 2


def walk(game, seats=3, steps=40):
    """States of a match in which somebody is to move, with that seat and its legal moves."""
    rules = CURRENT[game]
    chance = Chance("5e" * 32)
    state = rules.initial(msgspec.convert(shortest(rules), rules.options_type), seats)
    for event in rules.start(state, chance):
        state = rules.evolve(state, event)
    for step in range(steps):
        if rules.is_over(state):
            return
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat)
        assert legal is not None
        moves = [msgspec.to_builtins(move) for move in rules.expand(legal)]
        yield state, seat, msgspec.to_builtins(legal), moves
        move = list(rules.expand(legal))[step * 7 % len(moves)]
        for event in rules.decide(state, seat, move, chance):
            state = rules.evolve(state, event)


def as_typed(move):
    first, *rest = [(name, value) for name, value in move.items() if name != "type"] or [("", [])]
    words = [move["type"], *map(str, first[1] if isinstance(first[1], list | tuple) else [first[1]])]
    for name, value in rest:
        words += [name, str(value)]
    return " ".join(words)


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_can_be_typed(game):
    words = words_in("fr")
    for _, _, _, moves in walk(game):
        for move in moves[:60]:
            assert json.dumps(typed_move(as_typed(move), game, words)) == json.dumps(move)


def chosen(choices: tuple[Choice, ...]):
    for choice in choices:
        if choice.move is not None:
            yield choice.move
        yield from chosen(choice.answers)


@pytest.mark.parametrize("game", GAMES)
def test_all_that_can_be_chosen_is_legal_and_all_that_is_legal_can_be_chosen(game):
    teller = Teller(words_in("en"), (), 0)
    for state, seat, legal, moves in walk(game):
        seen = msgspec.to_builtins(CURRENT[game].view(state, seat_viewer(seat)))
        view = {"game": seen, "viewer": seat, "to_act": [seat]}
        choices = table_of(game).choices(teller, view, legal)
        assert len({choice.key for choice in choices}) == len(choices)
        reached = [json.dumps(move, sort_keys=True) for move in chosen(choices)]
        allowed = {json.dumps(move, sort_keys=True) for move in moves}
        assert len(set(reached)) == len(reached)
        assert set(reached) <= allowed
        left = [json.loads(move) for move in allowed.difference(reached)]
        # Two cards are turned up one by one, and with the last card a chip is named at once.
        assert all(
            len(move.get("slots", ())) == 2 or (legal.get("play_chips") and "chip" not in move)
            for move in left
        )


@pytest.mark.parametrize("viewer", [SPECTATOR, seat_viewer(1), EVERYTHING])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_written_from_every_view(game, viewer):
    teller = Teller(words_in("fr"), ("Anna", "Ben", "Cleo"), viewer.seat)
    for state, seat, _, _ in walk(game):
        seen = msgspec.to_builtins(CURRENT[game].view(state, viewer))
        lines = list(table_of(game).lines(teller, {"game": seen, "viewer": viewer.seat, "to_act": [seat]}))
        assert any("Anna" in line for line in lines)
        assert not any("{" in line or "None" in line for line in lines)


@pytest.mark.parametrize(
    ("game", "typed", "move"),
    [
        ("lama", "play 3", {"type": "play", "card": "3"}),
        ("lama", "PLAY l", {"type": "play", "card": "L"}),
        ("lama", "jouer lama", {"type": "play", "card": "L"}),
        ("lama", "play 4 chip black", {"type": "play", "card": "4", "chip": "black"}),
        ("lama", "jouer 4 noir", {"type": "play", "card": "4", "chip": "black"}),
        ("lama", "rendre aucun", {"type": "return", "chip": "none"}),
        ("lama", "  piocher ", {"type": "draw"}),
        ("lama", "play", None),
        ("lama", "play 9", None),
        ("lama", "play 3 4 5", None),
        ("lama", "", None),
        ("lama", "swap 4", None),
        ("odin", "play R8, R2 take B5", {"type": "play", "cards": ["R8", "R2"], "take": "B5"}),
        ("odin", "jouer r8 r2 prendre b5", {"type": "play", "cards": ["R8", "R2"], "take": "B5"}),
        ("odin", "passer", {"type": "pass"}),
        ("odin", "play R8 take", {"type": "play", "cards": ["R8"]}),
        ("skyjo", "reveal 1.1 2.3", {"type": "reveal", "slots": [0, 7]}),
        ("skyjo", "reveal 0 7", {"type": "reveal", "slots": [0, 7]}),
        ("skyjo", "Révéler 3", {"type": "reveal", "slots": [3]}),
        ("skyjo", "echanger 4", {"type": "swap", "slot": 4}),
        ("skyjo", "swap four", None),
        ("skyjo", "swap 99", {"type": "swap", "slot": 99}),
    ],
)
def test_moves_are_typed_in_the_words_of_the_wire_or_of_the_language(game, typed, move):
    assert json.dumps(typed_move(typed, game, words_in("fr"))) == json.dumps(move)


def test_a_table_of_an_unknown_game_is_none():
    with pytest.raises(LookupError):
        table_of("os")


def test_a_refusal_is_told_with_its_rule():
    problem = Answered(422, {"code": "lama.pile_empty", "rule": "M8", "arguments": {}, "detail": "d"})
    assert problem_text(problem, "en", "lama") == (
        "There is nothing left to draw. Play a card or quit the round. "
        "Rule M8: The draw pile is not rebuilt during a round."
    )
    assert (
        problem_text(Answered(400, {"code": "new.code", "detail": "Something new."}), "en", "lama")
        == "Something new."
    )
    assert problem_text(Answered(502, {}), "en", "lama") == "502"


def test_a_command_is_sent_again_with_the_same_key_until_it_is_answered(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    answers: list[Exception | httpx.Response] = [
        httpx.ConnectError("refused"),
        httpx.Response(503, json={}),
        httpx.Response(429, json={}),
        httpx.Response(201, json={"seat_token": "t"}),
    ]
    keys = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        given = answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    with Client("http://service") as client:
        client.http = httpx.Client(base_url="http://service", transport=httpx.MockTransport(answer))
        assert client.sit("m", 0) == "t"
    assert len(keys) == 4
    assert len(set(keys)) == 1


def test_a_service_that_never_answers_is_given_up():
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with Client("http://service", patience=0) as client:
        client.http = httpx.Client(base_url="http://service", transport=httpx.MockTransport(refuse))
        with pytest.raises(CommandFailed, match="does not answer"):
            client.view("m")


def test_a_problem_that_is_none_is_told_by_its_status():
    with Client("http://service", patience=0) as client:
        client.http = httpx.Client(
            base_url="http://service",
            transport=httpx.MockTransport(lambda _: httpx.Response(502, text="<html>")),
        )
        with pytest.raises(Answered) as caught:
            client.view("m")
    assert (caught.value.status, str(caught.value)) == (502, "502")


def test_seats_are_kept_for_their_owner_s_eyes(tmp_path):
    for number, match in enumerate(("one", "two")):
        save_seat(tmp_path, SavedSeat(match, "lama", 0, "secret", number))
    assert stat.S_IMODE((tmp_path / "seats" / "one.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "seats").stat().st_mode) == 0o700
    assert find_seat(tmp_path, "one") == SavedSeat("one", "lama", 0, "secret")
    assert find_seat(tmp_path, "") == SavedSeat("two", "lama", 0, "secret", 1)
    assert find_seat(tmp_path, "../seats/one") is None
    forget_seat(tmp_path, SavedSeat("two", "lama", 0, "secret", 1))
    assert find_seat(tmp_path, "two") is None
    (tmp_path / "seats" / "one.json").write_text("{")
    assert find_seat(tmp_path, "") is None


def test_what_is_printed_cannot_command_the_terminal():
    assert visible("a\x1b[2Jb\x07\x9b\u202e\n") == r"a\u001b[2Jb\u0007\u009b\u202e\u000a"


def test_options_of_a_game_are_numbers_where_they_look_like_it():
    assert game_options(("limit=single", "first=2")) == {"limit": "single", "first": 2}
    for wrong in ("limit", "=3", "limit="):
        with pytest.raises(click.UsageError):
            game_options((wrong,))


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANG": "en_GB", "LANGUAGE": "de:fr"}, "fr"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_terminal(monkeypatch, variables, language):
    for name in ("LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert spoken_language(None) == language
    assert spoken_language("en") == "en"

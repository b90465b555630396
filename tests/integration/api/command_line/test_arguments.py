"""What may stand on the command line: values, options in front of the command, completion."""

import json

import pytest
from click.testing import CliRunner

from api.command_line.main import cli

REASON = ("--reason", "a test")


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (
            ("matches", "--phase", "foo"),
            "'gathering', 'playing', 'finished', 'abandoned', 'archived', 'broken'",
        ),
        (("find", "--game", "chess"), "'lama', 'odin', 'skyjo'"),
        (("find", "--state", "broken"), "'gathering', 'playing', 'finished', 'abandoned', 'archived'"),
        (("find", "--since", "yesterday"), "an instant with its zone"),
        (("find", "--until", "2026-13-01"), "an instant with its zone"),
        (("find", "--since", "2026-11-30", "--until", "2026-11-29"), "--since must be earlier than --until"),
        (("find", "--player", " "), "a name or an opaque id"),
        (("find", "--event", "RoundScore"), "RoundScored"),
        (("find", "--where", "True", "--unseal", ""), "one line of 1 to 200 characters"),
        (("play", "chess"), "'lama', 'odin', 'skyjo'"),
        (("play", "lama", "--level", "grand"), "'expert'"),
        (("play", "lama", "--language", "de"), "'en', 'fr'"),
        (("play", "--resume", "a/b"), "1 to 64 letters"),
        (("demo", "chess"), "'lama', 'odin', 'skyjo'"),
        (("demo", "lama", "--level", "grand"), "'expert'"),
        (("demo", "lama", "--option", "limit"), "NAME=VALUE"),
        (("replay", "live-lama", "--as", "me"), "spectator, everything, or seat0, seat1"),
        (("replay", "live-lama", "--at", "0"), "x>=1"),
        (("diff", "live-lama", "1", "--as", "seat"), "spectator, everything, or seat0, seat1"),
        (("diff", "live-lama", "1", "999"), "versions"),
        (("export", "--all", "--as", "player"), "spectator, everything, or seat0, seat1"),
        (("log", "live-lama", "--after", "999"), "there is none after 999"),
        (("log", "live-lama", "--unseal", "two\nlines"), "one line of 1 to 200 characters"),
        (("tail", "live-lama", "-n", "-1"), "x>=0"),
        (("who-knew", "finished-odin", "X9"), "there are R1"),
        (("who-knew", "finished-odin", "R8", "--at", "9999"), "has no version 9999"),
        (("hand-over", "live-lama", "seat0", "--level", "grand", *REASON), "'expert'"),
        (("hand-over", "live-lama", "first", *REASON), "seat0 is the first one"),
        (("end", "live-lama", "--reason", " "), "one line of 1 to 200 characters"),
        (("void", "live lama", *REASON), "1 to 64 letters"),
        (("rebuild", "players"), "'matches'"),
        (("digest", "0"), "x>=1"),
        (("digest", "1", "--list"), "Name a digest, or say"),
        (("trace", "a b"), "1 to 64 letters"),
        (("trace", "abc", "--match", "a b"), "1 to 64 letters"),
        (("archive", "a b"), "1 to 64 letters"),
        (("verify", "a b"), "1 to 64 letters"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_is_allowed(tablee, played, arguments, allowed):
    result = tablee(*arguments, "--data", played.folder)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert allowed in " ".join(result.stderr.split())


def test_options_may_stand_in_front_of_the_command(tablee, played):
    after = tablee("matches", "--json", "--data", played.folder)
    assert tablee("--data", played.folder, "matches", "--json").stdout == after.stdout
    assert tablee("--redis", played.url, "matches", "--json").stdout == after.stdout
    assert len(json.loads(after.stdout.splitlines()[0])) > 0


def test_the_commands_own_option_wins(tablee, played, data):
    assert tablee("--data", data, "matches", "--data", played.folder).exit_code == 0
    refused = tablee("--data", played.folder, "matches", "--data", data)
    assert (refused.exit_code, str(data) in refused.stderr) == (2, True)


def test_an_option_in_front_of_a_command_that_does_not_take_it_is_refused(tablee):
    refused = tablee("--redis", "redis://localhost", "store")
    assert refused.exit_code == 2
    assert "tablee store takes no --redis." in refused.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_be_taught_to_complete(shell, monkeypatch):
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda *_: None)
    taught = CliRunner().invoke(cli, prog_name="tablee", env={"_TABLEE_COMPLETE": f"{shell}_source"})
    assert taught.exit_code == 0
    assert f"_TABLEE_COMPLETE={shell}_complete" in taught.stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("tablee ver", ["verify"]),
        ("tablee re", ["rematch", "replay", "replay-all", "restore", "rebuild", "refusals"]),
        ("tablee --da", ["--data"]),
        ("tablee matches --ph", ["--phase"]),
        ("tablee matches --phase ga", ["gathering"]),
        ("tablee play s", ["skyjo"]),
    ],
)
def test_names_options_and_values_are_completed(words, completed):
    environment = {
        "_TABLEE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    told = CliRunner().invoke(cli, prog_name="tablee", env=environment)
    assert [line.rpartition(",")[2] for line in told.stdout.splitlines()] == completed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--server", "http://127.0.0.1:9", "--token", "\N{LATIN SMALL LETTER E WITH ACUTE}"),
            "only letters",
        ),
        (("--server", "http://a..b"), "is not an address"),
    ],
)
def test_a_token_or_an_address_that_cannot_be_sent_is_told(tablee, arguments, said):
    answered = tablee("matches", *arguments)
    assert answered.exit_code in {1, 2}
    assert said in answered.output
    assert "codec" not in answered.output

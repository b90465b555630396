"""``log``, ``tail``, ``replay`` and ``matches``, on stores that somebody else has started."""

import json

import msgspec
import pytest

from domain.chain import genesis, link
from domain.entries import decode_envelope
from tests.kit.games import every_key


def lines(result):
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_the_log_is_printed_byte_for_byte_so_that_anybody_can_hash_it(tablee, played):
    match = played.finished["lama"]
    head = genesis(match)
    stored = lines(tablee("log", match, "--json", "--data", played.folder))
    for line in stored:
        head = link(head, line.encode())
    verdict = json.loads(tablee("verify", match, "--json", "--data", played.folder).stdout)
    assert (verdict["events"], verdict["head"]) == (len(stored), head.hex())


def test_the_log_shows_what_is_public_and_nothing_else(tablee, played):
    printed = tablee("log", played.live, "--redis", played.url)
    dealt = next(line for line in lines(printed) if "RoundStarted" in line)
    hands = msgspec.json.decode(dealt[dealt.index("{") :])["hands"]
    assert all(hand.keys() == {"sealed"} for hand in hands)
    assert "salt" not in printed.stdout


def test_the_log_can_begin_later(tablee, played):
    match = played.finished["odin"]
    whole = lines(tablee("log", match, "--json", "--data", played.folder))
    rest = lines(tablee("log", match, "--json", "--after", len(whole) - 2, "--data", played.folder))
    assert rest == whole[-2:]


def test_tail_prints_the_end_and_stops_following_when_the_match_is_over(tablee, played):
    match = played.finished["skyjo"]
    ends = lines(tablee("tail", match, "-n", 3, "--follow", "--json", "--data", played.folder))
    assert len(ends) == 3
    assert decode_envelope(ends[-1].encode()).type == "MatchFinished"


def test_matches_lists_game_phase_players_version_and_time(tablee, played):
    listed = [json.loads(line) for line in lines(tablee("matches", "--json", "--data", played.folder))]
    assert {match["match"] for match in listed} == {*played.finished.values(), played.live}
    assert [match["at"] for match in listed] == sorted((match["at"] for match in listed), reverse=True)
    live = next(match for match in listed if match["match"] == played.live)
    assert (live["game"], live["phase"], live["people"], live["bots"], live["seats"]) == (
        "lama",
        "playing",
        1,
        1,
        2,
    )
    table = lines(tablee("matches", "--phase", "playing", "--data", played.folder))
    assert len(table) == 2
    assert table[1].split()[:7] == [played.live, "lama", "playing", "1", "person,", "1", "bot"]


@every_key
def test_a_finished_match_is_replayed_at_every_version_from_all_eyes(tablee, played, game):
    match = played.finished[game]
    last = len(lines(tablee("log", match, "--json", "--data", played.folder)))
    for at in (1, last // 2, last):
        for eyes in ("spectator", "seat1", "everything"):
            replay = ("replay", match, "--at", at, "--as", eyes, "--redis", played.url)
            view = json.loads(tablee(*replay, "--json").stdout)
            assert view["version"] == at
            assert view["viewer"] == (1 if eyes == "seat1" else None)
            assert (view["seed"] is not None) == (eyes == "everything")
            for language in ("en", "fr"):
                shown = lines(tablee(*replay, "--language", language))
                assert f"version {at}," in shown[0]
                assert not any("{" in line for line in shown)


def test_a_seat_looks_back_with_its_own_eyes_only(tablee, played):
    view = json.loads(
        tablee(
            "replay", played.finished["odin"], "--at", 8, "--as", "seat1", "--json", "--redis", played.url
        ).stdout
    )
    assert [hand is not None for hand in view["game"]["hands"]] == [False, True, False]
    assert view["game"]["undealt_cards"] is None


def test_a_live_match_is_shown_to_spectators_only(tablee, played):
    shown = tablee("replay", played.live, "--data", played.folder)
    assert "Your hand" not in shown.stdout
    view = json.loads(tablee("replay", played.live, "--json", "--data", played.folder).stdout)
    assert view["game"]["hands"] == [None, None]
    for eyes in ("seat0", "everything"):
        refused = tablee("replay", played.live, "--as", eyes, "--data", played.folder)
        assert refused.exit_code == 2
        assert "--unseal REASON" in refused.stderr
        assert refused.stdout == ""


def test_the_words_follow_the_terminal_or_the_option(tablee, played, monkeypatch):
    command = ("replay", played.finished["lama"], "--at", 6, "--data", played.folder)
    assert "being played" in tablee(*command).stdout
    monkeypatch.setenv("LANGUAGE", "de:fr:en")
    assert "en cours" in tablee(*command).stdout
    assert "being played" in tablee(*command, "--language", "en").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("log", "nobody"), "There is no match nobody."),
        (("tail", "nobody"), "There is no match nobody."),
        (("replay", "nobody"), "There is no match nobody."),
        (("verify", "nobody"), "There is no match nobody."),
        (("log", "no/such"), "'no/such' is not a valid match id"),
        (("replay", "live-lama", "--at", "999"), "there is no version 999"),
        (("replay", "live-lama", "--as", "seat7"), "seat0 to seat1"),
        (("verify",), "Name matches, or say --all, or name a digest"),
        (("verify", "live-lama", "--all"), "Name matches, or say --all, or name a digest"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line_with_exit_code_2(tablee, played, arguments, told):
    result = tablee(*arguments, "--data", played.folder)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_folder_that_is_none_is_not_made_into_one(tablee, data):
    result = tablee("matches", "--data", data)
    assert result.exit_code == 2
    assert "is no data folder" in result.stderr
    assert not data.exists()


def test_a_server_that_holds_no_log_is_left_as_it_was(tablee, played):
    from redis import Redis

    with Redis.from_url(played.url, db=1) as empty:
        result = tablee("verify", "--all", "--redis", f"{played.url}?db=1")
        assert (result.exit_code, empty.dbsize()) == (2, 0)
    assert "There is no match yet" in result.stderr


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "unix:///nowhere.sock"])
def test_a_server_that_does_not_answer_is_named(tablee, url):
    result = tablee("matches", "--redis", url)
    assert result.exit_code == 2
    assert url in result.stderr


def test_inspect_tells_how_a_match_stands_without_a_card(tablee, played):
    told = tablee("inspect", played.live, "--redis", played.url)
    assert "The log is whole and untouched" in told.stdout
    assert f"tablee hand-over {played.live}" in told.stdout
    plain = json.loads(tablee("inspect", played.live, "--json", "--redis", played.url).stdout)
    assert (plain["game"], plain["phase"], plain["status"]) == ("lama", "playing", "open")
    assert plain["verdict"]["good"]
    assert not {"hands", "pile", "seed"} & plain.keys()
    over = json.loads(tablee("inspect", played.finished["odin"], "--json", "--data", played.folder).stdout)
    assert [advice["code"] for advice in over["advice"]] == ["over"]
    assert tablee("inspect", "no-such-match", "--redis", played.url).exit_code == 2

"""What the public part of every event says."""

import json

from domain.entries import CommandMark, decode_envelope, decode_openings, encode_envelope, encode_openings
from domain.match.command_handler import CommandMetadata
from domain.match.commands import PlayMove
from tests.kit.games import every_game
from tests.kit.instants import NOON, at
from tests.kit.table import Table, gathered, started


def played(game, metadata: CommandMetadata) -> Table:
    table = started(game, 2, per_turn=60)
    seat = table.to_act[0]
    table.now = at(3)
    return table.when(PlayMove(seat, table.legal(seat)[0]), metadata=metadata)


@every_game
def test_it_says_who_acted_for_which_seat_through_which_door_under_which_command_and_when(game):
    table = played(game, CommandMetadata("player-x", "page", "k1", trace="t1"))
    first = len(table.entries) - len(table.happened) + 1
    for envelope in table.envelopes[first - 1 :]:
        assert envelope.actor == "player-x"
        assert envelope.door == "page"
        assert envelope.command == CommandMark("k1", first, len(table.entries))
        assert envelope.trace == "t1"
        assert envelope.seat in {0, 1}
        assert envelope.at == at(3)
        assert envelope.note == ""


@every_game
def test_it_says_why_a_move_was_not_the_actors_own_choice(game):
    assert (
        played(game, CommandMetadata("bot-0", "bot", "k1", note="fallback")).envelopes[-1].note == "fallback"
    )


@every_game
def test_versions_are_dense_and_each_event_lies_in_its_command(game):
    table = started(game, 3, nonces=True)
    for _ in range(20):
        table.move(table.to_act[0])
    for version, envelope in enumerate(table.envelopes, 1):
        assert envelope.v == version
        assert envelope.command.first <= version <= envelope.command.last
    commands = list(dict.fromkeys(envelope.command for envelope in table.envelopes))
    assert [mark.first for mark in commands] == [1, *(mark.last + 1 for mark in commands[:-1])]


@every_game
def test_the_stored_bytes_are_json_that_any_tool_can_read(game):
    table = played(game, CommandMetadata("player-x", "page", "k1", trace="t1"))
    plain = json.loads(table.entries[-1].e)
    assert plain["v"] == len(table.entries)
    assert plain["type"] == type(table.happened[-1]).__name__
    assert plain["at"] == "2026-11-29T12:00:03.000Z"
    assert plain["command"] == {"id": "k1", "from": plain["command"]["from"], "to": plain["v"]}
    assert isinstance(plain["data"], dict)


def test_what_is_not_there_is_left_out():
    plain = json.loads(gathered("lama", 2).entries[0].e)
    assert sorted(plain) == ["actor", "at", "command", "data", "door", "type", "v"]
    assert plain["at"] == NOON


def test_an_envelope_and_its_openings_survive_being_stored():
    for entry in started("skyjo", 3, nonces=True, per_turn=60).entries:
        assert encode_envelope(decode_envelope(entry.e)) == entry.e
        assert encode_openings(decode_openings(entry.s)) == entry.s


def test_no_openings_are_no_bytes():
    assert encode_openings(()) == b""
    assert decode_openings(b"") == ()


@every_game
def test_the_first_event_pins_the_rules_the_format_and_the_generator(game):
    terms = started(game, 2).state.terms
    assert terms is not None
    assert (terms.rules, terms.format, terms.generator) == (game.rules_number, 1, 1)


@every_game
def test_the_seed_is_sealed_for_nobody_until_the_end(game):
    table = started(game, 2)
    assert table.seed.encode() not in b"".join(entry.e for entry in table.entries)
    (opening,) = decode_openings(table.entries[0].s)
    assert (opening.field, opening.seats) == ("seed", ())

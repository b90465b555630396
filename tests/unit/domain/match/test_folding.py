"""From stored bytes to the state, and what cannot be read."""

import msgspec
import pytest

from domain.chain import genesis
from domain.entries import StoredEntry, decode_envelope, encode_envelope, encode_openings
from domain.errors import BrokenLog
from domain.match.codec import CREATION_CODEC, codec_of
from domain.match.fold import beginning, fold, fold_named, follow, happened, positions
from domain.match.hashing import state_hash
from domain.match.upcasting import NewerRelease
from tests.kit.games import every_game
from tests.kit.instants import at
from tests.kit.log import events_of
from tests.kit.table import Table, gathered, started


def played(game) -> Table:
    table = started(game, 2, nonces=True, per_turn=60)
    for second in range(10):
        table.now = at(second)
        table.move(table.to_act[0])
    return table


def test_a_match_begins_with_nothing():
    start = beginning("m1")
    assert (start.match, start.version, start.head, start.at) == ("m1", 0, genesis("m1"), "")
    assert start.state.lifecycle.phase == "none"


def test_folding_nothing_changes_nothing():
    start = beginning("m1")
    assert fold(start, ()) is start
    assert list(positions(start, ())) == []


@every_game
def test_the_stored_bytes_fold_to_what_is_in_memory(game):
    table = played(game)
    assert fold(beginning("m1"), table.entries) == table.position


@every_game
def test_folding_in_pieces_is_folding_at_once(game):
    table = played(game)
    for cut in range(len(table.entries) + 1):
        half = fold(beginning("m1"), table.entries[:cut])
        assert half.version == cut
        assert fold(half, table.entries[cut:]) == table.position


@every_game
def test_every_position_on_the_way_can_be_had(game):
    table = played(game)
    on_the_way = list(positions(beginning("m1"), table.entries))
    assert [position.version for position in on_the_way] == list(range(1, len(table.entries) + 1))
    assert on_the_way[-1] == table.position
    for position in on_the_way:
        assert position == fold(beginning("m1"), table.entries[: position.version])


@every_game
def test_a_position_carries_head_instant_door_and_trace_of_its_last_event(game):
    table = played(game)
    for position, envelope, entry in zip(
        positions(beginning("m1"), table.entries), table.envelopes, table.entries, strict=True
    ):
        assert (position.head, position.at, position.door, position.trace) == (
            entry.h,
            envelope.at,
            envelope.door,
            envelope.trace,
        )


@every_game
def test_events_come_back_as_they_were(game):
    table = started(game, 2)
    assert events_of("m1", table.entries)[-len(table.happened) :] == table.happened


def test_a_type_that_the_game_does_not_have():
    table = started("lama", 2)
    entry = table.entries[-1]
    strange = msgspec.structs.replace(decode_envelope(entry.e), type="CentreBurnt")
    changed = msgspec.structs.replace(entry, e=encode_envelope(strange))
    with pytest.raises(NewerRelease, match="CentreBurnt"):
        happened(table.state, changed)


def test_a_games_event_before_it_is_known_which_game_it_is():
    entry = started("lama", 2).entries[-1]
    with pytest.raises(msgspec.ValidationError):
        happened(beginning("m1").state, entry)


def test_a_sealed_field_without_its_opening():
    table = started("lama", 2)
    entry = msgspec.structs.replace(table.entries[-1], s=encode_openings(()))
    with pytest.raises(msgspec.ValidationError):
        happened(table.state, entry)


def test_bytes_that_are_no_envelope():
    table = started("lama", 2)
    with pytest.raises(msgspec.DecodeError):
        happened(table.state, msgspec.structs.replace(table.entries[-1], e=b"{"))


@every_game
def test_one_codec_serves_all_matches_of_a_game(game):
    assert codec_of(game.key, game.rules_number) is codec_of(game.key, game.rules_number)


def test_the_first_event_is_read_without_knowing_the_game():
    entry = started("odin", 2).entries[1]
    event = CREATION_CODEC.event(decode_envelope(entry.e), ())
    assert type(event).__name__ == "SeatTaken"


@every_game
def test_no_two_events_of_a_log_share_a_name(game):
    from domain.match.events import MATCH_EVENTS

    names = [kind.__name__ for kind in (*MATCH_EVENTS, *game.event_types)]
    assert len(set(names)) == len(names)


@every_game
def test_a_sealed_field_has_no_default_or_it_could_be_left_out_of_the_seal(game):
    for kind in game.event_types:
        required = {field.name for field in msgspec.structs.fields(kind) if field.required}
        assert kind.SEALED.keys() <= required


@every_game
def test_the_state_hash_is_that_of_the_state_read_back_from_json(game):
    table = played(game)
    back = msgspec.json.decode(msgspec.json.encode(table.present), type=game.state_type)
    assert back == table.present
    assert state_hash(msgspec.structs.replace(table.state, game=back)) == state_hash(table.state)


class TestFollowing:
    @every_game
    def test_a_whole_log_folds_as_it_does_without_a_look_at_its_chain(self, game):
        table = played(game)
        assert follow(beginning("m1"), table.entries) == table.position

    @every_game
    def test_an_altered_event_is_named_and_nothing_is_folded(self, game):
        table = played(game)
        altered = [replaced_bytes(entry, b'"door":"api"', b'"door":"bot"') for entry in table.entries]
        with pytest.raises(BrokenLog) as broken:
            follow(beginning("m1"), altered)
        assert (broken.value.code, broken.value.version) == ("log.chain_broken", 1)

    @pytest.mark.parametrize(
        ("old", "new", "why"),
        [
            (b'"SeatReady"', b'"ColumnDiscarded"', "this game has no such event"),
            (b'"seat":1', b'"seat":"x"', "its data is not that of such an event"),
            (
                b'"data":{"seat":1',
                b'"data":{"seat":9',
                "it cannot have happened after the events before it",
            ),
        ],
        ids=["an unknown type", "another kind of value", "a seat that is not there"],
    )
    def test_an_event_that_cannot_be_folded_is_named_with_the_reason(self, old, new, why):
        table = gathered("lama", 2)
        ready = next(e for e in reversed(table.envelopes) if e.type == "SeatReady")
        entries = list(table.entries)
        entries[ready.v - 1] = replaced_bytes(entries[ready.v - 1], old, new)
        with pytest.raises(BrokenLog, match=why) as broken:
            fold_named(beginning("m1"), entries)
        assert (broken.value.code, broken.value.version) == ("log.cannot_be_folded", ready.v)

    def test_an_event_of_a_newer_release_is_no_damage(self):
        table = gathered("lama", 2)
        entries = [*table.entries[:-1], replaced_bytes(table.entries[-1], b'"SeatReady"', b'"ChairReady"')]
        with pytest.raises(BrokenLog, match="ChairReady: a newer release wrote it") as broken:
            fold_named(beginning("m1"), entries)
        assert (broken.value.code, broken.value.version) == ("log.newer_release", len(entries))

    def test_a_game_of_a_newer_release_is_no_damage(self):
        table = gathered("lama", 2)
        entries = [replaced_bytes(table.entries[0], b'"rules":', b'"rules":99'), *table.entries[1:]]
        with pytest.raises(BrokenLog, match="lama under rules number 99") as broken:
            fold_named(beginning("m1"), entries)
        assert broken.value.code == "log.newer_release"


def replaced_bytes(entry: StoredEntry, old: bytes, new: bytes) -> StoredEntry:
    return msgspec.structs.replace(entry, e=entry.e.replace(old, new))

"""Events: what is sealed for whom, what they record of chance, how they are written."""

import msgspec
import pytest

from domain.chance import Chance
from domain.games.odin.cards import CARDS
from domain.games.odin.events import FirstPlayerDrawn, Passed, RoundStarted
from domain.games.odin.moves import OdinMove, Pass
from domain.games.odin.options import OdinOptions
from domain.games.recorded_chance import RecordedPick, RecordedShuffle, pick_of, shuffle_of
from domain.sealing import redact, seal, sealed_fields, unseal
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from tests.unit.domain.games.odin.arrange import CHANCE, GAME, given, play, when

SEED = "5e" * 32


def first_deal(seats: int) -> RoundStarted:
    event = GAME.start(GAME.initial(OdinOptions(), seats), CHANCE)[1]
    assert isinstance(event, RoundStarted)
    return event


@pytest.mark.parametrize("seats", range(2, 7))
def test_hands_are_sealed_for_their_seats_and_undealt_cards_for_nobody(seats: int):
    event = first_deal(seats)

    public, openings = seal(event, 3, SEED)

    assert sealed_fields(public).keys() == {"undealt", *(f"hands/{seat}" for seat in range(seats))}
    assert {key: public[key] for key in ("round", "shuffle", "starter")} == {
        "round": 1,
        "shuffle": 0,
        "starter": event.starter,
    }
    assert not set(CARDS) & set(msgspec.json.encode(public).decode().split('"'))
    assert redact(openings, SPECTATOR) == ()
    (own,) = redact(openings, seat_viewer(1))
    assert (own.field, msgspec.json.decode(own.value)) == ("hands/1", list(event.hands[1]))
    assert len(redact(openings, EVERYTHING)) == seats + 1


@pytest.mark.parametrize("seats", range(2, 7))
def test_an_opened_deal_can_be_recomputed_from_its_event(seats: int):
    public, openings = seal(first_deal(seats), 3, SEED)

    event = msgspec.convert(unseal(public, openings), RoundStarted)

    assert shuffle_of(event) == RecordedShuffle(1, 0, CHANCE.shuffle(CARDS, 1, 0))


def test_later_deals_are_shuffles_of_their_own_round():
    event = when(given("R4", "Y1"), play("R4")).events[-1]

    assert shuffle_of(event) == RecordedShuffle(2, 0, CHANCE.shuffle(CARDS, 2, 0))


def test_the_drawn_first_player_can_be_recomputed():
    event = GAME.start(GAME.initial(OdinOptions(), 5), CHANCE)[0]

    assert pick_of(event) == RecordedPick(5, "first", CHANCE.pick(5, "first"))


def test_other_events_record_no_chance():
    assert shuffle_of(FirstPlayerDrawn(1, 2)) is None
    assert pick_of(Passed(0, 1)) is None


def test_the_same_cards_come_whatever_was_played():
    position = given("R4 R5", "Y1 Y2")

    straight = when(position, play("R4 R5"))
    winding = when(position, play("R4"), Pass(), play("R5"))

    assert straight.events[-1] == winding.events[-1]
    assert GAME.start(GAME.initial(OdinOptions(), 2), Chance("0d" * 32, ("a", "b")))[-1] != first_deal(2)


@pytest.mark.parametrize(
    ("written", "move"),
    [
        (b'{"type":"play","cards":["R8","R2"],"take":"B5"}', play("R8 R2", "B5")),
        (b'{"type":"play","cards":["R8"]}', play("R8")),
        (b'{"type":"pass"}', Pass()),
    ],
)
def test_moves_on_the_wire(written: bytes, move: OdinMove):
    assert msgspec.json.decode(written, type=OdinMove) == move
    assert msgspec.json.encode(move) == written


@pytest.mark.parametrize(
    "written",
    [
        b'{"type":"play"}',
        b'{"type":"play","cards":[]}',
        b'{"type":"play","cards":["R0"]}',
        b'{"type":"play","cards":["P1"]}',
        b'{"type":"play","cards":["R1\\n"]}',
        b'{"type":"play","cards":["R1"],"take":"1R"}',
        b'{"type":"play","cards":["R1"],"slot":1}',
        b'{"type":"pass","cards":["R1"]}',
        b'{"type":"draw"}',
        b'{"cards":["R1"]}',
    ],
)
def test_what_is_no_move_cannot_be_read(written: bytes):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=OdinMove)

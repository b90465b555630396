"""The events as they are stored: names, what is sealed in them, how a deal is rebuilt from one of them."""

import msgspec
import pytest

from domain.chance import Chance
from domain.games.recorded_chance import RecordedShuffle, shuffle_of
from domain.games.skyjo.cards import CARDS
from domain.games.skyjo.events import (
    BoardsRevealed,
    CardDrawn,
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    ColumnDiscarded,
    DiscardTaken,
    PileReshuffled,
    PlayBegan,
    RoundClosed,
    RoundScored,
    RoundStalled,
    RoundStarted,
    SkyjoEvent,
)
from domain.sealing import redact, seal, sealed_fields, unseal
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round

SEED = CHANCE.seed

STORED: tuple[tuple[SkyjoEvent, str], ...] = (
    (
        RoundStarted(2, 0, 5, ((1, 2), (3, 4)), (6, 7), 1),
        '{"round":2,"shuffle":0,"discard":5,"boards":[[1,2],[3,4]],"pile":[6,7],"starter":1}',
    ),
    (CardsRevealed(1, (0, 7), (12, -2)), '{"seat":1,"slots":[0,7],"cards":[12,-2]}'),
    (PlayBegan(0, (7, 3)), '{"seat":0,"sums":[7,3]}'),
    (DiscardTaken(0, 4, 2, 9, 1), '{"seat":0,"slot":4,"card":2,"replaced":9,"next_seat":1}'),
    (DiscardTaken(0, 4, 2, 9), '{"seat":0,"slot":4,"card":2,"replaced":9}'),
    (PileReshuffled(1, 1, (7,), (2, 1)), '{"round":1,"shuffle":1,"discard":[7],"pile":[2,1]}'),
    (CardDrawn(0, 12), '{"seat":0,"card":12}'),
    (CardSwapped(0, 4, 12, 9, 1), '{"seat":0,"slot":4,"card":12,"replaced":9,"next_seat":1}'),
    (CardFlipped(0, 4, 3, 12, 1), '{"seat":0,"slot":4,"card":3,"discarded":12,"next_seat":1}'),
    (ColumnDiscarded(0, 3, -2), '{"seat":0,"column":3,"card":-2}'),
    (RoundClosed(0), '{"seat":0}'),
    (RoundStalled(24), '{"turns":24}'),
    (BoardsRevealed(((1, "gone"), (2, 3))), '{"boards":[[1,"gone"],[2,3]]}'),
    (
        RoundScored(1, (9, 9), (18, 9), (18, 9), 0, over=True),
        '{"round":1,"raw":[9,9],"points":[18,9],"totals":[18,9],"doubled":0,"over":true}',
    ),
    (RoundScored(1, (6, 7), (6, 7), (6, 7)), '{"round":1,"raw":[6,7],"points":[6,7],"totals":[6,7]}'),
)


@pytest.mark.parametrize(("event", "stored"), STORED, ids=[type(event).__name__ for event, _ in STORED])
def test_an_event_is_stored_under_these_names(event: SkyjoEvent, stored: str) -> None:
    assert msgspec.json.encode(event).decode() == stored
    assert msgspec.json.decode(stored, type=type(event)) == event


def test_every_type_of_event_is_listed() -> None:
    assert {type(event) for event, _ in STORED} == set(GAME.event_types)


def test_a_deal_shows_the_opening_discard_and_nothing_else() -> None:
    (started,) = GAME.start(GAME.initial(GAME.options_type(), 3), CHANCE)

    public, openings = seal(started, 5, SEED)

    assert set(sealed_fields(public)) == {"boards", "pile"}
    assert {name: public[name] for name in public.keys() - {"boards", "pile"}} == {
        "round": 1,
        "shuffle": 0,
        "discard": started.discard,  # type: ignore[union-attr]
    }
    for viewer in (SPECTATOR, seat_viewer(0), seat_viewer(2)):
        assert redact(openings, viewer) == ()


def test_a_reshuffle_shows_the_cards_that_stayed_and_nothing_else() -> None:
    public, openings = seal(PileReshuffled(1, 1, (7,), (2, 1, 3)), 5, SEED)

    assert set(sealed_fields(public)) == {"pile"}
    assert redact(openings, seat_viewer(0)) == ()


def test_a_drawn_card_is_opened_for_its_drawer_alone() -> None:
    public, openings = seal(CardDrawn(2, 12), 5, SEED)

    assert public.keys() == {"seat", "card"}
    assert set(sealed_fields(public)) == {"card"}
    assert redact(openings, SPECTATOR) == redact(openings, seat_viewer(0)) == ()
    assert redact(openings, seat_viewer(2)) == redact(openings, EVERYTHING) == openings


def test_all_other_events_are_public() -> None:
    sealed = {kind for kind in GAME.event_types if kind.SEALED}

    assert sealed == {RoundStarted, PileReshuffled, CardDrawn}


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_deal_is_rebuilt_from_its_one_event(seats: int) -> None:
    (started,) = GAME.start(GAME.initial(GAME.options_type(), seats), CHANCE)
    public, openings = seal(started, 5, SEED)

    opened = msgspec.convert(unseal(public, openings), RoundStarted)

    assert shuffle_of(opened) == RecordedShuffle(1, 0, CHANCE.shuffle(CARDS, 1, 0))


def test_the_dealt_order_lies_as_it_is_recorded() -> None:
    state = new_round(3)

    assert state.dealt == CHANCE.shuffle(CARDS, 1, 0)
    assert [len(cards) for cards in state.boards] == [12, 12, 12]
    assert state.discard == (36,)
    assert list(state.pile) == list(range(37, 150))


def test_two_seeds_give_two_deals() -> None:
    assert new_round(2).dealt != new_round(2, chance=Chance("0b" * 32)).dealt
    assert new_round(2).dealt != new_round(2, chance=Chance(SEED, ("nonce", ""))).dealt

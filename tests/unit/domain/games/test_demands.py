"""What the contract demands is checked when a game is registered, and every fault is named."""

import re
import types
from typing import ClassVar

import msgspec
import pytest

from domain.games.contract import Game, Move, Options
from domain.games.demands import GameUnfit, check_game
from domain.games.lama.game import Lama
from domain.games.recorded_chance import GameEvent, PickFields, ShuffleFields
from domain.games.registry import CURRENT, GAMES, is_built_in, register
from domain.sealing import Audience
from tests.games.alone import GAMES as FROM_OUTSIDE
from tests.games.alone.events import TricksCounted
from tests.games.alone.game import Alone
from tests.games.alone.state import AloneState
from tests.kit.games import every_game


class Same(Alone):
    """A game from the same package with another key, so that it may differ in one respect."""

    key: ClassVar[str] = "same"


def event(name: str, **declared: object) -> type[GameEvent]:
    """Return an event type without fields."""
    body = {"__module__": __name__, **declared}
    made: type[GameEvent] = types.new_class(
        name, (GameEvent,), {"frozen": True}, lambda namespace: namespace.update(body)
    )
    return made


class Other(Move, frozen=True, tag="lay"):
    """A move with the tag of another."""


class Needed(Options, frozen=True):
    """Options without a default."""

    length: int


class Forgetful(AloneState, frozen=True):
    """A state that writes a field under a name that it does not read."""

    memory: frozenset[str] | str = frozenset({"a"})


@every_game
def test_every_game_fits(game):
    check_game(game)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"key": "Big-Game"}, "`key` takes 2 to 32 small letters and digits"),
        ({"rules_number": 0}, "`rules_number` counts from 1"),
        ({"seats": (3, 9)}, "`seats` is a pair, fewest and most, between 1 and 8"),
        ({"cards": ("R1", 2)}, "`cards` lists all cards, either texts or numbers"),
        ({"options_type": Needed}, "the option `length` has no default"),
        ({"options_type": AloneState}, "`options_type` is no subclass of Options"),
        ({"move_types": (*Alone.move_types, Other)}, "several moves are called `lay`"),
        ({"move_types": ()}, "`move_types` is empty"),
        ({"event_types": (*Alone.event_types, TricksCounted)}, "several events are called TricksCounted"),
        ({"event_types": (*Alone.event_types, event("MatchCreated"))}, "has the name of one of the match"),
        ({"event_types": (TricksCounted,)}, "no event has STARTS_ROUND"),
        ({"event_types": (event("Dealt", STARTS_ROUND=True),)}, "no event has SCORES_ROUND"),
        ({"event_types": (event("Done", SCORES_ROUND=True),)}, "the event Done has no field `totals`"),
        ({"event_types": (event("Paid", SETTLES_SCORE=True),)}, "the event Paid has no field `total`"),
        ({"event_types": (event("Cut", SHUFFLE=ShuffleFields(("pile",))),)}, "Cut has no field `pile`"),
        ({"event_types": (event("Drawn", PICK=PickFields("first")),)}, "Drawn has no field `below`"),
        ({"event_types": (event("Moved", CARDS=("card",)),)}, "Moved has no field `card`"),
        ({"event_types": (event("Bid", SEALED={"bid": Audience.SEAT}),)}, "Bid has no field `seat`"),
        ({"event_types": (Other,)}, "`event_types`: Other is no subclass of GameEvent"),
        ({"initial": lambda *_: Forgetful(Alone.options_type(), (0, 0))}, "does not survive being written"),
        ({"initial": lambda *_: 1 // 0}, "`initial` cannot be used: ZeroDivisionError"),
        ({"to_act": lambda *_: (0,)}, "`to_act` is not empty before the start"),
    ],
)
def test_a_game_that_does_not_fit_is_told_why_and_stays_out(changed, fault):
    game = type("Changed", (Same,), changed)()
    with pytest.raises(GameUnfit, match=re.escape(fault)):
        register(game)
    assert game.key not in CURRENT


def test_everything_that_is_missing_is_named_at_once():
    bare = type("Bare", (Game,), dict.fromkeys(Game.__abstractmethods__))()
    with pytest.raises(
        GameUnfit, match=r"`key` is missing; .*`seats` is missing; .*`event_types` is missing"
    ):
        check_game(bare)
    with pytest.raises(GameUnfit, match="no instance of a subclass"):
        check_game(object())


def test_registering_a_game_again_changes_nothing():
    before = dict(GAMES)
    register(FROM_OUTSIDE[0])
    register(Alone())
    assert dict(GAMES) == before


def test_two_games_cannot_have_one_key():
    with pytest.raises(GameUnfit, match="Lama has its key and rules number 1"):
        register(type("Imposter", (Alone,), {"key": "lama"})())
    with pytest.raises(GameUnfit, match=r"the package domain\.games\.lama has a game with its key"):
        register(type("Imposter", (Alone,), {"key": "lama", "rules_number": 9})())
    assert ("lama", 9) not in GAMES


def test_new_matches_get_the_rules_number_that_was_registered_first():
    assert isinstance(CURRENT["lama"], Lama)
    assert CURRENT["lama"].rules_number == 1
    assert [key for key in CURRENT if is_built_in(key)] == ["lama", "odin", "skyjo"]


def test_faults_stand_in_the_error():
    with pytest.raises(GameUnfit) as caught:
        check_game(type("Changed", (Same,), {"rules_number": 0, "seats": (0, 1)})())
    assert len(caught.value.faults) == 2
    assert msgspec.json.encode(str(caught.value)).startswith(b'"The game same cannot be registered: ')

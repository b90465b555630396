"""The game at the ends of earlier commands, and the state's other memory."""

from domain.match.commands import HandSeatToBot, ReclaimSeat
from domain.match.events import MoveRedone, MoveUndone, TurnTimedOut
from domain.match.evolve import Happened, evolve
from domain.match.hashing import state_hash
from domain.match.state import EMPTY, Past
from tests.kit.games import every_game
from tests.kit.instants import NOON
from tests.kit.table import gathered, started


def versions(past: Past | None) -> list[int]:
    found = []
    while past is not None:
        found.append(past.version)
        past = past.before
    return found[::-1]


def test_before_the_start_there_is_none():
    assert gathered("lama", 2).state.past is None


@every_game
def test_it_holds_the_game_at_the_end_of_every_command_that_changed_it(game):
    table = started(game, 2)
    kept = [(table.position.version, table.present)]
    for _ in range(12):
        table.move(table.to_act[0])
        kept.append((table.position.version, table.present))
    past = table.state.past
    for version, present in reversed(kept):
        assert past is not None
        assert past.version == version
        assert past.game is present
        past = past.before
    assert past is None


@every_game
def test_it_does_not_grow_by_commands_that_leave_the_game_as_it_was(game):
    table = started(game, 2)
    before = versions(table.state.past)
    table.when(HandSeatToBot(0)).when(ReclaimSeat(0))
    assert versions(table.state.past) == before


@every_game
def test_it_grows_once_by_a_command_of_several_events(game):
    table = started(game, 2, per_turn=60)
    assert versions(table.state.past) == [table.position.version]


@every_game
def test_states_share_their_past(game):
    table = started(game, 2)
    table.move(table.to_act[0])
    before = table.state.past
    table.move(table.to_act[0])
    assert table.state.past is not None
    assert table.state.past.before is before


class TestStateHash:
    @every_game
    def test_tells_games_and_lifecycles_apart(self, game):
        table = started(game, 2)
        hashes = {state_hash(table.state)}
        table.move(table.to_act[0])
        hashes.add(state_hash(table.state))
        hashes.add(state_hash(gathered(game, 2).state))
        assert len(hashes) == 3

    @every_game
    def test_does_not_depend_on_who_sits_there_or_when(self, game):
        table = started(game, 2)
        other = started(game, 2, per_turn=60)
        other.when(HandSeatToBot(0))
        assert state_hash(other.state) == state_hash(table.state)


class TestEvolveIsTotal:
    """It validates nothing: an event that no accepted log has leaves the state as it is."""

    @every_game
    def test_for_a_games_event_before_the_start(self, game):
        event = started(game, 2).happened[1]
        assert evolve(EMPTY, Happened(event, 1, ends=True, seat=None, at=NOON)) is EMPTY

    def test_for_a_start_before_the_table_was_made(self):
        event = started("lama", 2).happened[0]
        assert evolve(EMPTY, Happened(event, 1, ends=False, seat=None, at=NOON)) is EMPTY

    def test_for_a_turn_that_is_taken_back_before_the_start(self):
        for event in (MoveUndone(1, 0), MoveRedone(1, 0)):
            state = gathered("lama", 2).state
            assert evolve(state, Happened(event, 9, ends=False, seat=0, at=NOON)) is state

    def test_for_events_that_only_tell_something(self):
        state = started("lama", 2).state
        assert evolve(state, Happened(TurnTimedOut(0), 9, ends=False, seat=0, at=NOON)) is state

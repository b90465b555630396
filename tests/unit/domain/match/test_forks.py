"""A match that begins with a position of another one."""

import msgspec
import pytest

from domain.entries import decode_openings
from domain.match.commands import AbandonMatch, BeReady, CreateMatch, Fork, SeatPlan, StartMatch, TakeSeat
from domain.match.events import MatchCreated, MatchForked, MatchStarted
from domain.match.hashing import state_hash
from domain.match.verification import verify
from domain.viewers import SPECTATOR, seat_viewer
from tests.kit.cards import check_cards
from tests.kit.games import every_game, every_game_and_number_of_players
from tests.kit.invariants import Watch, check_chain
from tests.kit.log import redacted
from tests.kit.table import SEED, Table, started

OTHER_SEED = "f0" * 32


def played(game, seats: int = 3) -> Table:
    table = started(game, seats, nonces=True)
    for _ in range(12):
        table.move(table.to_act[0])
    return table


def fork_of(parent: Table, **how) -> Fork:
    terms = parent.state.terms
    assert terms is not None
    return Fork(
        parent="m0",
        key=terms.game,
        version=parent.position.version,
        head=parent.position.head.hex(),
        rules=terms.rules,
        options=terms.options,
        game=parent.present,
        entropy=parent.state.entropy,
        **{"same_cards": True, **how},
    )


def forked(parent: Table, *, begun: bool = True, seats: int = 0, **how) -> Table:
    """Return a fork in which everybody but the first seat is a bot."""
    number = seats or len(parent.state.seats)
    plans = (SeatPlan(), *(SeatPlan("steady"),) * (number - 1))
    table = Table()
    table.when(CreateMatch(parent.game.key, {}, plans, "host", OTHER_SEED, fork=fork_of(parent, **how)))
    if begun:
        table.when(TakeSeat("ann", 0)).when(BeReady(0)).when(StartMatch())
    return table


@every_game_and_number_of_players
def test_it_begins_where_the_other_one_was(game, seats):
    parent = played(game, seats)
    table = forked(parent)
    table.then(MatchStarted())
    assert table.present == parent.present
    assert state_hash(table.state) == state_hash(parent.state)
    assert table.to_act == parent.to_act


@every_game
def test_it_says_where_it_comes_from(game):
    parent = played(game)
    table = forked(parent, begun=False)
    created, origin, *_ = table.happened
    assert isinstance(created, MatchCreated)
    assert isinstance(origin, MatchForked)
    assert (origin.parent, origin.version, origin.head) == (
        "m0",
        parent.position.version,
        parent.position.head.hex(),
    )
    assert origin.redealt_for is None


@every_game
def test_with_the_same_cards_to_come_it_can_go_the_same_way(game):
    parent = played(game)
    table = forked(parent)
    for _ in range(25):
        if not parent.to_act:
            break
        parent.move(parent.to_act[0])
        table.move(table.to_act[0])
        assert table.present == parent.present


@every_game_and_number_of_players
def test_dealt_anew_it_looks_the_same_to_the_chosen_seat_and_is_another(game, seats):
    parent = played(game, seats)
    for seat in range(seats):
        table = forked(parent, same_cards=False, seat=seat)
        assert table.refusal is None
        for viewer in (SPECTATOR, seat_viewer(seat)):
            assert game.view(table.present, viewer) == game.view(parent.present, viewer)
        assert table.present != parent.present
        check_cards(game, table.present)


@every_game
def test_dealt_anew_it_says_for_whom_and_takes_no_entropy_along(game):
    table = forked(played(game), begun=False, same_cards=False, seat=1)
    origin = table.happened[1]
    assert isinstance(origin, MatchForked)
    assert origin.redealt_for == 1
    assert origin.entropy.seed == ""
    assert table.state.chance == table.state.entropy.chance


@every_game
def test_position_and_entropy_are_sealed_for_nobody(game):
    table = forked(played(game))
    sealed = {opening.field: opening.seats for opening in decode_openings(table.entries[1].s)}
    assert sealed == {"position": (), "entropy": ()}
    assert SEED.encode() not in b"".join(entry.e for entry in table.entries)
    for viewer in (SPECTATOR, seat_viewer(0)):
        assert redacted(table.entries[1], viewer).s == b""


@every_game
@pytest.mark.parametrize("same_cards", [True, False])
def test_its_log_needs_no_other_log(game, same_cards):
    table = forked(played(game), same_cards=same_cards)
    watch = Watch(table)
    for _ in range(20):
        if table.to_act:
            table.move(table.to_act[-1])
            watch.look()
    watch.finish()
    check_chain(table)


@every_game
def test_its_later_deals_are_recomputed_from_the_seed_that_they_came_from(game):
    parent = played(game, 2)
    table = forked(parent)
    first_deals = verify("m1", table.entries, complete=True).deals
    for _ in range(400):
        if not table.to_act or verify("m1", table.entries, complete=True).deals > first_deals:
            break
        seat = table.to_act[0]
        table.move(seat, game.fallback(table.present, seat))
    if table.to_act:
        verdict = verify("m1", table.entries, complete=True)
        assert verdict.good
        assert verdict.deals > first_deals


class TestRefusals:
    @every_game
    def test_a_match_that_is_over_has_nothing_to_play_on(self, game):
        parent = started(game, 2, bots=1)
        while parent.to_act:
            seat = parent.to_act[0]
            parent.move(seat, game.fallback(parent.present, seat))
        forked(parent, begun=False).refused("fork.nothing_to_play", version=parent.position.version)

    @every_game
    def test_another_number_of_seats(self, game):
        parent = played(game, 3)
        forked(parent, begun=False, seats=2).refused("fork.other_seats", seats=2, expected=3)

    @every_game
    def test_dealing_anew_for_a_seat_that_is_not_there(self, game):
        forked(played(game), begun=False, same_cards=False, seat=3).refused("seat.unknown", seat=3)

    def test_a_position_of_another_game(self):
        fork = fork_of(played(started("odin", 2).game, 2))
        plans = (SeatPlan(), SeatPlan("steady"))
        command = CreateMatch(
            "lama", {}, plans, "host", OTHER_SEED, fork=msgspec.structs.replace(fork, options={})
        )
        Table().when(command).refused("fork.other_game", game="lama", expected="odin")

    def test_rules_that_never_were(self):
        parent = played(started("odin", 2).game, 2)
        fork = msgspec.structs.replace(fork_of(parent), rules=99)
        plans = (SeatPlan(), SeatPlan("steady"))
        Table().when(CreateMatch("odin", {}, plans, "host", OTHER_SEED, fork=fork)).refused("rules.unknown")


@every_game
def test_a_parent_that_was_abandoned_can_be_played_on(game):
    parent = played(game).when(AbandonMatch("tired"))
    assert forked(parent).refusal is None

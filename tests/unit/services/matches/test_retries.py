"""No command has two effects, however often it is sent, and a retry gets the first answer."""

import pytest

from domain.errors import Refused
from domain.games.lama.moves import Quit
from domain.match.command_handler import CommandMetadata
from domain.match.commands import (
    AbandonMatch,
    CreateMatch,
    LeaveSeat,
    PlayMove,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from services.errors import CommandIdReused, MatchClosed, NoSuchMatch, OutcomeUnknown, SeatNotHeld
from services.matches.service import ForOwnSeat, Submission, seat_of
from tests.kit.house import House
from tests.kit.table import SEED


async def sent_twice(house: House, command, **how):
    first = await house.do(command, id="twice", **how)
    again = await house.do(command, id="twice", **how)
    return first, again


async def test_a_command_that_is_sent_again_is_answered_with_its_first_range_and_view():
    house = await House().begin()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    first, again = await sent_twice(house, move)
    assert (again.first, again.last, again.duplicate) == (first.first, first.last, True)
    assert again.position.state == first.position.state
    assert (await house.head()).version == first.last


async def test_a_retry_after_others_have_moved_still_gets_the_view_of_then():
    house = await House().begin()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    first = await house.do(move, id="once")
    for _ in range(5):
        await house.move()
    again = await house.do(move, id="once")
    assert again.duplicate
    assert again.position == first.position


async def test_a_retry_through_another_process_is_a_duplicate_too():
    house = await House().begin()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    first = await house.do(move, id="once")
    again = await house.beside().do(move, id="once")
    assert (again.duplicate, again.position.state) == (True, first.position.state)


async def test_a_retry_is_not_held_to_its_if_match_again():
    house = await House().begin()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    version = (await house.head()).version
    await house.do(move, id="once", if_match=version)
    await house.move()
    again = await house.do(move, id="once", if_match=version)
    assert again.duplicate


async def test_the_same_id_for_another_command_is_refused():
    house = await House().begin()
    (seat,) = await house.to_act()
    first, other, *_ = await house.legal(seat)
    await house.do(PlayMove(seat, first), id="once")
    with pytest.raises(CommandIdReused):
        await house.do(PlayMove(seat, other), id="once")


async def test_the_same_id_for_another_command_is_refused_where_that_would_be_legal():
    house = await House().begin()
    (seat,) = await house.to_act()
    version = (await house.head()).version
    await house.do(PlayMove(seat, (await house.legal(seat))[0]), id="once", if_match=version)
    with pytest.raises(CommandIdReused):
        await house.do(AbandonMatch("x"), id="once", actor=f"player-{seat}")
    assert (await house.head()).state.lifecycle.phase == "playing"


async def test_ids_are_told_apart_by_who_uses_them():
    house = await House().begin("skyjo")
    for seat in (0, 1):
        outcome = await house.do(PlayMove(seat, (await house.legal(seat))[0]), id="same")
        assert not outcome.duplicate


async def test_a_retry_of_the_last_move_of_all_gets_its_first_answer():
    house = await House().begin("lama", options={"limit": "single"})
    game, _ = await house.game()
    while True:
        (seat,) = await house.to_act()
        move = PlayMove(seat, game.fallback((await house.game())[1], seat))
        outcome = await house.do(move, id=f"last-{(await house.head()).version}")
        if outcome.position.state.lifecycle.phase == "finished":
            break
    again = await house.do(move, id=f"last-{outcome.first - 1}")
    assert (again.duplicate, again.first, again.last) == (True, outcome.first, outcome.last)
    with pytest.raises(CommandIdReused):
        await house.do(AbandonMatch("x"), id=f"last-{outcome.first - 1}", actor=f"player-{seat}")


async def test_a_new_command_to_a_match_that_is_over_is_told_that_it_is():
    house = await House().begin()
    await house.do(AbandonMatch("tired"))
    with pytest.raises(MatchClosed) as closed:
        await house.do(AbandonMatch("again"))
    assert closed.value.status == "closed"
    with pytest.raises(MatchClosed):
        await house.beside().do(PlayMove(0, Quit()))


async def test_a_process_that_has_not_noticed_the_end_is_told_by_the_store():
    house = await House().begin()
    beside = house.beside()
    await beside.head()
    (seat,) = await house.to_act()
    move = PlayMove(seat, (await house.legal(seat))[0])
    await house.do(AbandonMatch("tired"))
    with pytest.raises(MatchClosed):
        await beside.do(move)


async def test_a_match_that_never_was_is_unknown():
    for command in (StartMatch(), TakeSeat("ann"), PlayMove(0, Quit()), AbandonMatch("x")):
        with pytest.raises(NoSuchMatch):
            await House().do(command, match="m9")


async def test_a_create_that_is_sent_again_makes_one_match():
    house = House()
    create = CreateMatch("lama", {}, (SeatPlan("steady"), SeatPlan("steady")), "host", SEED)
    first, again = await sent_twice(house, create)
    assert (again.duplicate, again.first, again.last) == (True, 1, 3)
    assert again.position.state == first.position.state
    with pytest.raises(Refused, match=r"match\.exists"):
        await house.do(create, id="another")


async def test_a_create_that_is_refused_leaves_nothing_behind():
    house = House()
    with pytest.raises(Refused, match=r"game\.unknown"):
        await house.do(CreateMatch("skat", {}, (), "host", SEED))
    assert await house.store.meta("m1") is None
    assert await house.store.refusals("m1") == ()


class TestLostReplies:
    """What the service cannot know it says, and sending the same command again tells."""

    async def test_the_outcome_is_said_to_be_unknown_and_a_retry_finds_the_command_done(self):
        house = await House().begin()
        (seat,) = await house.to_act()
        move = PlayMove(seat, (await house.legal(seat))[0])
        before = await house.head()
        house.store.lost_replies = 1
        with pytest.raises(OutcomeUnknown):
            await house.do(move, id="once")
        again = await house.do(move, id="once")
        assert (again.duplicate, again.first) == (True, before.version + 1)
        assert (await house.head()).version == again.last

    async def test_also_for_the_first_command_of_a_match(self):
        house = House()
        create = CreateMatch("lama", {}, (SeatPlan("steady"), SeatPlan("steady")), "host", SEED)
        house.store.lost_replies = 1
        with pytest.raises(OutcomeUnknown):
            await house.do(create, id="once")
        assert (await house.do(create, id="once")).duplicate


class TestPlayersCommands:
    """A person's command finds its seat in the very state on which it is decided."""

    def submission(self, player: str) -> Submission:
        return Submission("m1", ForOwnSeat(LeaveSeat), CommandMetadata(player, "api", f"leave-{player}"), "f")

    async def test_it_is_for_the_seat_that_the_player_holds(self):
        house = House()
        await house.do(CreateMatch("lama", {}, (SeatPlan(),) * 3, "host", SEED))
        await house.do(TakeSeat("ann", 2))
        outcome = await house.service.execute(self.submission("ann"))
        entry = (await house.store.read("m1"))[-1]
        assert b'"seat":2' in entry.e
        assert seat_of(outcome.position.state, "ann") is None

    async def test_who_holds_no_seat_commands_none(self):
        house = await House().begin()
        with pytest.raises(SeatNotHeld):
            await house.service.execute(self.submission("stranger"))

    async def test_a_retry_after_the_seat_was_left_is_still_a_duplicate(self):
        house = House()
        await house.do(CreateMatch("lama", {}, (SeatPlan(),) * 3, "host", SEED))
        await house.do(TakeSeat("ann", 2))
        submission = self.submission("ann")
        first = await house.service.execute(submission)
        again = await house.service.execute(submission)
        assert (again.duplicate, again.last) == (True, first.last)

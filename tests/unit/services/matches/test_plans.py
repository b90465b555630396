"""Plans: private, checked again when they act, and no more than a move of their owner to everybody else."""

import pytest
from fakeredis import FakeAsyncRedis

from domain.entries import decode_envelope
from domain.errors import Refused
from domain.games.lama.plans import QuitWhenStuck
from domain.games.odin.moves import Pass
from domain.games.odin.plans import PassThisTrick, PassWhenBeaten
from domain.games.skyjo.moves import Reveal
from domain.games.skyjo.plans import TakeIfLow
from domain.match.commands import AbandonMatch, HandSeatToBot, PlayMove, UndoMove
from services.matches.plans import Plans
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from workers.feed_loop import FeedLoop


class Planning:
    """A house with plans, and a loop that follows its feed."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.redis = FakeAsyncRedis()
        self.plans = Plans(self.redis, house.reader, house.service)
        self.loop = FeedLoop(house.store, house.reader, FakeQueue(), house.clock, self.plans)

    async def follow(self) -> None:
        """Let the loop follow the feed until nothing is new."""
        while await self.loop.step(0):
            pass

    async def types(self) -> list[str]:
        return [decode_envelope(entry.e).type for entry in await self.house.store.read("m1")]

    async def lead(self) -> int:
        """Lead the first trick of Odin; return the seat that follows."""
        await self.house.move()
        (seat,) = await self.house.to_act()
        return seat


async def planning(game: str, seats: int = 3) -> Planning:
    table = Planning(await House().begin(game, seats))
    await table.follow()
    return table


async def test_passing_until_the_trick_ends_passes_once_asked_and_not_in_the_next_trick():
    table = await planning("odin")
    follower = await table.lead()
    await table.plans.make("m1", f"player-{follower}", "page", PassThisTrick())
    assert (await table.types())[-1] == "Passed"
    envelope = decode_envelope((await table.house.store.read("m1"))[-1].e)
    assert (envelope.actor, envelope.door, envelope.seat) == (f"player-{follower}", "page", follower)
    (other,) = await table.house.to_act()
    await table.house.do(PlayMove(other, Pass()))
    await table.follow()
    assert await table.plans.of("m1", f"player-{follower}") is None


async def test_a_plan_made_before_ones_turn_acts_when_it_comes():
    table = await planning("odin")
    (leader,) = await table.house.to_act()
    follower = (leader + 1) % 3
    await table.plans.make("m1", f"player-{follower}", "api", PassThisTrick())
    assert await table.plans.of("m1", f"player-{follower}") is not None
    await table.house.move()
    await table.follow()
    assert (await table.types())[-1] == "Passed"


async def test_passing_when_beaten_leaves_a_choice_to_its_owner():
    table = await planning("odin")
    for _ in range(60):
        if (await table.house.head()).state.lifecycle.phase != "playing":
            break
        (seat,) = await table.house.to_act()
        before = (await table.house.head()).version
        legal = await table.house.legal(seat)
        await table.plans.make("m1", f"player-{seat}", "page", PassWhenBeaten())
        acted = (await table.house.head()).version > before
        assert acted == (list(legal) == [Pass()])
        await table.plans.cancel("m1", f"player-{seat}")
        if not acted:
            await table.house.move()


async def test_quitting_when_stuck_needs_both():
    table = await planning("lama", 2)
    (seat,) = await table.house.to_act()
    before = (await table.house.head()).version
    await table.plans.make("m1", f"player-{seat}", "page", QuitWhenStuck())
    legal = {type(move).__name__ for move in await table.house.legal(seat)}
    if legal == {"Quit"}:
        assert (await table.types())[before] == "RoundQuit"
    else:
        assert (await table.house.head()).version == before


@pytest.mark.parametrize(("most", "takes"), [(12, True), (-2, False)])
async def test_a_conditional_reply_acts_or_goes(most, takes):
    table = await planning("skyjo", 2)
    for seat in (0, 1):
        await table.house.do(PlayMove(seat, Reveal((0, 1))))
    (seat,) = await table.house.to_act()
    before = (await table.house.head()).version
    await table.plans.make("m1", f"player-{seat}", "page", TakeIfLow(most, 4))
    types = (await table.types())[before:]
    assert (types[:1] == ["DiscardTaken"]) == takes or most == -2
    assert await table.plans.of("m1", f"player-{seat}") is None


async def test_an_undo_suspends_all_plans_before_any_acts():
    table = await planning("odin")
    (leader,) = await table.house.to_act()
    follower = (leader + 1) % 3
    await table.plans.make("m1", f"player-{follower}", "api", PassThisTrick())
    await table.house.move()
    await table.house.do(UndoMove(leader, "u1"))
    await table.house.move()
    await table.follow()
    assert "Passed" not in await table.types()
    kept = await table.plans.of("m1", f"player-{follower}")
    assert kept is not None
    assert kept.suspended
    await table.plans.make("m1", f"player-{follower}", "api", PassThisTrick())
    assert (await table.types())[-1] == "Passed"


async def test_while_a_bot_plays_no_plan_acts():
    table = await planning("odin")
    follower = await table.lead()
    await table.house.do(HandSeatToBot(follower))
    await table.plans.make("m1", f"player-{follower}", "api", PassThisTrick())
    assert (await table.types())[-1] == "SeatHandedToBot"


async def test_a_command_of_a_plan_looks_like_any_other():
    table = await planning("odin")
    follower = await table.lead()
    await table.plans.make("m1", f"player-{follower}", "page", PassThisTrick())
    envelope = decode_envelope((await table.house.store.read("m1"))[-1].e)
    kept = await table.plans.of("m1", f"player-{follower}")
    assert "plan" not in envelope.command.id
    assert len(envelope.command.id) == 32
    assert kept is None or kept.secret not in envelope.command.id


async def test_a_plan_of_another_game_or_of_nobody_is_refused():
    table = await planning("odin")
    for player, plan in (("player-0", QuitWhenStuck()), ("stranger", PassWhenBeaten())):
        with pytest.raises(Refused) as caught:
            await table.plans.make("m1", player, "api", plan)
        assert caught.value.code == "plan.unknown"


async def test_plans_go_with_their_match():
    table = await planning("odin")
    await table.plans.make("m1", "player-0", "api", PassWhenBeaten())
    await table.house.do(AbandonMatch("x"))
    await table.follow()
    assert await table.redis.keys("tb:plans:*") == []


async def test_the_same_turn_is_answered_once_though_two_loops_follow():
    table = await planning("odin")
    (leader,) = await table.house.to_act()
    await table.plans.make("m1", f"player-{(leader + 1) % 3}", "api", PassThisTrick())
    other = FeedLoop(table.house.store, table.house.reader, FakeQueue(), table.house.clock, table.plans)
    await table.house.move()
    await table.follow()
    while await other.step(0):
        pass
    assert (await table.types()).count("Passed") == 1

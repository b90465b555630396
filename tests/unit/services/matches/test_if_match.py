"""The version that a move was based on: when it holds, and what is said when it does not."""

import pytest

from domain.errors import NotAsked, Refused
from domain.games.lama.moves import Draw
from domain.games.skyjo.moves import Reveal
from domain.match.command_handler import CommandMetadata
from domain.match.commands import AbandonMatch, HandSeatToBot, PlayMove, ReclaimSeat, ResignSeat
from services.errors import MatchClosed, StaleVersion
from services.matches.may_move import check_if_match
from services.matches.service import ForOwnSeat, Submission
from tests.kit.house import House


async def turned() -> tuple[House, int, int]:
    """Return a match, the seat that is asked, and the version at which it was asked."""
    house = await House().begin("lama", 3)
    await house.move()
    (seat,) = await house.to_act()
    return house, seat, (await house.head()).version


async def test_the_present_version_holds():
    house, seat, version = await turned()
    await house.move(seat, if_match=version)


async def test_none_at_all_is_for_commands_that_name_their_object():
    house, seat, _ = await turned()
    await house.move(seat, if_match=None)


async def test_any_version_since_the_seat_was_asked_holds():
    house, seat, version = await turned()
    for _ in range(3):
        await house.do(HandSeatToBot((seat + 1) % 3))
        await house.do(ReclaimSeat((seat + 1) % 3))
    assert (await house.head()).version == version + 6
    for given in (version, version + 3):
        check_if_match(await house.head(), seat, given)
    await house.move(seat, if_match=version)


async def test_an_older_one_does_not():
    house, seat, version = await turned()
    with pytest.raises(StaleVersion) as stale:
        await house.move(seat, if_match=version - 1)
    assert (stale.value.given, stale.value.version) == (version - 1, version)


async def test_one_that_has_not_come_yet_does_not():
    house, seat, version = await turned()
    with pytest.raises(StaleVersion) as stale:
        await house.move(seat, if_match=version + 1)
    assert (stale.value.given, stale.value.version) == (version + 1, version)


async def test_a_seat_that_is_not_asked_is_told_that_the_match_has_moved_on():
    house, seat, version = await turned()
    move = PlayMove((seat + 1) % 3, (await house.legal(seat))[0])
    with pytest.raises(StaleVersion) as stale:
        await house.do(move, if_match=version - 1)
    assert stale.value.version == version


async def test_a_seat_that_is_not_asked_and_knows_the_present_version_is_told_so():
    house, seat, version = await turned()
    move = PlayMove((seat + 1) % 3, (await house.legal(seat))[0])
    with pytest.raises(NotAsked) as not_asked:
        await house.do(move, if_match=version)
    assert not_asked.value.arguments == {"seat": (seat + 1) % 3, "to_act": (seat,)}


async def test_a_seat_that_moved_twice_by_mistake_is_thrown_back():
    house, seat, version = await turned()
    first, *_ = await house.legal(seat)
    await house.do(PlayMove(seat, first), if_match=version)
    with pytest.raises(StaleVersion):
        await house.do(PlayMove(seat, first), if_match=version)


async def test_a_process_with_an_old_memory_looks_at_the_log_before_it_refuses():
    house, seat, version = await turned()
    beside = house.beside()
    await beside.head()
    while (await house.to_act()) != (seat,) or (await house.head()).version == version:
        await house.move()
    now = (await house.head()).version
    assert beside.reader.remembered("m1") is not None
    await beside.move(seat, if_match=now)


async def test_after_the_end_the_match_is_closed_whatever_the_version():
    house, seat, version = await turned()
    move = PlayMove(seat, (await house.legal(seat))[0])
    await house.do(AbandonMatch("x"))
    for given in (version, version + 1, version + 9):
        with pytest.raises(MatchClosed):
            await house.do(move, if_match=given)


async def test_a_seat_that_does_not_exist_is_for_the_rules_to_refuse():
    house, _, version = await turned()
    check_if_match(await house.head(), 17, version - 1)
    check_if_match(await house.head(), -1, version - 1)


class TestSimultaneousFlips:
    async def test_nobody_throws_anybody_back(self):
        house = await House().begin("skyjo", 4)
        start = (await house.head()).version
        for seat in (2, 0, 3):
            await house.move(seat, if_match=start)
        assert 1 in await house.to_act()
        await house.move(1, if_match=start)

    async def test_but_ones_own_first_flip_counts(self):
        house = await House().begin("skyjo", 4)
        start = (await house.head()).version
        await house.do(PlayMove(2, Reveal((0,))), if_match=start)
        with pytest.raises(StaleVersion):
            await house.do(PlayMove(2, Reveal((1,))), if_match=start)
        await house.do(PlayMove(2, Reveal((1,))), if_match=start + 1)


class TestASeatThatABotPlays:
    """Two would play one hand, if the person could still move."""

    async def moved(self, house: House, seat: int) -> None:
        move = (await house.legal(seat))[0]
        metadata = CommandMetadata(f"player-{seat}", "api", "late-move")
        await house.service.execute(Submission("m1", ForOwnSeat(PlayMove, move), metadata, "late"))

    async def test_is_not_moved_by_its_person_until_he_takes_it_back(self):
        house, seat, _ = await turned()
        await house.do(HandSeatToBot(seat))
        with pytest.raises(Refused) as refused:
            await self.moved(house, seat)
        assert refused.value.code == "seat.bot_plays"
        await house.do(ReclaimSeat(seat))
        await self.moved(house, seat)

    async def test_is_never_moved_again_by_who_has_given_up(self):
        house, seat, _ = await turned()
        await house.do(ResignSeat(seat))
        with pytest.raises(Refused) as refused:
            await self.moved(house, seat)
        assert refused.value.code == "seat.resigned"

    async def test_who_moved_before_gets_his_first_answer_again(self):
        house, seat, _ = await turned()
        await self.moved(house, seat)
        version = (await house.head()).version
        await house.do(HandSeatToBot(seat))
        again = Submission(
            "m1",
            ForOwnSeat(PlayMove, Draw()),
            CommandMetadata(f"player-{seat}", "api", "late-move"),
            "late",
        )
        outcome = await house.service.execute(again)
        assert (outcome.last, outcome.duplicate) == (version, True)

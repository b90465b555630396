"""An expert's advice: from what the seat saw, with what the move made has cost."""

import msgspec
import pytest

from domain.canonical import digest
from domain.games.contract import Allowance
from domain.games.registry import CURRENT
from domain.match.evolve import seats_to_act
from services.matches.advice import Advice, advise
from tests.kit.house import House

QUICK = Allowance(60, "expert")


def seed_of(name: str) -> str:
    return digest(name)


built_in = pytest.mark.parametrize("game", ["lama", "odin", "skyjo"])


async def advice_on(house: House, version: int) -> Advice | None:
    return await advise(house.store, house.reader, seed_of, "m1", version, QUICK)


async def a_turn(house: House) -> tuple[int, int]:
    """Return a version at which a seat has something to choose, and the seat."""
    while True:
        position = await house.head()
        (seat, *_) = seats_to_act(position.state)
        found = await advice_on(house, position.version)
        if found is not None and len(found.moves) > 1:
            return position.version, seat
        await house.move(seat)


@built_in
async def test_it_compares_moves_and_says_what_the_one_made_has_cost(game: str) -> None:
    house = await House().begin(game, 2)
    version, seat = await a_turn(house)
    before = await advice_on(house, version)
    assert before is not None
    assert (before.seat, before.made, before.cost) == (seat, None, None)

    await house.move(seat)
    after = await advice_on(house, version)

    assert after is not None
    assert after.made is not None
    assert after.cost is not None
    assert 0 <= after.cost <= 1
    assert [each.chance for each in after.moves] == sorted(
        (each.chance for each in after.moves), reverse=True
    )
    assert msgspec.json.decode(msgspec.json.encode(after), type=Advice) == after


@built_in
async def test_hidden_cards_do_not_affect_it(game: str) -> None:
    house = await House().begin(game, 2)
    version, seat = await a_turn(house)
    position = await house.head()
    rules, present = await house.game()
    first = await advice_on(house, version)
    redealt = rules.redeal(present, seat, position.state.chance.branch("another deal"))
    changed = msgspec.structs.replace(position, state=msgspec.structs.replace(position.state, game=redealt))

    class Other:
        async def at(self, _match: str, _version: int) -> object:
            return changed

    again = await advise(house.store, Other(), seed_of, "m1", version, QUICK)  # type: ignore[arg-type]

    assert again == first


async def test_where_nobody_is_asked_there_is_none() -> None:
    house = await House().begin("lama", 2)
    assert await advice_on(house, 1) is None


async def test_a_game_that_cannot_say_compares_nothing() -> None:
    house = await House().begin("alone", 2)
    found = await advice_on(house, (await house.head()).version)
    assert found is not None
    assert found.moves == ()
    assert "alone" in CURRENT

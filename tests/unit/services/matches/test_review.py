"""Costly moves of people, found when a match is over: measured twice, bit by bit, and kept."""

import msgspec
import pytest

from domain.canonical import digest
from services.matches import review
from services.matches.advice import Advice, Weighed
from services.matches.review import Review, look_on, turns_of_people
from tests.kit.house import House

DRAW, QUIT = {"type": "draw"}, {"type": "quit"}


def told(*chances: float, made: dict[str, str]) -> Advice:
    """Return advice in which drawing is best in the first look."""
    draw, quit_ = chances
    moves = (Weighed(DRAW, draw), Weighed(QUIT, quit_))
    made_chance = draw if made == DRAW else quit_
    return Advice("m1", 7, 1, moves, made, round(max(0.0, draw - made_chance), 4))


@pytest.fixture
def expert(monkeypatch: pytest.MonkeyPatch) -> list[Advice]:
    """Return what the expert says, one after the other; the last one again and again."""
    answers: list[Advice] = []

    async def advise(*_: object) -> Advice:
        return answers.pop(0) if len(answers) > 1 else answers[0]

    monkeypatch.setattr(review, "advise", advise)
    return answers


async def over(people: int = 1) -> House:
    house = await House().begin("lama", 2, bots=2 - people)
    while (await house.head()).state.lifecycle.phase == "playing":
        await house.move()
    return house


async def looked(house: House, so_far: Review | None = None, seconds: float = 60.0) -> Review:
    return await look_on(house.store, house.reader, digest, "m1", so_far, seconds)


async def test_a_move_that_costs_much_in_two_looks_is_a_blunder(expert: list[Advice]) -> None:
    expert += [told(0.6, 0.4, made=QUIT), told(0.55, 0.42, made=QUIT), told(0.5, 0.5, made=DRAW)]
    found = await looked(await over())

    assert [(each.cost, each.grade, each.made, each.better) for each in found.costly] == [
        (0.13, "blunder", QUIT, DRAW)
    ]
    assert found.is_done


async def test_what_looked_costly_by_luck_alone_is_not_told(expert: list[Advice]) -> None:
    expert += [told(0.6, 0.4, made=QUIT), told(0.5, 0.49, made=QUIT), told(0.5, 0.5, made=DRAW)]
    assert (await looked(await over())).costly == ()


async def test_only_turns_of_people_are_looked_at(expert: list[Advice]) -> None:
    house = await House().begin("lama", 3, bots=3)
    await house.bots.play_turns("m1", trace="", seconds=60)
    entries = await house.store.read("m1")
    assert turns_of_people(entries) == []
    expert.append(told(0.5, 0.5, made=DRAW))
    assert (await looked(house)).is_done


async def test_it_goes_on_where_it_stopped(expert: list[Advice]) -> None:
    expert.append(told(0.5, 0.5, made=DRAW))
    house = await over(2)
    found, steps = await looked(house, seconds=0), 1
    assert (found.looked_at, found.is_done) == (1, False)
    while not found.is_done:
        found = await looked(house, msgspec.json.decode(msgspec.json.encode(found), type=Review), seconds=0)
        steps += 1
    assert steps == found.turns


@pytest.mark.parametrize("game", ["lama", "odin", "skyjo"])
async def test_an_expert_finds_its_way_through_a_match(game: str) -> None:
    house = await House().begin(game, 2)
    for _ in range(6):
        await house.move()
    found = await looked(house)
    assert found.is_done
    assert all(0.05 <= each.cost <= 1 for each in found.costly)

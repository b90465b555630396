"""Nudges: once a day, only for whom the table waits for, and never for who wants none."""

from domain.errors import Refused
from domain.match.commands import AskToEnd
from services.people.persons import Wish
from tests.kit.told import Told, two

DAY = 24 * 3600
YOUR_TURN = "Your turn: L.A.M.A."
NUDGED = "Bert waits for you: L.A.M.A."


async def nudge(told: Told, own: int, seat: int) -> str:
    """Nudge; return the code under which it is refused, empty if it is not."""
    try:
        await told.nudging.nudge(await told.house.head(), own, seat)
    except Refused as refusal:
        return refusal.code
    return ""


async def test_who_is_waited_for_is_nudged_once_a_day_through_their_channels(told: Told):
    anna, bert = await two(told)
    (first,) = await told.house.to_act()
    await told.reach(anna, "mail")
    await told.steps(3590)
    assert await nudge(told, 1 - first, first) == "nudge.too_early"
    await told.steps(20)
    assert await nudge(told, 1 - first, first) == ""
    assert await nudge(told, 1 - first, first) == "nudge.already"
    await told.steps(1200, step=30)
    assert await told.fed(anna) == [YOUR_TURN, NUDGED]
    assert [mail.subject for mail in told.courier.delivered] == [YOUR_TURN, NUDGED]
    assert await told.fed(bert) == []
    await told.steps(DAY - 1300, step=600)
    assert await nudge(told, 1 - first, first) == "nudge.already"
    await told.steps(200)
    assert await nudge(told, 1 - first, first) == ""
    await told.steps(60)
    assert await told.fed(anna) == [YOUR_TURN, NUDGED, NUDGED]


async def test_who_moves_before_it_is_told_hears_nothing_of_it(told: Told):
    anna, _ = await two(told)
    (first,) = await told.house.to_act()
    await told.steps(3700, step=60)
    assert await nudge(told, 1 - first, first) == ""
    await told.house.move()
    await told.steps(30)
    assert await told.fed(anna) == [YOUR_TURN]


async def test_who_owes_an_answer_may_be_nudged_too(told: Told):
    _, bert = await two(told)
    (first,) = await told.house.to_act()
    await told.house.do(AskToEnd(first, "r1"))
    await told.steps(3700, step=60)
    assert await nudge(told, first, 1 - first) == ""
    await told.steps(30)
    assert await told.fed(bert) == ["L.A.M.A.: a question for you", "Anna waits for you: L.A.M.A."]


async def test_only_who_is_waited_for_and_wants_it_is_nudged(told: Told):
    anna, _ = await two(told)
    (first,) = await told.house.to_act()
    await told.steps(3700, step=60)
    assert await nudge(told, first, first) == "nudge.yourself"
    assert await nudge(told, first, 1 - first) == "nudge.not_awaited"
    assert await nudge(told, 1 - first, 7) == "nudge.nobody"
    (offered,) = await told.nudging.offered(await told.house.head(), 1 - first)
    assert offered == (first, None)
    await told.persons.change(anna.id, Wish(preferences={"notice.nudge.feed": "off"}))
    assert await nudge(told, 1 - first, first) == "nudge.unwanted"
    assert await told.nudging.offered(await told.house.head(), 1 - first) == ()


async def test_no_bot_is_nudged(told: Told):
    await told.house.begin("lama", 3, bots=2)
    await told.steps(3700, step=600)
    assert await nudge(told, 0, 2) == "nudge.bot"
    assert await nudge(told, 1, 0) in {"nudge.unwanted", "nudge.not_awaited"}


async def test_two_who_nudge_at_once_nudge_once(told: Told):
    anna, _ = await two(told)
    (first,) = await told.house.to_act()
    await told.steps(3700, step=60)
    results = [await nudge(told, 1 - first, first) for _ in range(3)]
    assert results == ["", "nudge.already", "nudge.already"]
    others = [told.beside() for _ in range(2)]
    for loop in (told.loop, *others):
        await loop.step()
    await told.steps(30)
    assert (await told.fed(anna)).count(NUDGED) == 1

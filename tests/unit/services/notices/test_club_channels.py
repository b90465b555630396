"""The channel of a club: what is posted there, and when."""

import msgspec
import pytest

from domain.errors import Refused
from domain.match.commands import CreateMatch, EndMatch, SeatPlan
from services.notices.channels.contract import ContactGone
from services.notices.club_channels import ClubChannels, known_kinds
from services.notices.messages import Message
from services.people.clubs.club import Club, Member
from services.people.contacts import Contact
from services.people.persons import Wish
from tests.kit.table import SEED
from tests.kit.told import Told, two

DETAILS = {
    "shape": "json",
    "secret": "s",
    "kinds": "opened,result",
    "language": "en",
    "time_zone": "Europe/Paris",
}


async def club_with_channel(told: Told, kinds: str = "opened,result") -> ClubChannels:
    hanna = await told.person("Hanna")
    club = Club("c1", "Thursday", told.now(), (Member("n1", hanna.id, "host", told.now()),))
    await told.clubs.create(club, told.now())
    details = {**DETAILS, "kinds": kinds}
    contact = Contact(
        "webhook", "w", "https://chat.example.org/x", told.now(), confirmed=True, details=details
    )
    await told.contacts.keep("c1", contact)
    return ClubChannels(told.contacts)


def posted(told: Told) -> list[Message]:
    return [one for one in told.courier.delivered if one.person == "c1"]


def titles(told: Told) -> list[str]:
    return [item.title for message in posted(told) for item in message.items]


async def test_a_table_that_waits_for_players_and_its_result_are_told_once(told: Told):
    await club_with_channel(told)
    for match in ("m1", "m2"):
        await told.clubs.tables.record("c1", match, told.now())
    await told.house.do(CreateMatch("lama", {}, (SeatPlan(),) * 2, "host", SEED), match="m1")
    await told.steps(300, step=20)
    assert titles(told) == ["L.A.M.A.: a table waits for players"]
    anna, bert = await two(told, "m2")
    await told.steps(300, step=20)
    await told.house.do(EndMatch("enough"), match="m2", door="operator")
    for _ in range(30):
        for loop in (told.loop, told.beside()):
            await loop.step()
        await told.work()
        told.now.advance(10)
    assert titles(told) == ["L.A.M.A.: a table waits for players", "L.A.M.A.: the match has ended"]
    (item,) = posted(told)[-1].items
    assert set(item.people.split(", ")) == {"Anna", "Bert"}
    assert posted(told)[-1].stop == "https://cards.example.org/c/c1/settings"
    assert await told.fed(anna) != []
    assert anna.id != bert.id


async def test_who_is_to_move_is_told_by_name_if_the_club_wants_it_and_without_any_hidden_card(told: Told):
    await club_with_channel(told, "awaited")
    await told.clubs.tables.record("c1", "m1", told.now())
    await two(told)
    await told.steps(100)
    await told.house.move()
    await told.steps(40)
    await told.house.move()
    await told.steps(100)
    assert titles(told) == ["L.A.M.A.: Anna to move"] * 2
    assert all("You" not in line for one in posted(told) for item in one.items for line in item.lines)


async def test_a_club_hears_nothing_of_other_tables_and_nobody_of_its_persons_notices(told: Told):
    await club_with_channel(told, "opened,result,awaited")
    anna, _ = await two(told)
    await told.reach(anna, "webhook")
    await told.steps(200)
    assert posted(told) == []
    assert len(told.courier.delivered) == 1


async def test_a_chat_that_is_gone_is_switched_off_and_a_closed_club_forgets_its_own(told: Told):
    channels = await club_with_channel(told, "awaited")
    await told.clubs.tables.record("c1", "m1", told.now())
    await two(told)
    told.courier.failing = [ContactGone("gone")]
    await told.steps(120)
    contact = await channels.of("c1")
    assert contact is not None
    assert contact.off == "gone"
    await told.contacts.keep("c1", msgspec.structs.replace(contact, off=""))
    await told.clubs.change("c1", lambda _: None)
    assert await channels.of("c1") is None
    await told.house.move()
    await told.steps(200)
    assert posted(told) == []


async def test_no_other_kinds_are_told(told: Told):
    with pytest.raises(Refused, match="channel_kind_unknown"):
        known_kinds(["turn"])
    anna, _ = await two(told)
    await told.persons.change(anna.id, Wish(preferences={"notice.opened.feed": "on"}))
    await told.steps(100)
    assert await told.fed(anna) == ["Your turn: L.A.M.A."]

"""Who is told what, when, and how often."""

from fakeredis import FakeAsyncRedis

from domain.instants import seconds_between
from domain.match.commands import (
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    BeReady,
    CreateMatch,
    EndMatch,
    HandSeatOver,
    HandSeatToBot,
    LapseRequest,
    OpenSeat,
    SeatPlan,
    TakeSeat,
    TimeOut,
)
from domain.match.say import due_at
from services.notices.channels.contract import ContactGone
from services.notices.occasions import Name
from services.people.contacts import Contact
from tests.kit.house import House
from tests.kit.table import SEED
from tests.kit.told import Told, fail, two

DAY = 24 * 3600
YOUR_TURN = "Your turn: L.A.M.A."


class TestTurns:
    async def test_who_does_not_move_within_a_minute_is_told_once(self, told: Told):
        anna, bert = await two(told)
        await told.steps(55)
        assert await told.fed(anna) == []
        await told.steps(3600)
        assert await told.fed(anna) == [YOUR_TURN]
        assert await told.fed(bert) == []

    async def test_who_moves_within_a_minute_is_not_told(self, told: Told):
        anna, bert = await two(told)
        await told.steps(50)
        await told.house.move()
        await told.steps(59)
        assert await told.fed(anna) == []
        await told.steps(10)
        assert await told.fed(bert) == [YOUR_TURN]

    async def test_each_turn_is_told_by_itself(self, told: Told):
        anna, bert = await two(told)
        for _ in range(4):
            await told.steps(100)
            await told.house.move()
        assert await told.fed(anna) == [YOUR_TURN] * 2
        assert await told.fed(bert) == [YOUR_TURN] * 2

    async def test_a_bot_is_never_told_and_neither_is_who_let_one_play(self, told: Told):
        await told.house.begin("lama", 3, bots=2)
        anna = await told.person("Anna", ("m1", "player-0"))
        await told.steps(120)
        assert len(await told.fed(anna)) <= 1

    async def test_several_loops_and_doubled_jobs_tell_once(self, told: Told):
        anna, _ = await two(told)
        others = [told.beside() for _ in range(2)]
        for _ in range(30):
            for loop in (told.loop, *others):
                await loop.step()
            told.queue.jobs *= 2
            await told.work()
            told.now.advance(5)
        assert await told.fed(anna) == [YOUR_TURN]
        assert len(await told.outbox.entries("m1")) == 1

    async def test_a_queue_that_was_emptied_delays_and_loses_nothing(self, told: Told):
        anna, _ = await two(told)
        for _ in range(20):
            await told.loop.step()
            told.queue.jobs.clear()
            told.now.advance(5)
        assert await told.fed(anna) == []
        await told.steps(5)
        assert await told.fed(anna) == [YOUR_TURN]

    async def test_a_queue_that_is_away_holds_nothing_else_up(self, told: Told):
        anna, _ = await two(told)
        told.queue.away = True
        await told.steps(120)
        told.queue.away = False
        await told.steps(5)
        assert await told.fed(anna) == [YOUR_TURN]


async def test_who_is_asked_before_the_first_start_is_told_too():
    """The service answers a moment before its loop begins to follow the feed."""
    async with FakeAsyncRedis() as client:
        told = Told(House(), client)
        anna, _ = await two(told)
        await told.steps(120)
        assert await told.fed(anna) == [YOUR_TURN]


class TestOtherThings:
    async def test_who_is_asked_to_agree_is_told(self, told: Told):
        anna, bert = await two(told)
        (first,) = await told.house.to_act()
        await told.house.do(AskToEnd(first, "r1"))
        await told.steps(100)
        assert "L.A.M.A.: a question for you" in await told.fed(bert)
        assert "L.A.M.A.: a question for you" not in await told.fed(anna)

    async def test_who_is_asked_whether_they_are_ready_is_told(self, told: Told):
        anna, bert = (
            await told.person("Anna", ("m1", "player-0")),
            await told.person("Bert", ("m1", "player-1")),
        )
        await told.house.do(CreateMatch("lama", {}, (SeatPlan(),) * 2, "host", SEED))
        await told.house.do(TakeSeat("player-0"))
        await told.steps(100)
        assert await told.fed(anna) == []
        await told.house.do(TakeSeat("player-1"))
        await told.house.do(BeReady(1))
        await told.steps(100)
        assert await told.fed(anna) == ["L.A.M.A.: everybody is there. Are you ready?"]
        assert await told.fed(bert) == []

    async def test_an_end_is_told_to_everybody_once(self, told: Told):
        anna, bert = await two(told)
        await told.steps(30)
        await told.house.do(EndMatch("enough"), door="operator")
        for _ in range(3):
            told.loop = told.beside()
            await told.steps(60)
        assert await told.fed(anna) == await told.fed(bert) == ["L.A.M.A.: the match has ended"]

    async def test_whose_time_ran_out_is_told_that_a_bot_moved_and_others_are_not(self, told: Told):
        anna, bert = await two(told, per_turn=DAY)
        (first,) = await told.house.to_act()
        await told.steps(DAY - 60, step=1800)
        await told.steps(120)
        await told.house.do(TimeOut(first), actor="clock", door="clock")
        await told.steps(120)
        played = "L.A.M.A.: your time ran out, and a bot moved for you"
        assert (await told.fed(anna)).count(played) == 1
        assert played not in await told.fed(bert)

    async def test_whose_seat_an_operator_hands_to_a_bot_is_told_and_who_does_it_themselves_is_not(
        self, told: Told
    ):
        anna, bert = await two(told)
        (first,) = await told.house.to_act()
        await told.steps(5)
        await told.house.do(HandSeatOver(first, "gone"), door="operator", actor="operator")
        await told.house.do(HandSeatToBot(1 - first))
        await told.steps(120)
        assert await told.fed(anna) == ["L.A.M.A.: something was done to your seat"]
        assert await told.fed(bert) == []

    async def test_whose_seat_somebody_else_has_taken_over_is_told(self, told: Told):
        anna, bert = await two(told)
        (first,) = await told.house.to_act()
        await told.house.do(HandSeatToBot(first))
        await told.steps(5)
        await told.house.do(AskForSeat("dora", first, "r1"), actor="dora")
        await told.steps(120)
        assert await told.fed(bert) == ["L.A.M.A.: a question for you"]
        await told.house.do(AnswerRequest(1 - first, "r1", agree=True))
        # Who is away is asked, too, and after a while their silence agrees.
        (request,) = (await told.house.head()).state.requests
        until = due_at((await told.house.head()).state, request)
        await told.steps(seconds_between(told.now(), until) + 1, step=3600)
        await told.house.do(LapseRequest("r1"), actor="clock", door="clock")
        assert (await told.house.head()).state.seats[first].player == "dora"
        await told.steps(120)
        assert (await told.fed(anna))[-1] == "L.A.M.A.: something was done to your seat"
        assert "L.A.M.A.: something was done to your seat" not in await told.fed(bert)

    async def test_a_reminder_comes_before_the_deadline_and_not_after_the_move(self, told: Told):
        anna, bert = await two(told, per_turn=DAY)
        await told.steps(22 * 3600, step=600)
        assert await told.fed(anna) == [YOUR_TURN, "Still your turn: L.A.M.A."]
        await told.house.move()
        await told.steps(20 * 3600, step=600)
        await told.house.move()
        await told.steps(4 * 3600, step=600)
        assert await told.fed(bert) == [YOUR_TURN]


class TestChannels:
    async def test_several_tables_go_in_one_mail(self, told: Told):
        anna, _ = await two(told, "m1")
        await two(told, "m2")
        await told.reach(anna, "mail")
        await told.steps(120)
        (mail,) = told.courier.delivered
        assert mail.subject == "2 tables wait for you"
        assert {item.match for item in mail.items} == {"m1", "m2"}

    async def test_a_mail_that_fails_comes_again_under_the_same_id(self, told: Told):
        anna, _ = await two(told)
        await told.reach(anna, "mail")
        told.courier.failing = [fail(), fail()]
        await told.steps(600)
        (mail,) = told.courier.delivered
        log = [one for one in await told.outbox.deliveries(anna.id) if one.channel == "mail"]
        assert [(one.message, one.attempt, one.result) for one in reversed(log)] == [
            (mail.id, 1, "again"),
            (mail.id, 2, "again"),
            (mail.id, 3, "sent"),
        ]

    async def test_a_mail_that_never_arrives_is_given_up_seen_and_tried_again_on_request(self, told: Told):
        anna, _ = await two(told)
        await told.reach(anna, "mail")
        told.courier.failing = [fail()] * 7
        await told.steps(3 * DAY, step=600)
        assert told.courier.delivered == []
        (dead,) = await told.outbox.dead()
        assert await told.outbox.retry(dead.id, told.now())
        await told.steps(5)
        assert [mail.id for mail in told.courier.delivered] == [dead.id]

    async def test_a_contact_that_is_gone_is_switched_off(self, told: Told):
        anna, _ = await two(told)
        await told.reach(anna, "mail")
        told.courier.failing = [ContactGone("no such mailbox")]
        await told.steps(120)
        (contact,) = await told.contacts.of(anna.id)
        assert contact.off == "no such mailbox"
        await told.house.move()
        await told.house.move()
        await told.steps(1200)
        assert told.courier.delivered == []

    async def test_nothing_rings_at_night_and_what_has_passed_by_the_morning_is_not_told(self, told: Told):
        anna, _ = await two(told)
        await told.reach(anna, "mail")
        told.now.advance(-told.now.seconds + 10 * 3600)  # 23:00 in Paris
        await told.house.move()
        await told.house.move()
        await told.steps(3600, step=60)
        assert await told.fed(anna) == [YOUR_TURN]
        assert told.courier.delivered == []
        await told.house.move()
        await told.steps(9 * 3600, step=600)
        assert told.courier.delivered == []

    async def test_what_waits_in_the_morning_is_told_then(self, told: Told):
        anna, _ = await two(told)
        await told.reach(anna, "mail")
        told.now.advance(-told.now.seconds + 10 * 3600)
        await told.house.move()
        await told.house.move()
        await told.steps(8.8 * 3600, step=600)  # until 07:48
        assert told.courier.delivered == []
        await told.steps(1200, step=60)
        assert [mail.subject for mail in told.courier.delivered] == [YOUR_TURN]

    async def test_a_kind_that_is_not_wanted_is_not_told_there(self, told: Told):
        await told.house.begin("lama", 2)
        (first,) = await told.house.to_act()
        anna = await told.person("Anna", ("m1", f"player-{first}"), **{"notice.turn.mail": "off"})
        await told.reach(anna, "mail")
        await told.steps(200)
        assert await told.fed(anna) == [YOUR_TURN]
        assert told.courier.delivered == []


class TestMessages:
    async def test_say_game_table_round_deadline_and_where_to_go(self, told: Told):
        anna, _ = await two(told, per_turn=DAY)
        await told.steps(70)
        (message,) = await told.feed.of(anna.id)
        (item,) = message.items
        assert item.title == YOUR_TURN
        assert item.people == "Bert"
        assert item.round == "Round 1"
        assert item.deadline == "Monday 13:00, 23 hours left"
        assert item.address == "https://cards.example.org/m/m1"
        assert item.lines

    async def test_say_no_card_that_is_hidden_from_anybody(self, told: Told):
        # A table of three games' worth of moves, told at each turn; what is told must be what a spectator reads.
        anna, bert = await two(told)
        for _ in range(12):
            await told.steps(70)
            if not await told.house.to_act():
                break
            await told.house.move()
        lines = {
            line
            for person in (anna, bert)
            for message in await told.feed.of(person.id)
            for item in message.items
            for line in item.lines
        }
        assert lines
        assert not any("You" in line for line in lines)


async def test_a_test_reaches_every_channel_at_once_even_at_night(told: Told):
    anna = await told.person("Anna")
    await told.reach(anna, "mail")
    told.now.advance(10 * 3600)
    name = Name("", "", "test", "test-1")
    await told.outbox.enter(name, anna.id, [("feed", told.now()), ("mail", told.now())])
    await told.steps(2)
    assert await told.fed(anna) == ["A test: notices reach you here"]
    assert [mail.subject for mail in told.courier.delivered] == ["A test: notices reach you here"]


async def test_who_has_a_seat_kept_for_them_is_told_until_they_sit(told: Told):
    anna, bert = await told.person("Anna"), await told.person("Bert")
    for person, invitation in ((anna, "kanna"), (bert, "kbert")):
        await told.memberships.offer(person.id, "m1", invitation)
    plans = (SeatPlan(kept="kanna"), SeatPlan(kept="kbert"))
    await told.house.do(CreateMatch("lama", {}, plans, "host", SEED))
    await told.house.do(TakeSeat("player-1", invitation="kbert"))
    await told.steps(120)
    assert await told.fed(anna) == ["L.A.M.A.: a seat is kept for you"]
    assert await told.fed(bert) == []
    (message,) = await told.feed.of(anna.id)
    assert message.items[0].address.endswith("/m/m1/sit")
    await told.house.do(OpenSeat(0))
    await told.steps(120)
    assert await told.fed(anna) == [
        "L.A.M.A.: a seat is kept for you",
        "L.A.M.A.: something was done to your seat",
    ]


async def test_who_has_a_message_does_not_get_it_again_because_another_address_failed(told: Told):
    anna, _ = await two(told)
    for number in ("1", "2"):
        contact = Contact("mail", number, f"anna{number}@example.org", told.now(), confirmed=True)
        await told.contacts.keep(anna.id, contact)
    told.courier.failing = [fail()]
    await told.steps(400)
    assert len(told.courier.delivered) == 2
    results = [one.result for one in await told.outbox.deliveries(anna.id) if one.channel == "mail"]
    assert results == ["sent", "again"]

"""What the doctor says of notices."""

from fakeredis import FakeAsyncRedis

from domain.instants import Instant, after
from services.notices.messages import Message
from services.notices.occasions import Name
from services.notices.outbox import Outbox, Outgoing
from services.watch.doctor.notices import judge_notices

NOW = Instant("2026-11-30T12:00:00.000Z")


async def test_a_message_that_nobody_tries_is_told_after_ten_minutes_and_one_that_is_new_is_not():
    async with FakeAsyncRedis() as client:
        outbox = Outbox(client)
        assert await outbox.late_seconds(NOW) == 0
        name = Name("m1", "p1", "turn", "turn-1")
        await outbox.enter(name, "u1", [("mail", NOW)])
        message = Message("id1", "u1", "mail", "en", "Your turn", (), NOW)
        assert await outbox.take(message, [Outgoing("u1", "mail", name)], NOW)
        for minutes, codes in ((5, ["notices.told"]), (11, ["notices.late"])):
            late = await outbox.late_seconds(after(NOW, minutes * 60))
            assert [one.code for one in judge_notices(late, 0)] == codes


def test_messages_that_were_given_up_are_told():
    assert [one.code for one in judge_notices(0, 3)] == ["notices.given_up"]

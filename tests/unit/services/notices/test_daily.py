"""What is told once a day: the digest of a person's tables, and the published lists of heads."""

from datetime import datetime

import msgspec

from domain.chain import genesis
from domain.instants import Instant
from services.audit.digest_format import DigestLine, PublishedHead
from services.people.persons import Wish
from tests.kit.told import Told, two

HOUR = 3600
DAY = 24 * HOUR
ON = {"notice.digest.feed": "on", "notice.digest.mail": "on"}
YOUR_TURN = "Your turn: L.A.M.A."


async def digests(told: Told, name: str) -> list[tuple[str, list[str]]]:
    """Return when somebody's digests came, by day and hour in UTC, and what they said, oldest first."""
    messages = await told.feed.of(told.known[name].id)
    return [
        (message.at[:13], [item.title for item in message.items])
        for message in reversed(messages)
        if message.items[0].kind == "digest"
    ]


def at_midnight(told: Told) -> None:
    """Let it be midnight in Greenwich."""
    seconds = datetime.fromisoformat(told.now()).timestamp()
    told.now.advance(DAY - seconds % DAY)


async def test_a_digest_comes_once_a_day_at_the_hour_that_its_person_chose_where_they_live(told: Told):
    at_midnight(told)
    anna, bert = await two(told)
    await told.persons.change(anna.id, Wish(preferences={**ON, "notice.digest": "19"}))
    await told.reach(anna, "mail")
    begins = told.now()[:10]
    told.now.advance(60)
    await told.steps(3 * DAY - 600, step=600)
    came = await digests(told, "Anna")
    # 19:00 in Paris is 18:00 in winter and 17:00 in summer.
    assert [at[11:13] for at, _ in came] == ["18"] * 3 or [at[11:13] for at, _ in came] == ["17"] * 3
    assert len({at[:10] for at, _ in came}) == 3
    assert came[0][0] > begins
    assert [titles for _, titles in came] == [[YOUR_TURN]] * 3
    assert [mail.items[0].kind for mail in told.courier.delivered].count("digest") == 3
    assert await digests(told, "Bert") == []
    assert bert.id != anna.id


async def test_a_digest_tells_what_waits_first_and_what_moved_that_was_not_seen(told: Told):
    at_midnight(told)
    anna, _ = await two(told, "m1")
    await two(told, "m2")
    await two(told, "m3")
    await told.persons.change(anna.id, Wish(preferences=ON))
    for match in ("m2", "m3"):
        await told.house.move(match=match)
    await told.looks.note(anna.id, "m3", (await told.house.head("m3")).version, over=False)
    await told.steps(12 * HOUR, step=600)
    ((_, titles),) = await digests(told, "Anna")
    assert titles == [YOUR_TURN, "L.A.M.A.: what happened"]


async def test_a_day_on_which_nothing_waits_and_nothing_happened_has_no_digest(told: Told):
    at_midnight(told)
    _, bert = await two(told)
    await told.persons.change(bert.id, Wish(preferences=ON))
    await told.looks.note(bert.id, "m1", (await told.house.head()).version, over=False)
    await told.steps(2 * DAY, step=1200)
    assert await digests(told, "Bert") == []
    assert not [one for one in await told.fed(bert) if "what happened" in one]


async def test_a_digest_in_quiet_hours_rings_after_them_and_stands_in_the_feed_at_once(told: Told):
    at_midnight(told)
    anna, _ = await two(told)
    await told.persons.change(anna.id, Wish(preferences={**ON, "notice.digest": "5", "notice.quiet": "22-9"}))
    await told.reach(anna, "mail")
    await told.steps(DAY - 60, step=300)
    ((fed, _),) = await digests(told, "Anna")
    (mailed,) = [mail for mail in told.courier.delivered if mail.items[0].kind == "digest"]
    assert int(mailed.at[11:13]) - int(fed[11:13]) == 4


async def test_several_loops_and_restarts_tell_one_digest_a_day(told: Told):
    at_midnight(told)
    anna, _ = await two(told)
    await told.persons.change(anna.id, Wish(preferences=ON))
    for _ in range(2 * DAY // 900):
        for loop in (told.beside(), told.beside()):
            await loop.step()
        await told.work()
        told.now.advance(900)
    assert len(await digests(told, "Anna")) == 2


def listed(number: int, *names: str) -> bytes:
    """Return a list of heads."""
    at = Instant("2026-11-29T00:00:05.000Z")
    line = DigestLine(1, number, at, "", len(names))
    heads = [PublishedHead(name, 3, "ab" * 32) for name in names]
    return msgspec.json.Encoder().encode_lines((line, *heads))


async def test_a_published_list_goes_once_to_everybody_with_a_match_in_it(told: Told):
    anna, bert = await two(told)
    cleo = await told.person("Cleo", ("other", "player-9"))
    for person in (anna, bert, cleo):
        await told.reach(person, "mail")
    await told.persons.change(bert.id, Wish(preferences={"notice.heads.mail": "off"}))
    await told.steps(30)
    told.lists += [listed(1, "sha256:" + genesis("m1").hex())]
    await told.steps(DAY, step=1800)
    told.lists += [listed(2, "somewhere"), listed(3, "m1", "other")]
    told.loop = told.beside()
    await told.steps(DAY, step=1800)

    async def lists_of(name: str) -> list[int]:
        messages = await told.feed.of(told.known[name].id)
        return sorted(item.published for one in messages for item in one.items if item.published)

    assert await lists_of("Anna") == await lists_of("Bert") == [1, 3]
    assert await lists_of("Cleo") == [3]
    mailed = [(mail.person, item.published) for mail in told.courier.delivered for item in mail.items]
    assert sorted(one for one in mailed if one[1]) == sorted([(anna.id, 1), (anna.id, 3), (cleo.id, 3)])


async def test_lists_from_before_are_not_told_but_for_the_last(told: Told):
    told.now.advance(120)
    anna, _ = await two(told)
    told.lists += [listed(1, "m1"), listed(2, "m1"), listed(3, "m1")]
    await told.client.delete("tb:{notices}:daily")
    told.loop = told.beside()
    await told.steps(120)
    titles = await told.fed(anna)
    assert [title for title in titles if title.startswith("Published")] == [
        "Published list 3: how far the matches have come"
    ]

"""A month of a busy club on a faked clock, compared with a reading of the log that shares no code with notices.

The reading keeps its own book: from the envelopes alone it says who was asked from when to when, who answered what, how
matches ended, and on which days somebody was waited for at the hour of their digest.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from fakeredis import FakeAsyncRedis

from domain.errors import Refused
from domain.match.commands import AnswerRequest, AskToEnd, HandSeatOver
from services.errors import MatchClosed
from services.people.clubs.club import Club, Member
from services.people.contacts import Contact
from services.people.identity import Holder
from services.people.persons import Wish
from tests.kit.house import House
from tests.kit.told import Told
from tests.unit.services.notices.test_against_the_log import GRACE, Turn, turns_in

DAYS = 30
STEP = 1800
"""Seconds between two looks of the loop: what ends within them may go unseen."""

SLOWEST = 2 * STEP
TABLES = 5
ZONES = ("Europe/Paris", "Pacific/Auckland", "Asia/Kolkata")
"""Where the three live who sit at all tables."""


class Asked(NamedTuple):
    """An answer that somebody owed."""

    player: str
    request: str
    seconds: float


async def month(seed: int) -> Told:
    """Let people play for a month, each when they like; return what was told."""
    random = Random(seed)
    told = Told(House(), FakeAsyncRedis())
    await told.loop.step()
    people = await club_of(told)
    for number in range(TABLES):
        match = f"m{number}"
        await told.clubs.tables.record("c1", match, told.now())
        await told.house.begin("lama", 3, match=match, per_turn=3 * 24 * 3600)
        for seat in range(3):
            await told.memberships.collect(people[seat], Holder(match, f"player-{seat}", "seat"), told.now())
    ends = told.now.seconds + DAYS * 24 * 3600
    while told.now.seconds < ends:
        if random.random() < 0.1:
            told.loop = told.beside()  # killed, and started again
        if random.random() < 0.1:
            told.queue.jobs = [] if random.random() < 0.5 else told.queue.jobs * 2
        await act(told, f"m{random.randrange(TABLES)}", random)
        await told.steps(random.choice((1, 6, 12, 24)) * STEP, step=STEP)
    told.loop = told.beside()
    await told.steps(2 * STEP, step=STEP)
    return told


async def club_of(told: Told) -> list[str]:
    """Make a club with a channel, whose members want everything; return them."""
    people = []
    for number in range(len(ZONES)):
        person = await told.person(f"P{number}")
        on = {"notice.digest.feed": "on", "notice.digest": str(5 + 3 * number), "notice.quiet": "never"}
        await told.persons.change(person.id, Wish(time_zone=ZONES[number], preferences=on))
        people.append(person.id)
    club = Club("c1", "Thursday", told.now(), (Member("n1", people[0], "host", told.now()),))
    await told.clubs.create(club, told.now())
    details = {"shape": "json", "kinds": "result,awaited"}
    contact = Contact("webhook", "w", "https://chat.example.org", told.now(), confirmed=True, details=details)
    await told.contacts.keep("c1", contact)
    return people


async def act(told: Told, match: str, random: Random) -> None:
    house = told.house
    try:
        state = (await house.head(match)).state
        match random.randrange(12):
            case 0 if not state.requests:
                await house.do(AskToEnd(random.randrange(3), f"r{told.now.seconds:.0f}"), match=match)
            case 1 | 2 if state.requests:
                request = state.requests[0]
                seat = next(one for one in range(3) if one not in request.agreed and one != request.seat)
                agree = random.random() < 0.6
                await house.do(AnswerRequest(seat, request.id, agree=agree), match=match)
            case 3 if random.random() < 0.2:
                seat = random.randrange(3)
                await house.do(HandSeatOver(seat, "gone"), match=match, actor="operator", door="operator")
            case _:
                await house.move(match=match)
    except (Refused, MatchClosed, IndexError):
        return


class Book(NamedTuple):
    """What a match's log says, read without the code of notices."""

    turns: list[Turn]
    answers: list[Asked]
    handed: list[tuple[str, int]]
    ended: bool


async def book_of(told: Told, match: str) -> Book:
    envelopes = [json.loads(entry.e) for entry in await told.house.store.read(match)]
    now = datetime.fromisoformat(told.now()).timestamp()
    handed = [
        (f"player-{one['data']['seat']}", one["v"]) for one in envelopes if one["type"] == "SeatHandedToBot"
    ]
    kinds = {one["type"] for one in envelopes}
    ended = bool(kinds & {"MatchFinished", "MatchAbandoned"})
    return Book(turns_in(envelopes, now), list(answers_in(envelopes, now)), handed, ended)


def answers_in(envelopes: list[dict[str, Any]], now: float) -> Iterator[Asked]:
    """Yield the answers that people owed, and for how long."""
    waiting: dict[tuple[str, str], float] = {}

    def end(keys: list[tuple[str, str]], at: float) -> Iterator[Asked]:
        for key in keys:
            yield Asked(*key, at - waiting.pop(key))

    for one in envelopes:
        at, data = datetime.fromisoformat(one["at"]).timestamp(), one["data"]
        if one["type"] == "RequestMade":
            others = [seat for seat in range(3) if seat != data["seat"]]
            waiting |= {(f"player-{seat}", data["id"]): at for seat in others}
        elif one["type"] == "RequestAnswered":
            yield from end([key for key in waiting if key == (f"player-{data['seat']}", data["id"])], at)
        elif one["type"] == "RequestLapsed":
            yield from end([key for key in waiting if key[1] == data["id"]], at)
        elif one["type"] in {"MatchFinished", "MatchAbandoned"}:
            yield from end(list(waiting), at)
    yield from end(list(waiting), now)


async def test_a_month_of_a_busy_club_is_told_as_the_log_says():
    told = await month(7)
    seen = Counter[str]()
    for number in range(TABLES):
        match = f"m{number}"
        book, fields = await book_of(told, match), await told.outbox.entries(match)
        entries = [field.split(" ") for field in fields]
        turns = {(player, int(turn[5:])) for kind, turn, player, _ in entries if kind == "turn"}
        absent = {player for player, _ in book.handed}
        must = {(one.player, one.asked) for one in book.turns if one.seconds >= GRACE + SLOWEST}
        may = {(one.player, one.asked) for one in book.turns if one.seconds >= GRACE}
        # A bot plays for who was handed over: their log's turns are the bot's.
        assert {one for one in must - turns if one[0] not in absent} == set()
        assert turns <= may
        answers = {(player, turn) for kind, turn, player, _ in entries if kind == "answer"}
        owed = {(one.player, one.request) for one in book.answers if one.seconds >= GRACE}
        sure = {(one.player, one.request) for one in book.answers if one.seconds >= GRACE + SLOWEST}
        assert sure <= answers <= owed
        done = {(player, turn) for kind, turn, player, _ in entries if kind == "happened"}
        assert done == {(player, f"v{version}") for player, version in book.handed}
        ends = Counter(player for kind, _, player, channel in entries if kind == "ended")
        assert ends == (Counter({f"player-{seat}": 1 for seat in range(3)}) if book.ended else Counter())
        results = [turn for kind, turn, player, _ in entries if (kind, player) == ("result", "c1")]
        assert results == (["ended"] if book.ended else [])
        awaited = {int(turn[5:]) for kind, turn, player, _ in entries if kind == "awaited"}
        assert {version for player, version in must if player not in absent} <= awaited
        assert awaited <= {version for _, version in may}
        seen.update(
            {"turn": len(turns), "answer": len(answers), "happened": len(done), "ended": len(results)}
        )
    # The month had everything.
    assert all(seen[kind] for kind in ("turn", "answer", "happened", "ended")), seen
    await digests_came_as_wanted(told)


async def digests_came_as_wanted(told: Told) -> None:
    """Hold digests against a calendar of their own: one a day at most, at the hour that was asked for."""
    for number, zone in enumerate(ZONES):
        messages = await told.feed.of(told.known[f"P{number}"].id)
        came = [
            datetime.fromisoformat(one.at).astimezone(ZoneInfo(zone))
            for one in messages
            if one.items[0].kind == "digest"
        ]
        days = Counter(at.date() for at in came)
        assert set(days.values()) <= {1}, (zone, days)
        hour = 5 + 3 * number
        for at in came:
            wanted = at.replace(hour=hour, minute=0, second=0, microsecond=0)
            assert timedelta(0) <= at - wanted <= timedelta(seconds=SLOWEST), (zone, at)
        # Their feed keeps the last fifty only.
        assert came or len(messages) == 50
        assert all(at.astimezone(UTC) <= datetime.fromisoformat(told.now()) for at in came)

"""The inbox: always what the logs say, however late the rows are."""

import asyncio
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.entries import decode_envelope
from domain.instants import milliseconds_of
from domain.match.clock import ClockTerms
from domain.match.commands import (
    AnswerRequest,
    BeReady,
    Command,
    CreateMatch,
    LeaveSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.say import lapses_at
from domain.match.view import match_view
from domain.viewers import Viewer
from services.matches.reader import MatchReader
from services.people.memberships import Held
from services.projections.inbox import Finished, InboxReader, InboxTable
from services.projections.list_positions import ListPosition
from services.projections.list_reader import ListReader
from tests.kit.games import GAME_KEYS
from tests.kit.logs import finished, running
from tests.kit.play import Player
from tests.kit.table import Table

ANNA = {"seat": "player-0", "host": "host"}


def reader_of(house, reader: MatchReader | None = None) -> InboxReader:
    rows = ListReader(house.store.look, house.store.shards)
    return InboxReader(rows, house.log, reader or MatchReader(house.log))


def anna_at(*matches: str) -> Mapping[str, Held]:
    return {match: Held("player-0") for match in matches}


def names(tables: tuple[InboxTable, ...]) -> list[str]:
    return [table.match for table in tables]


class Forbidden(MatchReader):
    """A reader that must not be asked."""

    async def head(self, match, *, proven=False):
        raise AssertionError(f"{match} was folded, proven: {proven}")


async def test_tables_whose_rows_are_up_to_date_are_not_folded(house):
    for number in range(3):
        await house.put(f"over{number}", finished())
    await house.put("on", running())
    await house.rebuilder.rebuild()
    inbox = reader_of(house, Forbidden(house.log))
    parts = anna_at("over0", "over1", "over2", "on")
    found = await inbox.inbox(parts, {"over1": 3})
    # Never looked at, and a bot is to move there.
    assert names(found.moved) == ["on", "over1"]
    assert {one.match for one in found.finished} == {"over0", "over2"}
    page = await inbox.finished(parts, found, None, 1)
    assert len(page.tables) == 1
    rest = await inbox.finished(parts, found, page.next, 5)
    assert {*names(page.tables), *names(rest.tables)} == {"over0", "over2"}
    assert rest.next is None


async def test_finished_tables_are_found_page_by_page(house):
    parts = anna_at(*(f"m{number}" for number in range(7)))
    for match in parts:
        await house.put(match, finished())
    await house.rebuilder.rebuild()
    inbox = reader_of(house)
    found = await inbox.inbox(parts, {})

    async def odd(tables):
        return [table for table in tables if int(table.match[1:]) % 2]

    page = Finished((), ListPosition(10**15 - 1, "~"))
    seen: list[str] = []
    while page.next is not None:
        page = await inbox.finished(parts, found, page.next, 2, odd)
        seen += names(page.tables)
    assert sorted(seen) == ["m1", "m3", "m5"]


async def test_an_end_that_was_seen_is_no_news(house):
    log = finished()
    await house.rebuilder.rebuild()
    await house.grow("m1", log, len(log) - 5)
    inbox, parts = reader_of(house), anna_at("m1")
    await house.grow("m1", log, len(log))
    assert names((await inbox.inbox(parts, {"m1": len(log) - 5})).moved) == ["m1"]
    found = await inbox.inbox(parts, {})
    assert [one.match for one in found.finished] == ["m1"]
    assert names((await inbox.finished(parts, found, None, 9)).tables) == ["m1"]


async def test_who_stood_up_has_the_table_no_longer(house):
    table = Table("m1")
    table.when(CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", table.seed))
    table.when(TakeSeat("player-0", 0)).when(LeaveSeat(0))
    await house.rebuilder.rebuild()
    await house.grow("m1", tuple(table.entries), len(table.entries))
    found = await reader_of(house).inbox(anna_at("m1"), {})
    assert (found.turns, found.moved, found.waiting, found.finished) == ((), (), (), ())


async def test_a_log_that_cannot_be_read_takes_no_other_table_away(house):
    await house.put("good", running())
    await house.put("bad", running())
    key = house.ledger.keyspace.of_match("bad").events
    await house.client.xdel(key, "3-0")
    found = await reader_of(house).inbox(anna_at("good", "bad"), {})
    assert names(found.moved) == ["good"]


async def test_nobody_has_no_tables(house):
    found = await reader_of(house).inbox({}, {})
    assert (found.turns, found.finished) == ((), ())


class Told(NamedTuple):
    """A table as its log tells it, to somebody who reads it with other eyes than the inbox."""

    what: frozenset[tuple[str, int | None]]
    version: int
    totals: tuple[int, ...]
    has_moved: bool
    is_over: bool


def accepted(table: Table, command) -> bool:
    return table.copy().when(command).refusal is None


def as_the_log_tells(table: Table, seat: int | None, seen: int | None, *, is_host: bool) -> Told:
    """Return how a table stands for somebody, found by trying what it accepts from them."""
    view = match_view(table.position, Viewer(seat))
    what: set[tuple[str, int | None]] = set()
    is_full = all(one.kind != "open" for one in view.seats)
    if seat is not None:
        if view.asked_at is not None and not view.seats[seat].stand_in:
            deadline = view.deadlines.get(str(seat))
            what.add(("move", milliseconds_of(deadline) if deadline else None))
        what |= {
            ("answer", milliseconds_of(lapses_at(table.state, request)))
            for request in view.requests
            if accepted(table, AnswerRequest(seat, request.id, agree=False))
        }
        if is_full and accepted(table, BeReady(seat)):
            what.add(("ready", None))
    if is_host and view.game is None and accepted(table, StartMatch()):
        what.add(("start", None))
    over = view.lifecycle.phase in {"finished", "abandoned"}
    last_seen = seen if seen is not None or over else 0
    return Told(
        frozenset(what),
        len(table.entries),
        tuple(getattr(view.game, "totals", ())),
        last_seen is not None and len(table.entries) > last_seen,
        over,
    )


class Club:
    """A few tables at which Anna sits, and some of which she hosts, with whatever happens there."""

    def __init__(self, house, random: Random) -> None:
        self.house, self.random = house, random
        self.tables: dict[str, Table] = {}
        self.seen: dict[str, int] = {}

    async def new(self) -> None:
        random = self.random
        table = Table(f"m{len(self.tables)}")
        plans = (SeatPlan(), SeatPlan(), *(SeatPlan("steady"),) * random.randrange(2))
        table.when(
            CreateMatch(
                random.choice(GAME_KEYS),
                {},
                plans,
                "host",
                f"{random.getrandbits(256):064x}",
                ClockTerms(random.choice((0, 3600))),
                "consent",
            )
        )
        assert table.refusal is None, table.refusal
        self.tables[table.position.match] = table

    async def gather(self) -> None:
        table = self._some()
        if table is None or table.state.game is not None:
            return
        seat = self.random.randrange(2)
        commands: tuple[Command, ...] = (
            TakeSeat(f"player-{seat}", seat),
            BeReady(seat),
            LeaveSeat(seat),
            BeReady(1 - seat),
            StartMatch(),
        )
        for command in self.random.sample(commands, 3):
            table.when(command)

    async def fill(self) -> None:
        table = self._some()
        if table is not None and table.state.game is None:
            for seat in range(2):
                table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
            table.when(StartMatch())

    async def play(self) -> None:
        table = self._some()
        if table is None or table.state.lifecycle.phase != "playing":
            return
        player = Player(table, self.random)
        for _ in range(self.random.randrange(1, 6)):
            if player.is_on:
                self.random.choice(
                    (player.random_move, player.bot_move, player.wait, player.leave, player.ask, player.undo)
                )()

    async def end(self) -> None:
        table = self._some()
        if table is None or table.state.lifecycle.phase != "playing":
            return
        player = Player(table, self.random)
        while player.is_on:
            player.fallback_move()

    async def look(self) -> None:
        table = self._some()
        if table is not None:
            match = table.position.match
            if table.state.lifecycle.phase in {"finished", "abandoned"}:
                self.seen.pop(match, None)
            else:
                self.seen[match] = len(table.entries)

    async def follow(self) -> None:
        await self.house.catch_up()

    def _some(self) -> Table | None:
        return self.random.choice([*self.tables.values()]) if self.tables else None

    async def store(self) -> None:
        """Put what has happened into the store; the rows learn of it later, or never."""
        for match, table in self.tables.items():
            log = tuple(table.entries)
            meta = await self.house.store.meta(match)
            start = 0 if meta is None else meta.version
            while start < len(log):
                start = decode_envelope(log[start].e).command.last
                await self.house.grow(match, log, start)

    async def check(self, reader: InboxReader) -> None:
        parts = {
            match: Held("player-0", "host" if number % 2 else "") for number, match in enumerate(self.tables)
        }
        inbox = await reader.inbox(parts, self.seen)
        expected: dict[str, Told] = {}
        for match, table in self.tables.items():
            seated = [number for number, seat in enumerate(table.state.seats) if seat.player == "player-0"]
            is_host = bool(parts[match].host)
            if seated or is_host:
                seat = seated[0] if seated else None
                expected[match] = as_the_log_tells(table, seat, self.seen.get(match), is_host=is_host)
        lists = {
            "turns": {match for match, told in expected.items() if told.what},
            "moved": {match for match, told in expected.items() if not told.what and told.has_moved},
            "waiting": {
                match for match, told in expected.items() if not (told.what or told.has_moved or told.is_over)
            },
        }
        shown = {name: getattr(inbox, name) for name in lists}
        assert {name: {*names(tables)} for name, tables in shown.items()} == lists
        for table in (one for tables in shown.values() for one in tables):
            told = expected[table.match]
            assert {(one.what, one.until) for one in table.owed} == told.what
            assert (table.row.version, table.row.totals, table.row.is_over) == (
                told.version,
                told.totals,
                told.is_over,
            )
        deadlines = [table.until for table in inbox.turns]
        assert deadlines == sorted(deadlines, key=lambda until: (until is None, until or 0))
        page = await reader.finished(parts, inbox, None, 50)
        over = {match for match, told in expected.items() if told.is_over and not told.has_moved}
        assert {*names(page.tables)} == over


STEPS = st.lists(
    st.sampled_from(
        ("new", "gather", "gather", "fill", "fill", "play", "play", "play", "end", "look", "follow")
    ),
    max_size=18,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(steps=STEPS, random=st.randoms(use_true_random=False), has_rows=st.booleans())
def test_it_always_equals_what_the_logs_say(in_a_new_house, steps, random, has_rows):
    asyncio.run(in_a_new_house(lambda house: lived(house, ("new", *steps), random, has_rows)))


async def lived(house, steps: tuple[str, ...], random: Random, has_rows: bool) -> None:
    if has_rows:
        await house.rebuilder.rebuild()
    club, reader = Club(house, random), reader_of(house)
    for step in steps:
        if step != "follow" or has_rows:
            await getattr(club, step)()
        await club.store()
        await club.check(reader)


@pytest.mark.parametrize("count", [1, 3])
async def test_a_reader_in_another_process_reads_the_same(house, count):
    await house.rebuilder.rebuild()
    club = Club(house, Random(count))
    for _ in range(count):
        await club.new()
        await club.fill()
    await club.store()
    await club.check(reader_of(house))
    await club.follow()
    await club.check(reader_of(house, Forbidden(house.log)))

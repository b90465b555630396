"""Redis and the memory model do the same, step by step, whatever the steps are."""

import asyncio

import fakeredis
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from services.log.event_store.contract import Appended, EventStore, Status
from services.log.event_store.errors import FeedGap
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import SPEAKING_REDIS, database_of, fake_pool, flushed, patient
from tests.conformance.journal import Journal, everything
from tests.kit.memory_store import MemoryEventStore

MATCHES = ("a", "b", "c")
ACTORS = ("p_1", "bot-2")
COMMANDS = tuple(f"c{number}" for number in range(20))
CONSUMERS = ("lobby", "inbox")

matches = st.sampled_from(MATCHES)
instants = st.none() | st.integers(0, 50)
behind = st.sampled_from((0, 0, 0, 0, 0, 1, 2))
"""How many events a writer has not seen: mostly none, or nothing would ever be appended."""


class Both(RuleBasedStateMachine):
    """Every step is taken on the model and on the real store; answers and everything that shows must be equal."""

    store: EventStore
    shards: int

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.model = MemoryEventStore(self.shards)
        self.journals = {match: Journal(match) for match in MATCHES}

    @initialize()
    def open(self) -> None:
        self.real = self.loop.run_until_complete(self.opened())

    async def opened(self) -> EventStore:
        raise NotImplementedError

    def teardown(self) -> None:
        try:
            self.look_at_everything()
        finally:
            self.loop.run_until_complete(self.real.close())
            self.loop.close()

    def both(self, method: str, *arguments: object) -> object:
        """Call a method of both stores, compare what they say, and return it."""

        async def said(store: EventStore) -> object:
            try:
                answer = await getattr(store, method)(*arguments)
            except FeedGap as gap:
                return str(gap)
            return list(answer) if method == "refusals" else answer

        model = self.loop.run_until_complete(said(self.model))
        assert self.loop.run_until_complete(said(self.real)) == model
        return model

    @rule(
        match=matches,
        actor=st.sampled_from(ACTORS),
        command_id=st.sampled_from(COMMANDS),
        fingerprint=st.sampled_from(("f", "f", "f", "g")),
        events=st.integers(1, 3),
        behind=behind,
        due=instants,
        status=st.sampled_from((Status.OPEN,) * 12 + (Status.CLOSED,)),
        limit=st.sampled_from((1000, 1000, 1000, 5)),
    )
    def append(self, match, actor, command_id, fingerprint, events, behind, due, status, limit):
        journal = self.journals[match]
        seen = Journal(match)
        seen.entries = journal.entries[: max(0, journal.version - behind)]
        append = seen.command(
            events,
            text=f"{actor} {command_id}",
            actor=actor,
            command_id=command_id,
            fingerprint=fingerprint,
            due=due,
            status=status,
            limit=limit,
        )
        if isinstance(self.both("append", append), Appended):
            journal.take(append)

    @rule(match=matches, actor=st.sampled_from(ACTORS), command_id=st.sampled_from(COMMANDS))
    def command(self, match, actor, command_id):
        self.both("command", match, actor, command_id)

    @rule(match=matches, after=st.integers(0, 9), last=st.none() | st.integers(0, 9))
    def read(self, match, after, last):
        self.both("read", match, after, last)

    @rule(match=matches, behind=behind, due=instants)
    def set_due(self, match, behind, due):
        self.both("set_due", match, max(0, self.journals[match].version - behind), due)

    @rule(until=st.integers(0, 50), count=st.integers(1, 3))
    def due(self, until, count):
        self.both("due", until, count)

    @rule(match=matches)
    def refuse(self, match):
        self.both("record_refusal", match, b"{}")

    @rule(match=matches, right=st.sampled_from((True, True, False)))
    def write_tombstone(self, match, right):
        self.both("write_tombstone", match, self.journals[match].head if right else b"?")

    @rule(consumer=st.sampled_from(CONSUMERS), data=st.data())
    def advance(self, consumer, data):
        shard = data.draw(st.integers(0, self.shards - 1))
        old = data.draw(st.sampled_from((self.both("checkpoint", consumer, shard), None, 1)))
        self.both("advance", consumer, shard, old, data.draw(st.integers(0, 12)))

    @rule(data=st.data())
    def trim_feed(self, data):
        self.both("trim_feed", data.draw(st.integers(0, self.shards - 1)))

    @rule(after=st.integers(0, 5), count=st.integers(1, 4))
    def feed(self, after, count):
        self.both("feed", dict.fromkeys(range(self.shards), after), count, 0)

    @rule()
    def look_at_everything(self) -> None:
        expected = self.loop.run_until_complete(everything(self.model))
        assert self.loop.run_until_complete(everything(self.real)) == expected


@pytest.mark.backends(*SPEAKING_REDIS, shards=(4,))
def test_a_store_does_what_the_model_does(shards, server):
    class BothHere(Both):
        async def opened(self) -> EventStore:
            if server is None:
                return await RedisEventStore.on(fake_pool(fakeredis.FakeServer()), shards, patient())
            return await RedisEventStore.open(flushed(server, database_of(shards)), shards, patient())

    BothHere.shards = shards
    run_state_machine_as_test(
        BothHere,
        settings=settings(
            max_examples=15,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )

"""Writing one match's log in tests: appends that fit on each other, without a game."""

import itertools

import msgspec

from domain.chain import genesis, link
from domain.entries import StoredEntry
from services.log.event_store.contract import Answer, Append, Appended, Conflict, EventStore, Status

LIMIT = 20_000

_command_numbers = itertools.count(1)


def entries_after(version: int, head: bytes, bodies: tuple[bytes, ...]) -> tuple[StoredEntry, ...]:
    """Return entries with the given envelopes; every second one carries openings."""
    made = []
    for number, body in enumerate(bodies, version + 1):
        head = link(head, body)
        made.append(StoredEntry(number, body, b"" if number % 2 else b'[{"sealed":%d}]' % number, head))
    return tuple(made)


class Journal:
    """A match as its writer knows it: version, head, and all entries so far."""

    def __init__(self, match: str = "m") -> None:
        self.match = match
        self.entries: list[StoredEntry] = []

    @property
    def version(self) -> int:
        return len(self.entries)

    @property
    def head(self) -> bytes:
        return self.entries[-1].h if self.entries else genesis(self.match)

    def command(self, events: int = 1, *, text: str = "", **changes: object) -> Append:
        """Return the append of a command decided on the present version.

        Args:
            events: How many events it has.
            text: Goes into the events, to tell this command's from another's.
            changes: Other values for the fields of the append.
        """
        bodies = tuple(
            b'{"v":%d,"text":"%s"}' % (number, text.encode())
            for number in range(self.version + 1, self.version + events + 1)
        )
        append = Append(
            match=self.match,
            actor="p_ada",
            command_id=f"c-{next(_command_numbers)}",
            fingerprint=f"print{text}",
            expected_version=self.version,
            expected_head=self.head,
            entries=entries_after(self.version, self.head, bodies),
            types=("Played",) * events,
            status=Status.OPEN,
            game="lama",
            rules=1,
            due=None,
            limit=LIMIT,
        )
        return msgspec.structs.replace(append, **changes)

    def take(self, append: Append) -> None:
        """Move on: this append is in the log."""
        assert append.expected_version == self.version
        self.entries.extend(append.entries)

    async def write(self, store: EventStore, events: int = 1, **changes: object) -> Append:
        """Append a command that must succeed, and move on."""
        append = self.command(events, **changes)  # type: ignore[arg-type]
        answer = await store.append(append)
        assert answer == Appended(self.version + 1, self.version + events)
        self.take(append)
        return append

    async def matches(self, store: EventStore) -> bool:
        """Tell whether the store holds exactly this, and meta says so too."""
        meta = await store.meta(self.match)
        stored = await store.read(self.match)
        return (
            stored == self.entries
            and meta is not None
            and (meta.version, meta.head) == (self.version, self.head)
        )


async def everything(store: EventStore) -> dict[str, object]:
    """Return all that the store shows of itself, to see that nothing has changed or that two stores are equal."""
    matches = sorted([match async for match in store.matches()])
    return {
        "meta": {match: await store.meta(match) for match in matches},
        "entries": {match: await store.read(match) for match in matches},
        "refusals": {match: list(await store.refusals(match)) for match in matches},
        "positions": await store.positions(),
        "due": await store.due(2**53 - 1, 1000),
        "scheduled": {match: await store.scheduled(match) for match in matches},
        "next due": await store.next_due(),
    }


async def retried(store: EventStore, journal: Journal, **changes: object) -> Answer:
    """Append like the match service: after a conflict, decide again at the head."""
    while True:
        append = journal.command(**changes)  # type: ignore[arg-type]
        answer = await store.append(append)
        if isinstance(answer, Appended):
            journal.take(append)
            return answer
        assert isinstance(answer, Conflict)
        journal.entries += await store.read(journal.match, after=journal.version)

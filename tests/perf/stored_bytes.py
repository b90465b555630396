"""Bytes that matches take in the log's server: live, by game; what a sealed field adds; what is left at the end.

Budgets: a live match 5 KB + 450 B for each event + 130 B for each sealed field; a finished match 700 B, history rows
included. Matches are played through the match service, with ids as long as the API's, and measured with the server's
own `MEMORY USAGE`; feed entries are shared by all matches of a shard and are trimmed once everybody has read them.
"""

import secrets
import uuid
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import uvloop

from domain.chance import Chance
from domain.entries import StoredEntry, decode_envelope, decode_openings, encode_envelope
from domain.match.clock import ClockTerms
from domain.match.command_handler import CommandMetadata
from domain.match.commands import BeReady, Command, CreateMatch, PlayMove, SeatPlan, StartMatch, TakeSeat
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position, beginning, fold
from domain.sealing import unseal
from domain.viewers import seat_viewer
from services.bootstrap.parts import Application, application
from services.log.embedded.session import running_stores
from services.log.event_store.keys import Keyspace
from services.matches.service import Submission
from tests.kit.games import GAME_KEYS
from tests.perf.logs import adoption
from tests.perf.report import judged, median, show

MATCHES = 3
SEATS = 4
SHARDS = 16
SECRET = b"s" * 32
BASE, PER_EVENT, PER_SEALED, TOMBSTONE = 5000, 450, 130, 700


class Sizes(NamedTuple):
    """One match: its events, sealed fields and commands, and the bytes of its keys."""

    events: int
    sealed: int
    commands: int
    stream: int
    meta: int
    feed: int


class Writer:
    """Plays matches through the service as players do over the API."""

    def __init__(self, parts: Application) -> None:
        self._parts = parts
        self._keyspace = Keyspace(SHARDS)

    async def played(self, game: str, *, to_the_end: bool) -> str:
        """Play a match to its end, or to its 200th event; return its id."""
        match = self._parts.identity.for_new_match(secrets.token_hex(16)).match
        players = [self._parts.identity.for_seat(match, f"{seat}").player for seat in range(SEATS)]
        seed, plans = secrets.token_hex(32), (SeatPlan(),) * SEATS
        await self._do(match, CreateMatch(game, {}, plans, "h" + match, seed, ClockTerms()), "h" + match)
        for seat, player in enumerate(players):
            await self._do(match, TakeSeat(player, seat), player)
            await self._do(match, BeReady(seat), player)
        position = await self._do(match, StartMatch(), "h" + match)
        while seats_to_act(position.state) and (to_the_end or position.version < 200):
            seat = seats_to_act(position.state)[0]
            position = await self._do(match, _move(position, seat), players[seat])
        return match

    async def _do(self, match: str, command: Command, actor: str) -> Position:
        metadata = CommandMetadata(actor, "api", str(uuid.uuid4()), secrets.token_hex(8))
        submission = Submission(match, command, metadata, secrets.token_hex(32))
        return (await self._parts.service.execute(submission)).position

    async def sizes(self, match: str, feed_before: int) -> Sizes:
        entries = await self._parts.store.read(match)
        envelopes = [decode_envelope(entry.e) for entry in entries]
        keys = self._keyspace.of_match(match)
        return Sizes(
            len(entries),
            sum(len(decode_openings(entry.s)) for entry in entries),
            sum(envelope.v == envelope.command.last for envelope in envelopes),
            await self.usage(keys.events),
            await self.usage(keys.meta),
            await self.feed_of(match) - feed_before,
        )

    async def feed_of(self, match: str) -> int:
        return await self.usage(self._keyspace.of_shard_of(match).feed)

    async def feeds(self) -> int:
        return sum([await self.usage(self._keyspace.of_shard(shard).feed) for shard in range(SHARDS)])

    async def usage(self, key: str) -> int:
        """Return the bytes of a key, with all its elements counted."""
        return int(await self._parts.log_client.memory_usage(key, samples=0) or 0)

    async def tombstone(self, match: str) -> int:
        """Archive a finished match; return the bytes of what is left."""
        await self._parts.archivist.archive(match)
        keys = self._keyspace.of_match(match)
        return sum([await self.usage(key) for key in keys])

    async def copied(self, match: str, entries: list[StoredEntry], position: Position) -> int:
        """Store a log as it is; return the bytes of its stream."""
        assert await self._parts.store.adopt(adoption(match, position, entries))
        return await self.usage(self._keyspace.of_match(match).events)

    async def log(self, match: str) -> list[StoredEntry]:
        return await self._parts.store.read(match)


def _move(position: Position, seat: int) -> PlayMove:
    state, present = position.state, position.state.game
    assert state.terms is not None
    assert present is not None
    game = game_of(state.terms)
    legal = game.legal_moves(present, seat)
    assert legal is not None
    chance = Chance(secrets.token_hex(32))
    return PlayMove(seat, game.choose(game.view(present, seat_viewer(seat)), legal, seat, chance))


def unsealed(entries: list[StoredEntry]) -> list[StoredEntry]:
    """Return the same log as if nothing were sealed: the values in the envelopes, no openings."""
    plain = []
    for entry in entries:
        envelope = decode_envelope(entry.e)
        data: dict[str, Any] = unseal(msgspec.json.decode(envelope.data), decode_openings(entry.s))
        opened = msgspec.structs.replace(envelope, data=msgspec.Raw(msgspec.json.encode(data)))
        plain.append(StoredEntry(entry.version, encode_envelope(opened), b"", entry.h))
    return plain


async def _live(writer: Writer, game: str) -> list[Sizes]:
    found = []
    for _ in range(MATCHES):
        before = await writer.feeds()
        match = await writer.played(game, to_the_end=False)
        grown = await writer.feeds() - before
        sizes = await writer.sizes(match, 0)
        found.append(sizes._replace(feed=grown))
    return found


async def _measured(url: str, archive: str) -> None:
    rows, ends = [], []
    async with application(url, SHARDS, SECRET, archive) as parts:
        writer = Writer(parts)
        for game in GAME_KEYS:
            live = await _live(writer, game)
            match = await writer.played(game, to_the_end=True)
            entries = await writer.log(match)
            whole = await writer.sizes(match, 0)
            position = fold(beginning(match), entries)
            sealed = await writer.copied(f"{game}-sealed", entries, position)
            plain = await writer.copied(f"{game}-plain", unsealed(entries), position)
            ends.append((game, whole, (sealed - plain) / whole.sealed, await writer.tombstone(match)))
            rows += [_row(game, live), _row(f"{game}, whole match", [whole])]
    columns = ("match, 4 seats", "events", "sealed fields", "stream, B", "meta, B", "all, B", "budget")
    show((*columns, "B per event", "feed, B per command"), rows)
    print()
    show(
        ("game", "a sealed field adds, B", "budget", "left of a finished match, B", "budget"),
        [
            (game, each, judged(each, PER_SEALED), str(left), judged(left, TOMBSTONE))
            for game, _, each, left in ends
        ],
    )


def _row(name: str, measured: list[Sizes]) -> tuple[object, ...]:
    middle = Sizes(*(int(median(part)) for part in zip(*measured, strict=True)))
    taken = middle.stream + middle.meta
    budget = BASE + PER_EVENT * middle.events + PER_SEALED * middle.sealed
    feed = f"{middle.feed / middle.commands:.0f}" if middle.feed else ""
    shape = (str(middle.events), str(middle.sealed), str(middle.stream), str(middle.meta))
    return (name, *shape, str(taken), judged(taken, budget), taken / middle.events, feed)


def main() -> None:
    """Measure."""
    with TemporaryDirectory(prefix="tb-") as folder:
        with running_stores(Path(folder) / "d", purpose="measuring") as stores:
            uvloop.run(_measured(stores.log_store_url, f"{folder}/archive"))


if __name__ == "__main__":
    main()

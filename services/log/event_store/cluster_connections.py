"""Connections to the primaries of a cluster, which say how far a command came when it fails.

Each command goes to the node that has its slot. A node that does not carry a command out says so: the slot is
elsewhere, or on its way, or its keys are in two places for a moment, or nobody has it until a replica is promoted. Then
nothing happened, and the command is sent again until the time is up. Only a reply that never came leaves anything open.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count
from typing import Any, Final

from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MovedError,
    ReadOnlyError,
    TryAgainError,
)

from services.log.event_store.connections import (
    Command,
    Connections,
    Line,
    NoReply,
    NothingSent,
    Servers,
    StoreRefused,
)
from services.log.event_store.keys import PREFIX
from services.log.event_store.patience import Patience
from services.log.event_store.slot_map import Place, SlotMap
from services.log.event_store.slots import HOUSE_SLOT, placed_command, placed_pattern, slot_of, unplaced

_NOT_CARRIED_OUT: Final = (AskError, BusyLoadingError, ClusterDownError, ReadOnlyError, TryAgainError)
"""Replies of a node that did nothing, and that another node, or the same one later, may answer otherwise."""

_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.25
_REDIRECTIONS: Final = 3
"""So often a command follows at once to where it is sent; after that the cluster needs a moment."""


class _Part:
    """Commands that go to one node together, and are sent again together."""

    def __init__(self, slot: int | None) -> None:
        self.slot: Final = slot
        self.commands: Final[list[Command]] = []
        self.replies: list[Any] = []
        self.redirected: Place | None = None
        self.is_asking = False
        self.redirections = 0

    def take(self, replies: Sequence[Any]) -> Exception | None:
        """Take the replies; return why nothing was carried out, if so."""
        self.replies = list(replies)
        self.redirected, self.is_asking = None, False
        return next((reply for reply in replies if isinstance(reply, _NOT_CARRIED_OUT)), None)


class ClusterConnections(Servers):
    """Connections to all primaries."""

    spread = True

    def __init__(
        self, seeds: Sequence[Place], connect: Callable[[Place], Connections], patience: Patience
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            seeds: Nodes by which the others are found.
            connect: Prepares connections to a node.
            patience: How long to wait.
        """
        super().__init__(patience)
        self._seeds: Final = tuple(seeds)
        self._connect: Final = connect
        self._nodes: Final[dict[Place, Connections]] = {}
        self._map = SlotMap((), frozenset())
        self._learned = 0
        self._is_stale = True
        self._silent: Place | None = None
        self._learning: Final = asyncio.Lock()

    async def ask(self, *commands: Command, within: float | None = None, line: Line = "shared") -> list[Any]:
        """Send commands to where their keys are, and return their replies; see :meth:`Servers.ask`."""
        replies = await self.answers(commands, within=within, line=line)
        for reply in replies:
            if isinstance(reply, Exception):
                raise StoreRefused(reply)
        return replies

    async def answers(
        self, commands: Sequence[Command], *, within: float | None = None, line: Line = "shared"
    ) -> list[Any]:
        """Do the same, but return an error that a server replied in the place of the reply."""
        parts = list[_Part]()
        for command in commands:
            renamed = placed_command(command)
            slot = slot_of(renamed)
            if slot is not None or not parts:
                parts.append(_Part(slot))
            parts[-1].commands.append(renamed)
        await self._send(parts, within, line=line)
        return [reply for part in parts for reply in part.replies]

    async def ask_together(
        self,
        commands: Sequence[Command],
        behind: Sequence[Command] = (),
        *,
        within: float | None = None,
        line: Line = "shared",
    ) -> list[Any]:
        """Return the replies to commands that are carried out in one step, slot by slot.

        Others may go behind the last step, on its connection; their replies are the last ones.
        """
        renamed = [placed_command(command) for command in commands]
        slots = [slot_of(command) for command in renamed]
        parts = {slot: _Part(slot) for slot in slots}
        for part in parts.values():
            part.commands.append(("MULTI",))
        for slot, command in zip(slots, renamed, strict=True):
            parts[slot].commands.append(command)
        for part in parts.values():
            part.commands.append(("EXEC",))
        part.commands.extend(behind)
        await self._send(list(parts.values()), within, line=line)
        after = [part.replies.pop() for _ in behind][::-1]
        for part in parts.values():
            if isinstance(part.replies[-1], Exception):
                raise StoreRefused(part.replies[-1])
        found = {slot: iter(part.replies[-1]) for slot, part in parts.items()}
        return [*(next(found[slot]) for slot in slots), *after]

    async def scan(self, pattern: str, page: int) -> AsyncIterator[list[bytes]]:
        """Yield the names of all keys that match a pattern, primary by primary; see :meth:`Servers.scan`.

        If slots were moved meanwhile, some keys may have been passed over, so all is looked through once more.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + self.patience.reply
        while True:
            try:
                await self._learn(end)
                before = self._map
                for place in before.primaries:
                    async for found in self._node(place).scan(placed_pattern(pattern), page):
                        end = clock() + self.patience.reply
                        yield [unplaced(key) for key in found]
                await self._learn(end)
                if self._map == before:
                    return
            except (NothingSent, NoReply):
                if clock() + _LONGEST_PAUSE >= end:
                    raise
                self._is_stale = True
                await asyncio.sleep(_LONGEST_PAUSE)

    async def ask_each(
        self, *commands: Command, within: float | None = None, some: bool = False
    ) -> dict[str, list[Any]]:
        """Return the replies of every primary, by its address."""
        clock = asyncio.get_running_loop().time
        end = clock() + (self.patience.reply if within is None else within)
        await self._learn(end)
        places = self._map.primaries
        asked = [self._node(place).ask(*commands, within=end - clock()) for place in places]
        replies = await asyncio.gather(*asked, return_exceptions=True)
        found, silent = dict[str, list[Any]](), list[BaseException]()
        for (host, port), reply in zip(places, replies, strict=True):
            if isinstance(reply, NothingSent | NoReply):
                silent.append(reply)
            elif isinstance(reply, BaseException):
                raise reply
            else:
                found[f"{host}:{port}"] = reply
        if silent and not (some and found):
            raise silent[0]
        return found

    async def primary_of(self, *keys: str | bytes) -> Place:
        """Return the node that has keys, which must share a slot, for whoever must stay on one connection to it.

        Raises:
            NothingSent: No node answers, or nobody has the slot.
        """
        if self._is_stale:
            await self._learn(asyncio.get_running_loop().time() + self.patience.reply)
        found = {self._map.primary_of(slot_of(placed_command(("GET", key))) or 0) for key in keys}
        place = found.pop()
        if found or place is None:
            raise NothingSent("the keys are on several nodes of the cluster, or on none")
        return place

    async def key_on_each(self, name: str) -> list[str]:
        """Return one key for each primary, made of a name and a tag.

        Raises:
            NothingSent: No node answers.
        """
        if self._is_stale:
            await self._learn(asyncio.get_running_loop().time() + self.patience.reply)
        wanted, found = set(self._map.primaries), list[str]()
        for number in count():
            key = f"{PREFIX}{{w{number}}}:{name.removeprefix(PREFIX)}"
            primary = self._map.primary_of(slot_of(("GET", key)) or 0)
            if primary in wanted:
                wanted.remove(primary)
                found.append(key)
            if not wanted:
                break
        return found

    def suspect(self) -> None:
        """Ask again who has which slots, before the next command: somebody met a node that had none of its keys."""
        self._is_stale = True

    async def close(self) -> None:
        """Close all connections, even those in use."""
        for node in self._nodes.values():
            await node.close()
        self._nodes.clear()

    async def _send(self, parts: Sequence[_Part], within: float | None, *, line: Line = "shared") -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + (self.patience.reply if within is None else within)
        pause, waiting = _FIRST_PAUSE, list(parts)
        while True:
            if self._is_stale:
                await self._learn(end)
            by_place: dict[Place, list[_Part]] = {}
            for part in waiting:
                by_place.setdefault(self._place_of(part), []).append(part)
            rounds = [
                self._send_to(place, some, end - clock(), line=line) for place, some in by_place.items()
            ]
            found = await asyncio.gather(*rounds, return_exceptions=len(rounds) > 1)
            for one in found:
                if isinstance(one, BaseException):
                    raise one
            waiting = [part for one in found if not isinstance(one, BaseException) for part in one]
            if not waiting:
                return
            if all(part.redirected and part.redirections <= _REDIRECTIONS for part in waiting):
                continue
            if clock() + pause >= end:
                if all(part.replies for part in waiting):
                    return  # with what the nodes said
                raise NothingSent("a node of the cluster that has the shard does not answer")
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            # A replica may have been promoted meanwhile, or a slot have moved.
            self._is_stale = True

    async def _send_to(
        self, place: Place, parts: Sequence[_Part], within: float, *, line: Line
    ) -> list[_Part]:
        """Send parts to a node; return those that must be sent again.

        Raises:
            NoReply: The node has not answered all.
        """
        commands = list[Command]()
        for part in parts:
            commands += [("ASKING",)] * part.is_asking + part.commands
        try:
            replies = iter(await self._node(place).exchange(commands, within=within, line=line))
        except NothingSent:
            self._is_stale, self._silent = True, place
            for part in parts:
                part.take(())
            return list(parts)
        except NoReply:
            self._is_stale, self._silent = True, place
            raise
        again = list[_Part]()
        for part in parts:
            if part.is_asking:
                next(replies)
            reason = part.take([next(replies) for _ in part.commands])
            if reason is None:
                continue
            again.append(part)
            if isinstance(reason, AskError):  # which a redirection for good is, too
                part.redirected = (reason.host or place[0], int(reason.port))
                part.redirections += 1
                part.is_asking = not isinstance(reason, MovedError)
            self._is_stale |= not isinstance(reason, TryAgainError) and not part.is_asking
        return again

    def _place_of(self, part: _Part) -> Place:
        if part.redirected is not None:
            return part.redirected
        found = self._map.primary_of(HOUSE_SLOT if part.slot is None else part.slot)
        # A node that does not have the slot says who has it, or that nobody has.
        return found or self._map.primaries[0]

    def _node(self, place: Place) -> Connections:
        if place not in self._nodes:
            self._nodes[place] = self._connect(place)
        return self._nodes[place]

    async def _learn(self, end: float) -> None:
        """Find out who has which slots, from whichever node answers.

        Raises:
            NothingSent: None does.
        """
        known = self._learned
        async with self._learning:
            if self._learned != known:
                return  # somebody else has just found out
            places = list({*self._map.nodes, *self._seeds})
            random.shuffle(places)
            places.sort(key=lambda place: place == self._silent)
            reason: Exception | None = None
            for place in places:
                left = end - asyncio.get_running_loop().time()
                try:
                    (reply,) = await self._node(place).ask(
                        ("CLUSTER", "SLOTS"), within=min(left, self.patience.connect)
                    )
                except (NothingSent, NoReply, StoreRefused) as failure:
                    reason = failure
                    continue
                if reply:
                    self._map, self._silent = SlotMap.of_reply(reply, place), None
                    self._learned, self._is_stale = self._learned + 1, False
                    for gone in self._nodes.keys() - self._map.nodes - set(self._seeds):
                        await self._nodes.pop(gone).close()
                    return
            raise NothingSent(f"no node of the cluster answers: {reason or 'none has slots'}") from reason

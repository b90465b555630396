"""Watches, in every test, that what is done in one step has keys of one slot: on a cluster it could not be done else.

A single server, and fakeredis, take keys of several slots without a word.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from redis.asyncio.client import Pipeline, Redis

from services.log.event_store.keys import PREFIX
from services.log.event_store.slots import key_places, placed_command, slot_of


@contextmanager
def slots_watched() -> Iterator[None]:
    """Refuse transactions, scripts and commands of redis-py's client whose keys are in several slots."""
    execute, transact = Redis.execute_command, Pipeline._execute_transaction

    async def execute_watched(self: Redis, *args: Any, **options: Any) -> Any:
        require_one_slot([args])
        return await execute(self, *args, **options)

    async def transact_watched(self: Pipeline, connection: Any, commands: Any, raise_on_error: Any) -> Any:
        require_one_slot(args for args, _ in commands)
        return await transact(self, connection, commands, raise_on_error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Redis, "execute_command", execute_watched)
        patch.setattr(Pipeline, "_execute_transaction", transact_watched)
        yield


def require_one_slot(commands: Iterable[Sequence[Any]]) -> None:
    """Fail if the service's own keys among those of the commands are in several slots of a cluster."""
    found = {}
    for command in commands:
        # redis-py gives some commands of two words as one.
        for at in (place for place in key_places(command) if place < len(command)):
            name = command[at].decode() if isinstance(command[at], bytes) else str(command[at])
            if name.startswith(PREFIX):
                (key,) = placed_command(("GET", name))[1:]
                found[slot_of(("GET", key))] = key
    assert len(found) <= 1, f"done in one step, but in several slots: {sorted(found.values())}"

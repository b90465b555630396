"""What is fixed when a store is first used: matches could not be found again if it changed."""

from typing import Final

from services.errors import StoreUnavailable
from services.log.event_store.connections import Connections, NoReply, NothingSent, StoreRefused
from services.log.event_store.errors import InstallationMismatch
from services.log.event_store.keys import INSTALLATION, Keyspace

DEFAULT_SHARDS: Final = 16

LAYOUT: Final = 1
"""The number of the layout of keys; see :mod:`services.log.event_store.keys`."""


async def settled_shards(connections: Connections, shards: int | None) -> int:
    """Return a store's number of shards, fixing it when the store is new.

    Args:
        connections: To the store's server.
        shards: The number that it must have; None for any.

    Raises:
        ValueError: If the number is none that a store can have.
        StoreUnavailable: If the server does not answer.
        InstallationMismatch: If the store was first used with other settings.
    """
    wanted = Keyspace(DEFAULT_SHARDS if shards is None else shards).shards
    ask_settings = ("HMGET", INSTALLATION, "shards", "layout")
    try:
        stored = (await connections.ask(ask_settings))[0]
        if None in stored:
            # HSETNX: of two processes that come first, one decides and both read what it decided. Reading first
            # leaves a store alone that is only to be read, or that cannot write now.
            *_, stored = await connections.ask(
                ("HSETNX", INSTALLATION, "shards", wanted),
                ("HSETNX", INSTALLATION, "layout", LAYOUT),
                ask_settings,
            )
    except (NothingSent, NoReply, StoreRefused) as failure:
        raise StoreUnavailable(str(failure)) from failure
    present, layout = map(int, stored)
    if layout != LAYOUT:
        raise InstallationMismatch("layout", layout, LAYOUT)
    if shards is not None and present != shards:
        raise InstallationMismatch("shards", present, shards)
    return present

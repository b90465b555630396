"""The settings fixed when a store is first used: if they changed, matches could not be found again."""

from typing import Final

from services.log.event_store.connections import Servers, answered
from services.log.event_store.errors import InstallationMismatch
from services.log.event_store.keys import INSTALLATION, Keyspace

DEFAULT_SHARDS: Final = 16

LAYOUT: Final = 1
"""The number of the layout of keys; see :mod:`services.log.event_store.keys`."""


async def settled_shards(connections: Servers, shards: int | None) -> int:
    """Return a store's number of shards, fixing it if the store is new; None accepts any number.

    Raises:
        ValueError: No store can have this number of shards.
        StoreUnavailable: The server does not answer.
        InstallationMismatch: The store was set up with other settings.
    """
    wanted = Keyspace(DEFAULT_SHARDS if shards is None else shards).shards
    ask_settings = ("HMGET", INSTALLATION, "shards", "layout")
    with answered():
        stored = (await connections.ask(ask_settings))[0]
        if None in stored:
            # HSETNX: if two processes come first at once, one decides and both read its decision. Reading first avoids
            # a write to a store that is only to be read, or that cannot write now.
            *_, stored = await connections.ask(
                ("HSETNX", INSTALLATION, "shards", wanted),
                ("HSETNX", INSTALLATION, "layout", LAYOUT),
                ask_settings,
            )
    present, layout = map(int, stored)
    if layout != LAYOUT:
        raise InstallationMismatch("layout", layout, LAYOUT)
    if shards is not None and present != shards:
        raise InstallationMismatch("shards", present, shards)
    return present

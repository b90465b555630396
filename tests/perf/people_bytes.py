"""Bytes that people take in the log's server: persons, sessions, places at tables, ways back; the time of an erasure.

Measured as the growth of the server's own memory over a thousand of each.
"""

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
import uvloop

from services.bootstrap import present_instant
from services.bootstrap.parts import Application, application
from services.log.embedded.session import running_stores
from services.people.hashed_secrets import new_secret
from services.people.identity import Holder
from tests.perf.report import show

COUNT, SHARDS = 1000, 16
SECRET = b"s" * 32


async def used(parts: Application) -> int:
    information = await parts.log_client.info("memory")
    return int(information["used_memory"])


async def grown(parts: Application, step: Callable[[int], Awaitable[object]]) -> float:
    """Return the bytes that one of a thousand steps adds."""
    before = await used(parts)
    for number in range(COUNT):
        await step(number)
    return (await used(parts) - before) / COUNT


async def measure(parts: Application) -> None:
    now, ids = present_instant(), []

    async def person(number: int) -> None:
        ids.append((await parts.persons.create(now, f"Somebody {number}")).id)

    async def session(number: int) -> None:
        await parts.sessions.begin(new_secret(), ids[number], now, "Firefox, Android")

    async def place(number: int) -> None:
        match = parts.identity.for_new_match(secrets.token_hex(16)).match
        player = parts.identity.for_person(match, ids[number], "key").player
        await parts.memberships.collect(ids[number], Holder(match, player, "seat"), now)
        await parts.names.give(player, f"Somebody {number}")

    async def code(number: int) -> None:
        await parts.codes.give(ids[number], parts.identity.for_recovery(ids[number], "key"), now)

    async def link(number: int) -> None:
        await parts.links.make_for_person(new_secret(), ids[number], now)

    steps = {
        "a provisional person": person,
        "a session": session,
        "the first place at a table": place,
        "each further place": place,
        "a recovery code": code,
        "a link": link,
    }
    rows = [(name, await grown(parts, step)) for name, step in steps.items()]
    begun = time.perf_counter()
    for one in ids:
        await parts.dossiers.erase(one, now)
    took = (time.perf_counter() - begun) * 1000 / COUNT
    left = len([key async for key in parts.log_client.scan_iter(match="tb:people:*")])
    show(("what", "bytes each"), rows)
    print()
    show(("an erasure with two tables, ms", "keys left of all"), [(took, str(left))])


async def _measured(url: str, archive: str) -> None:
    async with application(url, SHARDS, SECRET, archive) as parts:
        await measure(parts)


def main() -> None:
    """Measure."""
    # That there are no such matches is told of each.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with TemporaryDirectory(prefix="tb-") as folder:
        with running_stores(Path(folder) / "d", purpose="measuring") as stores:
            uvloop.run(_measured(stores.log_store_url, f"{folder}/archive"))


if __name__ == "__main__":
    main()

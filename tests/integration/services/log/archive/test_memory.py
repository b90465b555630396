"""Closed matches give their memory back, but for a tombstone."""

from services.log.event_store.contract import Status
from tests.kit.games import GAME_KEYS
from tests.kit.logs import finished, put

WARM_UP, MATCHES = 60, 240
TOMBSTONE_BYTES = 400
"""Measured over thousands: about 210. The budget for a finished match with its history rows is 700."""


async def used(house) -> int:
    return int((await house.client.info("memory"))["used_memory"])


async def fill(house, first: int, last: int) -> list[str]:
    logs = [(key, finished(key)) for key in GAME_KEYS]
    matches = [f"vb56ltup7amwxyc{number:05}" for number in range(first, last)]
    for number, match in enumerate(matches):
        game, log = logs[number % len(logs)]
        await put(house.store, match, log, game=game)
    return matches


async def emptied(house, matches: list[str]) -> None:
    """Let everything go that goes by itself as time passes: the matches, and the feed's pointers to them."""
    await house.archivist.note_all()
    assert await house.archivist.archive_waiting(0) == len(matches)
    heads = await house.store.positions()
    for shard, head in heads.items():
        await house.store.advance("archive", shard, await house.store.checkpoint("archive", shard), head)
        await house.store.trim_feed(shard)
    await house.closed.forget_moved([(match, 9999) for match in matches])


async def test_memory_returns(house):
    # What the server sets aside once, for buffers and tables, is not the matches'.
    await emptied(house, await fill(house, 0, WARM_UP))
    before = await used(house)
    matches = await fill(house, WARM_UP, WARM_UP + MATCHES)
    full = await used(house)
    await emptied(house, matches)
    left = await used(house) - before
    assert left / MATCHES < TOMBSTONE_BYTES
    assert left < (full - before) / 15
    metas = [await house.store.meta(match) for match in matches]
    assert {meta.status for meta in metas if meta} == {Status.ARCHIVED}

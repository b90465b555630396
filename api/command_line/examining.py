"""The doctor's examination of single matches, in several processes and in the order of the shards."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from api.command_line.many import FEW, spread_pieces
from api.command_line.opening import LogAddress, work_on
from services.bootstrap.doctor import examiner_on
from services.bootstrap.log_parts import LogParts
from services.watch.doctor.examination import Examined, Moment

_AT_ONCE: Final = 8
_PIECE: Final = 100


class Lot(NamedTuple):
    """Matches of one shard.

    Attributes:
        must: Those that are examined in any case.
        may: Those that are examined while there is time.
    """

    shard: int
    must: Sequence[str]
    may: Sequence[str] = ()


def examined_lots(
    log: LogAddress,
    moment: Moment,
    lots: Sequence[Lot],
    jobs: int,
    ends: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[tuple[Lot, list[Examined], bool]]:
    """Examine lots of matches one after the other; yield each with what was examined, and whether that is all of it.

    Args:
        log: Where the log is.
        moment: The circumstances.
        lots: The matches.
        jobs: In how many processes.
        ends: Until when there is time, by the clock.
        clock: Tells seconds.
    """
    planned: list[tuple[Lot, int, bool]] = []
    total = sum(len(lot.must) + len(lot.may) for lot in lots)

    def pieces() -> Iterator[tuple[str, ...]]:
        for lot in lots:
            yield from _pieces(lot.must)
            count, whole = len(lot.must), True
            for piece in _pieces(lot.may):
                if clock() >= ends:
                    whole = False
                    break
                yield piece
                count += len(piece)
            planned.append((lot, count, whole))

    results = spread_pieces(partial(_examined, log, moment), pieces(), jobs if total >= FEW else 1)
    found: list[Examined] = []
    for one in results:
        found.append(one)
        while planned and len(found) >= planned[0][1]:
            lot, count, whole = planned.pop(0)
            yield lot, found[:count], whole
            found = found[count:]
    for lot, count, whole in planned:
        yield lot, found[:count], whole
        found = found[count:]


def _pieces(matches: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(matches[start : start + _PIECE]) for start in range(0, len(matches), _PIECE))


def _examined(log: LogAddress, moment: Moment, matches: tuple[str, ...]) -> list[Examined]:
    return work_on(log, lambda parts: _examine(parts, moment, matches))


async def _examine(parts: LogParts, moment: Moment, matches: Sequence[str]) -> list[Examined]:
    examiner = examiner_on(parts, moment)
    examined: list[Examined] = []
    for start in range(0, len(matches), _AT_ONCE):
        # The store answers one while another is folded.
        examined += await asyncio.gather(*map(examiner.examine, matches[start : start + _AT_ONCE]))
    return examined

"""Work on many matches, spread over several processes: most of it is computing."""

import asyncio
import multiprocessing
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from api.command_line.opening import LogAddress, work_on
from api.command_line.progress import show_progress
from domain.errors import BrokenLog
from domain.match.verification import Verdict
from domain.viewers import Viewer
from services.bootstrap.log_parts import LogParts
from services.log.archive.exporting import Exporter
from services.log.event_store.contract import EventStore
from services.log.proof import prove, prove_chain
from services.process.games import load_games
from services.process.rare_collections import collect_rarely

T = TypeVar("T")
R = TypeVar("R")

_PIECE = 50
_AT_ONCE = 4
"""Matches that are exported at once: the server reads some while another is computed."""

FEW = 100
"""Below so many matches, further processes would take longer to start than the work does."""


def spread(work: Callable[[tuple[T, ...]], list[R]], matches: Sequence[T], jobs: int) -> Iterator[R]:
    """Do work, which can be sent to other processes, on matches; yield the results in the order of the matches.

    The work is sent along with every piece: what belongs to single matches should be with them.
    """
    pieces = (tuple(matches[start : start + _PIECE]) for start in range(0, len(matches), _PIECE))
    return spread_pieces(work, pieces, jobs if len(matches) >= FEW else 1)


def spread_as_they_come(
    work: Callable[[tuple[T, ...]], list[R]], some: Iterable[tuple[T, ...]], jobs: int
) -> Iterator[R]:
    """Do work on matches of which nobody knows how many there are; yield the results in the order of the matches."""
    cut = (one[start : start + _PIECE] for one in some for start in range(0, len(one), _PIECE))
    first = list(islice(cut, FEW // _PIECE))
    few = sum(map(len, first)) < FEW
    yield from spread_pieces(work, chain(first, cut), 1 if few else jobs)


def spread_pieces(
    work: Callable[[tuple[T, ...]], list[R]], pieces: Iterable[tuple[T, ...]], jobs: int
) -> Iterator[R]:
    """Do work on pieces of many matches, in several processes unless one is enough; yield the results in their order.

    Pieces are taken as processes have time for them.
    """
    if jobs == 1:
        for piece in pieces:
            yield from work(piece)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin) as pool:
        running: deque[Future[list[R]]] = deque()
        for piece in pieces:
            running.append(pool.submit(work, piece))
            # Results wait in memory until they are written: no more of them than keep all processes busy.
            if len(running) > 2 * jobs:
                yield from running.popleft().result()
        for future in running:
            yield from future.result()


def _begin() -> None:
    load_games()
    collect_rarely()


def shown(results: Iterable[R], told: Callable[[int], str]) -> Iterator[R]:
    """Yield results, and show behind each one how far the work is; its number says so."""
    for number, result in enumerate(results, 1):
        yield result
        show_progress(told(number))
    show_progress("")


class Exported(NamedTuple):
    """A match on its way out."""

    match: str
    document: bytes
    problem: str = ""


def exported(log: LogAddress, viewer: Viewer, matches: tuple[str, ...]) -> list[Exported]:
    """Return the documents of matches, or why there is none."""

    async def documents(parts: LogParts) -> list[Exported]:
        exporter, done = Exporter(parts.store, parts.archive), list[Exported]()

        async def document(match: str) -> Exported:
            try:
                return Exported(match, await exporter.document(match, viewer))
            except BrokenLog as error:
                return Exported(match, b"", str(error))

        for start in range(0, len(matches), _AT_ONCE):
            done += await asyncio.gather(*map(document, matches[start : start + _AT_ONCE]))
        return done

    return work_on(log, documents)


def proven(log: LogAddress, matches: tuple[str, ...]) -> list[Verdict]:
    """Return what verifying matches comes to."""
    return _judged(log, prove, matches)


def chained(log: LogAddress, matches: tuple[str, ...]) -> list[Verdict]:
    """Return what following the chains of matches comes to."""
    return _judged(log, prove_chain, matches)


def _judged(
    log: LogAddress, judge: Callable[[EventStore, str], Awaitable[Verdict]], matches: tuple[str, ...]
) -> list[Verdict]:
    async def verdicts(parts: LogParts) -> list[Verdict]:
        return [await judge(parts.store, match) for match in matches]

    return work_on(log, verdicts)

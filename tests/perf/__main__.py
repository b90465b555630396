"""Run benchmarks: ``python -m tests.perf [NAME ...]``; without a name, all of them.

Nothing here fails because of a figure: ``MISSED`` stands beside one that does not keep its budget. On a machine that
does something else meanwhile only ratios within one table mean anything; the load average is told for that.
"""

import importlib
import sys
import time

from tests.perf.report import load, where

BENCHMARKS = {
    "fold": "tests.perf.fold",
    "append": "tests.perf.append_rate",
    "http": "tests.perf.http_moves",
    "processes": "tests.perf.processes",
    "peers": "tests.perf.peers.table",
    "streams": "tests.perf.http_streams",
    "eyes": "tests.perf.all_eyes",
    "unwatched": "tests.perf.unwatched",
    "bots": "tests.perf.bot_answer",
    "throughput": "tests.perf.bot_throughput",
    "tells": "tests.perf.answer_times",
    "back": "tests.perf.going_back",
    "seek": "tests.perf.seeking",
    "busy": "tests.perf.busy_replays",
    "address": "tests.perf.one_address",
    "start": "tests.perf.start_and_memory",
    "bytes": "tests.perf.stored_bytes",
    "people": "tests.perf.people_bytes",
    "unstarted": "tests.perf.unstarted",
    "lists": "tests.perf.lists",
    "inbox": "tests.perf.inbox",
    "archive": "tests.perf.archive",
    "growth": "tests.perf.growth",
    "backup": "tests.perf.backup",
    "random": "tests.perf.random_matches",
    "pages": "tests.perf.pages",
    "clocks": "tests.perf.clocks",
}
"""Modules with a ``main()`` that measures and prints tables."""


def main() -> None:
    """Run the chosen benchmarks."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    print(where())
    for name in names:
        module = importlib.import_module(BENCHMARKS[name])
        print(f"\n## {name}: {(module.__doc__ or '').splitlines()[0]}\n", flush=True)
        begun, before = time.monotonic(), load()
        module.main()
        print(
            f"\n({time.monotonic() - begun:.0f} s; load average {before} before, {load()} after)", flush=True
        )


if __name__ == "__main__":
    main()

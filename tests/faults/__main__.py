"""``python -m tests.faults --rounds 20``: causes every fault so many times, and prints a table of the results.

With ``--random 30`` or ``--cluster 10``, random faults strike for so many minutes instead.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.faults import apart, at_random, on_cluster, on_one_server
from tests.faults.campaign import BOT_TURN_WITHIN, READY_WITHIN, Campaign
from tests.faults.crowd import Crowd
from tests.faults.log_check import Findings
from tests.faults.running_service import RunningService
from tests.faults.strikes import ALL, Fault

# A process that was ready for less than this is restarted after a pause: dying again and again is another fault than
# dying once.
_BETWEEN = 5.5
_TABLES = 6


class Row(NamedTuple):
    """A line of the table."""

    fault: str
    rounds: int
    acknowledged: int
    findings: Findings
    ready: float
    ready_less_waiting: float
    bot_turn: float
    person_wait: float

    @property
    def good(self) -> bool:
        found = self.findings
        return (
            not (found.lost or found.doubled or found.broken)
            and self.ready_less_waiting <= READY_WITHIN
            and self.bot_turn <= BOT_TURN_WITHIN
        )


HEADER = (
    "| fault | rounds | acknowledged commands | lost | doubled | log broken | ready again after at most, s "
    "| ... less waiting for a core | longest bot's turn, s | a person waited at most, s |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def run(fault: Fault, rounds: int, tables: int) -> Row:
    """Let a fault strike again and again on a service of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="tb-") as folder,
        RunningService(Path(folder), *fault.options, **fault.variables) as service,
        Crowd(service.port, tables=tables) as crowd,
    ):
        campaign = Campaign(service, crowd, rounds, fault.others)
        for _ in range(rounds):
            done = campaign.run(fault)
            crowd.wait_for_moves(done.began)
            time.sleep(_BETWEEN)
        findings = campaign.finish()
    return Row(
        fault.name,
        rounds,
        len(crowd.ledger.acknowledged),
        findings,
        max(done.ready_after for done in campaign.rounds),
        max(done.ready_after_work for done in campaign.rounds),
        findings.longest_bot_turn,
        crowd.ledger.longest_wait(),
    )


def line(row: Row) -> str:
    found = row.findings
    return (
        f"| {row.fault} | {row.rounds} | {row.acknowledged:,} | {len(found.lost)} | {len(found.doubled)} "
        f"| {len(found.broken)} | {row.ready:.2f} | {row.ready_less_waiting:.2f} | {row.bot_turn:.1f} "
        f"| {row.person_wait:.2f} |"
    )


def _at_random(asked: argparse.Namespace) -> int:
    if apart.has_network():
        apart.prepare_network()
    elif asked.cluster:
        print("No network of its own here: no node is cut off.", flush=True)
    if not apart.has_clocks():
        print("No C compiler here: no clock is stepped.", flush=True)
    if asked.cluster:
        result = on_cluster.run(asked.cluster, asked.seed, asked.tables, asked.only)
    else:
        result = on_one_server.run(asked.random, asked.seed, asked.tables, asked.only)
    print(at_random.told(result))
    return 1 if result.wrong else 0


def main() -> int:
    """Print the table as it grows; the exit status is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tables", type=int, default=_TABLES)
    parser.add_argument("--only", default="", help="only the faults whose name contains this")
    parser.add_argument("--random", type=float, default=0, metavar="MINUTES", help="instead: random faults")
    parser.add_argument("--cluster", type=float, default=0, metavar="MINUTES", help="the same on a cluster")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.random or asked.cluster:
        if not asked.apart:
            return apart.run_apart([sys.executable, "-m", "tests.faults", *sys.argv[1:], "--apart"])
        return _at_random(asked)
    print(HEADER, flush=True)
    good = True
    for fault in ALL:
        if asked.only in fault.name:
            row = run(fault, asked.rounds, asked.tables)
            print(line(row), flush=True)
            for finding in (*row.findings.lost, *row.findings.doubled, *row.findings.broken):
                print(f"    {finding}", file=sys.stderr)
            good = good and row.good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

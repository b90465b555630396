"""``python -m tests.fuzz --requests 20000``: sends requests, most of them wrong, and prints a table of the results."""

import argparse
import sys
import time

from tests.fuzz.against_the_document import held_against_the_document
from tests.fuzz.campaign import Campaign
from tests.fuzz.report import table
from tests.fuzz.service import running_service
from tests.fuzz.verified import all_verify


def main() -> int:
    """Print the table; the exit status is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=40, help="for each operation of the document")
    parser.add_argument("--seconds", type=float, default=1800.0, help="stop after so long, whatever was done")
    asked = parser.parse_args()
    with running_service() as running:
        campaign = Campaign(running, asked.seed)
        began = time.monotonic()
        while campaign.number < asked.requests and time.monotonic() - began < asked.seconds:
            campaign.step()
        seconds = time.monotonic() - began
        held = held_against_the_document(running, asked.examples, asked.seed)
        findings = [*campaign.read_service_log(), *all_verify(running)]
        campaign.end()
    print(table(campaign, seconds))
    print(f"\nHeld against the OpenAPI document by schemathesis: {held.cases:,} requests.")
    for finding in campaign.findings[:40]:
        print(f"\n{finding.number} {finding.operation} {finding.changed}: {finding.what}", file=sys.stderr)
        print(f"  sent {finding.sent}\n  told {finding.told}", file=sys.stderr)
    for what in (*findings, *filter(None, [held.failures])):
        print(f"\nat the end: {what}", file=sys.stderr)
    good = not (campaign.findings or findings or held.failures)
    return 0 if good and campaign.number >= asked.requests else 1


if __name__ == "__main__":
    sys.exit(main())

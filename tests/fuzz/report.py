"""The table of a campaign."""

from tests.fuzz.campaign import Campaign

_HEADER = (
    "| change | requests | granted | refused | 503 | refused by the HTTP server | findings |\n"
    "|---|---|---|---|---|---|---|"
)


def table(campaign: Campaign, seconds: float) -> str:
    """Return the results by kind of change; a request with two changes counts for both."""
    rows = [
        f"| {name} | {one.requests:,} | {one.granted:,} | {one.refused:,} | {one.unavailable:,} "
        f"| {one.by_the_server:,} | {one.findings:,} |"
        for name, one in sorted(campaign.tallies.items())
    ]
    statuses = ", ".join(
        f"{door} {status or 'closed'}: {count:,}"
        for (door, status), count in sorted(campaign.statuses.items())
    )
    total = f"{campaign.number:,} requests in {seconds:.0f} s, {len(campaign.findings)} findings"
    return "\n".join([_HEADER, *rows, "", f"Answers by door and status: {statuses}.", "", total + "."])

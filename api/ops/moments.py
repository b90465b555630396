"""Instants as operators read them."""

from datetime import UTC, datetime


def moment(instant: str | int) -> str:
    """Return an instant to the second, in UTC, as the service log writes it.

    Args:
        instant: As the log has it, or in milliseconds since the epoch.
    """
    if isinstance(instant, int):
        return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M:%S}"
    return instant[:19].replace("T", " ")

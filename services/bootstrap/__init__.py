"""The composition root: every process builds its parts here.

``clients`` makes all Redis clients, ``parts`` puts together what works on a log, ``queue`` what works on the jobs'
server. Nothing heavy is imported here: small commands take only the module they need.
"""

from datetime import UTC, datetime

from domain.instants import Instant, instant_of


def present_instant() -> Instant:
    """Return the present instant; the only place of the application that asks the system's clock for it."""
    return instant_of(datetime.now(UTC))

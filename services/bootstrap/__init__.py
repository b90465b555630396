"""The composition root: every process builds its parts here.

``clients`` makes all Redis clients, ``parts`` builds what works on a log, ``queue`` what works on the jobs' server.
Only the API and the workers import it; it may import every wing. Nothing heavy is imported in this file, so that small
commands load only what they need. Begin with ``parts.py``.
"""

from datetime import UTC, datetime

from domain.instants import Instant, instant_of


def present_instant() -> Instant:
    """Return the present instant. Nothing else in the application asks the system's clock for it."""
    return instant_of(datetime.now(UTC))

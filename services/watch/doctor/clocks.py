"""Do the clocks agree: this machine's, the store's, and the log's own instants?"""

from typing import Final

import msgspec

from domain.instants import instant_from_milliseconds
from services.watch.doctor.diagnosis import Diagnosis, fine
from services.watch.findings import Severity

_LOOK_ABOVE_MS: Final = 2_000
_ACT_ABOVE_MS: Final = 30_000


class ClockFacts(msgspec.Struct, frozen=True):
    """What clocks say, in milliseconds since the epoch.

    Attributes:
        here: This machine, half way between asking the store and its answer.
        store: The log's server.
        newest: The newest instant in any log that was read; 0 for none.
        match: The match in which it stands.
        version: Its event.
    """

    here: int
    store: int
    newest: int = 0
    match: str = ""
    version: int = 0


def judge_skew(facts: ClockFacts) -> Diagnosis:
    """Judge how far this machine's clock and the store's are apart."""
    apart = facts.here - facts.store
    if abs(apart) < _LOOK_ABOVE_MS:
        return fine("clock.agrees", f"This machine's clock and the store's are {abs(apart)} ms apart.")
    return Diagnosis(
        "clock.skewed",
        Severity.ACT if abs(apart) > _ACT_ABOVE_MS else Severity.LOOK,
        f"This machine's clock is {abs(apart) / 1000:,.1f} s {'ahead of' if apart > 0 else 'behind'} the store's: "
        f"here it is {instant_from_milliseconds(facts.here)}, there {instant_from_milliseconds(facts.store)}.",
        "Deadlines end too early or too late by as much.",
        "Let all machines of the service set their clocks by the network (NTP): `timedatectl` tells whether they do.",
    )


def judge_future(facts: ClockFacts) -> list[Diagnosis]:
    """Judge whether a log has events from the future: a clock was wrong once, or is now."""
    ahead = facts.newest - facts.here
    if ahead < _LOOK_ABOVE_MS:
        return []
    return [
        Diagnosis(
            "clock.events_from_the_future",
            Severity.ACT if ahead > _ACT_ABOVE_MS else Severity.LOOK,
            f"Event {facts.version} of {facts.match} bears the instant {instant_from_milliseconds(facts.newest)}, "
            f"which is {ahead / 1000:,.0f} s from now.",
            "A log's instants never run back: until then, all further events of this match bear that instant, and "
            "its deadlines begin only then.",
            "Look at this machine's clock first. If it is right, the one of the machine that wrote the event was "
            "wrong; waiting mends it. A match that cannot wait: `tablee end MATCH --reason R`.",
            facts.match,
            facts.version,
        )
    ]

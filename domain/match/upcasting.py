"""Reading old formats: each step turns an event's data from one format into the next.

A format is the shape of the events' data; its number is in a match's first event and never changes. Most changes need
no new format: a new field comes last and has a default, a new kind of fact is a new event class. Only a change that
this cannot express (a field with a new meaning, an event split in two) raises :data:`domain.entries.FORMAT` and adds a
step here. Steps are pure, never change once released, and are tested on stored logs (``tests/golden``).
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.entries import FORMAT

Step = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]
"""From an event's type and data in one format to type and data in the next."""

STEPS: Mapping[int, Step] = {}
"""By the format that a step reads. Format 1 is both the first released and the present one."""


NEWER = "log.newer_release"
"""The code of a log that holds what this release does not know."""


class NewerRelease(ValueError):
    """A log holds what only a newer release can have written."""


class UnknownFormat(ValueError):
    """A log was written in a format that this release does not know."""


def upcast(
    written: int, kind: str, data: dict[str, Any], steps: Mapping[int, Step] = STEPS, present: int = FORMAT
) -> tuple[str, dict[str, Any]]:
    """Return an event's type and data, with opened values put in, in the present format.

    Raises:
        UnknownFormat: No chain of steps leads from there to the present format.
        NewerRelease: The format is newer than the present one.
    """
    for number in range(written, present):
        if number not in steps:
            raise UnknownFormat(f"format {written} cannot be read")
        kind, data = steps[number](kind, data)
    if written > present:
        raise NewerRelease(f"format {written}; this release reads up to {present}")
    return kind, data

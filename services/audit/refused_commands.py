"""The commands to a match that were refused, for its operator."""

from collections.abc import Iterable, Sequence

import msgspec

from services.watch.inspection.rows import EventRow


class RefusedCommand(msgspec.Struct, frozen=True):
    """A command that was refused. What it said is nowhere kept: it may have named cards.

    Attributes:
        at: When.
        actor: Who commanded.
        door: Through which door.
        command: The command's id.
        kind: What it was.
        code: Why it was refused.
        trace: The correlation id.
    """

    at: str = ""
    actor: str = ""
    door: str = ""
    command: str = ""
    kind: str = ""
    code: str = ""
    trace: str = ""


def refused_commands(kept: Iterable[bytes]) -> tuple[RefusedCommand, ...]:
    """Return the refused commands that are kept, oldest first; one that cannot be read is left out."""
    found = []
    for one in kept:
        try:
            found.append(msgspec.json.decode(one, type=RefusedCommand))
        except msgspec.DecodeError:
            continue
    return tuple(found)


def refused_around(
    refused: Sequence[RefusedCommand], before: EventRow | None, behind: EventRow | None
) -> tuple[RefusedCommand, ...]:
    """Return what was refused between two events.

    Args:
        refused: All that is kept.
        before: The last event of the command in front; None at the beginning of the log.
        behind: The first event of the command that follows; None at the end of the log.
    """
    return tuple(
        one
        for one in refused
        if (before is None or one.at >= before.at)
        and (behind is None or not behind.at or one.at <= behind.at)
    )

"""The commands to a match that were refused, for its operator."""

from collections.abc import Iterable, Sequence

import msgspec


class RefusedCommand(msgspec.Struct, frozen=True):
    """A command that was refused. What it said is nowhere kept: it may have named cards.

    Attributes:
        code: Why it was refused.
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


def refused_between(
    refused: Sequence[RefusedCommand], since: str | None, until: str | None
) -> tuple[RefusedCommand, ...]:
    """Return what was refused from one instant to another; None leaves that end open."""
    return tuple(
        one for one in refused if (since is None or one.at >= since) and (not until or one.at <= until)
    )

"""Which part of a log still counts: what was taken back, and not played again, is a branch that was left."""

from collections.abc import Iterable
from typing import NamedTuple

BACK_AND_FORTH = frozenset({"MoveUndone", "MoveRedone"})
"""The names of the events that lead from one branch to another, as logs write them."""


class Course(NamedTuple):
    """One event, as far as branches ask.

    Attributes:
        version: Its version.
        command: The version of its command's last event.
        is_game: Whether it is the game's own: only such events are taken back.
        undone_to: On an undo, the version that was restored; else None.
        redone_to: On a redo, the same.
    """

    version: int
    command: int
    is_game: bool
    undone_to: int | None = None
    redone_to: int | None = None


def left_branches(course: Iterable[Course]) -> frozenset[int]:
    """Return the versions of the game's events that do not count at the end of a log. Pure."""
    # Versions only grow along a branch, and what can be played again lies behind it.
    again: list[int] = []
    counting: list[int] = []
    events: dict[int, list[int]] = {}
    for one in course:
        if one.undone_to is not None:
            again = [command for command in counting if command > one.undone_to] + again
            counting = [command for command in counting if command <= one.undone_to]
        elif one.redone_to is not None:
            counting += [command for command in again if command <= one.redone_to]
            again = [command for command in again if command > one.redone_to]
        elif one.is_game:
            if not counting or counting[-1] != one.command:
                counting.append(one.command)
                again = []
            events.setdefault(one.command, []).append(one.version)
    taken_back = events.keys() - set(counting)
    return frozenset(version for command in taken_back for version in events[command])

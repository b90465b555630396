"""Whether what clients were told of each match fits one order of events: linearizability.

The log of a match gives the order, so nothing has to be searched for: what a client did stands at a known place, and
real time must not contradict it. Whatever was answered before something else was sent stands before it, or, for two
who only looked, at the same place. A log that breaks none of these rules is a witness that the match is linearizable:

* a command stands behind every version that had been answered or shown to anybody before it was sent;
* whoever looks sees at least every version that had been answered or shown to anybody before they asked;
* what they are shown is the log's own beginning: the chain hash at that version is the log's;
* what was refused, or said to have changed nothing, stands nowhere;
* a command with an unknown outcome stands nowhere, or once like any other, but need not be behind anything later.

That each acknowledged command is there, at the versions that were answered, and none twice, is for ``log_check``.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from tests.faults.ledger import Acknowledged, Denied, Read, Unknown

_NEVER: Final = float("inf")


class MatchLog(NamedTuple):
    """What stands in a match's log.

    Attributes:
        commands: The first and last version of each command, by its id.
        heads: The chain hash at each version, from the first.
    """

    commands: Mapping[str, tuple[int, int]]
    heads: tuple[str, ...]


class History(NamedTuple):
    """What clients did and were told, at all matches."""

    acknowledged: Iterable[Acknowledged] = ()
    reads: Iterable[Read] = ()
    unknown: Iterable[Unknown] = ()
    denied: Iterable[Denied] = ()


class _Operation(NamedTuple):
    """Something that a client did.

    Attributes:
        sent: When it was asked for.
        answered: When it was answered.
        behind: The last version before its effect.
        last: The last version of its effect, or the one that was shown.
        told: What to call it.
    """

    sent: float
    answered: float
    behind: int
    last: int
    told: str


def contradictions(history: History, logs: Mapping[str, MatchLog], *, looks_bind: bool = True) -> list[str]:
    """Return what contradicts the logs, in words; empty if every match is linearizable.

    Args:
        history: What clients did and were told.
        logs: What stands in each match.
        looks_bind: Whether what was shown to anybody must stay. With replicas only what was acknowledged must: an event
            may be shown that no replica has yet. Looks must still show all that was acknowledged.
    """
    empty = MatchLog({}, ())
    found = [
        f"{denied.match}: {denied.command_id} was refused ({denied.code}) and stands in the log"
        for denied in history.denied
        if denied.command_id in logs.get(denied.match, empty).commands
    ]
    found += [
        _vanished(read, logs.get(read.match, empty)) for read in history.reads if has_vanished(read, logs)
    ]
    done = sorted(_operations(history, logs, looks_bind=looks_bind), key=lambda one: one[0])
    for match, operations in groupby(done, key=lambda one: one[0]):
        found += _out_of_order(match, [operation for _, operation in operations])
    return found


def has_vanished(read: Read, logs: Mapping[str, MatchLog]) -> bool:
    """Tell whether somebody was shown what the log does not have.

    Where an event that no replica has goes down with its primary, that is so for whoever saw it. Nobody was told that
    it is kept, so such looks may be told apart, and left out of what must fit one order.
    """
    heads = logs[read.match].heads if read.match in logs else ()
    return read.version > len(heads) or read.head != heads[read.version - 1]


def _vanished(read: Read, log: MatchLog) -> str:
    if read.version > len(log.heads):
        return f"{read.match}: version {read.version} was shown, the log ends at {len(log.heads)}"
    return f"{read.match}: another version {read.version} was shown than the log has"


def _operations(
    history: History, logs: Mapping[str, MatchLog], *, looks_bind: bool
) -> Iterator[tuple[str, _Operation]]:
    for told in history.acknowledged:
        name = f"the command of version {told.last}"
        yield told.match, _Operation(told.sent, told.answered, told.first - 1, told.last, name)
    for read in history.reads:
        name = f"a look at version {read.version}"
        shown_at = read.answered if looks_bind else _NEVER
        yield read.match, _Operation(read.sent, shown_at, read.version, read.version, name)
    for unknown in history.unknown:
        stands = logs[unknown.match].commands.get(unknown.command_id) if unknown.match in logs else None
        if stands is not None:
            name = f"the unanswered command of version {stands[1]}"
            yield unknown.match, _Operation(unknown.sent, _NEVER, stands[0] - 1, stands[1], name)


def _out_of_order(match: str, operations: list[_Operation]) -> Iterator[str]:
    """Yield what was asked for after something was answered that stands behind it."""
    answered = sorted(operations, key=lambda one: one.answered)
    known, number = answered[0], 0
    for asked in sorted(operations, key=lambda one: one.sent):
        while answered[number].answered < asked.sent:
            known = max(known, answered[number], key=lambda one: one.last)
            number += 1
        if number and known.last > asked.behind:
            yield f"{match}: {asked.told} was asked for after {known.told} was answered"

"""Searching logs, in whichever process."""

from collections.abc import Sequence
from typing import NamedTuple

from api.command_line.group import CommandFailed
from api.command_line.opening import LogAddress, work_on
from api.command_line.output import number_of, tell
from domain.errors import TableeError
from services.audit.operators import unseal
from services.bootstrap.log_parts import LogParts
from services.errors import StoreUnavailable
from services.log.event_store.contract import Status
from services.process.service_log import configure_logs
from services.watch.finding.predicate import Predicate
from services.watch.finding.searching import Query, Searched, search_events, search_states


class Search(NamedTuple):
    """A search, as it goes to another process.

    Attributes:
        reason: Why running matches are looked into; None when they are not.
    """

    log: LogAddress
    query: Query
    reason: str | None


class Done:
    """What a search has come to so far.

    Attributes:
        matches: How many were looked at, those that were left out included.
        hits: How many moments were found.
        problems: How many matches could not be searched.
    """

    def __init__(self) -> None:
        self.matches = self.hits = self.problems = 0
        self._left_out = self._evaluated = self._failed = 0
        self._failure = ""

    def add(self, one: Searched) -> None:
        """Count what searching a match came to."""
        self.matches += 1
        self.hits += len(one.hits)
        self.problems += bool(one.problem)
        self._left_out += one.left_out
        self._evaluated += one.evaluated
        self._failed += one.failed
        self._failure = self._failure or one.failure

    def sum_up(self) -> None:
        """Tell what was done, and what was not.

        Raises:
            CommandFailed: The expression could be evaluated nowhere.
        """
        if self._failed and self._failed == self._evaluated:
            raise CommandFailed(
                f"The expression could be evaluated nowhere; the first time, {self._failure}."
            )
        whole = number_of(self.matches - self._left_out, "match", "matches")
        tell(f"{whole} searched, {number_of(self.hits, 'hit', 'hits')}.")
        if self._left_out:
            running = number_of(self._left_out, "running match", "running matches")
            tell(f"Left out: {running}, because --where looks at what is sealed. See --unseal.")
        if self._failed:
            tell(
                f"At {self._failed} of {self._evaluated} moments the expression could not be evaluated; "
                f"the first: {self._failure}."
            )


def searched(search: Search, matches: tuple[str, ...]) -> list[Searched]:
    """Return what searching matches comes to."""
    # Also in another process, which knows nothing of this one's settings: its output is the hits'.
    configure_logs("console", "error", process="tablee")
    return work_on(search.log, lambda parts: _searched(parts, search, matches))


async def _searched(parts: LogParts, search: Search, matches: Sequence[str]) -> list[Searched]:
    predicate = None if search.query.where is None else Predicate(search.query.where)
    done = []
    for match in matches:
        try:
            done.append(await _one(parts, search, predicate, match))
        except StoreUnavailable:
            raise
        except (TableeError, ValueError, LookupError, TypeError, AttributeError) as error:
            # One log that cannot be read must not end the search of the others.
            problem = str(error) if isinstance(error, TableeError) else type(error).__name__
            done.append(Searched(match, problem=problem))
    return done


async def _one(parts: LogParts, search: Search, predicate: Predicate | None, match: str) -> Searched:
    meta, event = await parts.store.meta(match), search.query.event
    runs = meta is not None and meta.status is Status.OPEN
    if predicate is None:
        entries = await parts.store.read(match)
        return search_events(match, entries, event or "", opened=not runs)
    if runs:
        if (
            event is not None
            and not search_events(match, await parts.store.read(match), event, opened=False).hits
        ):
            return Searched(match)
        if search.reason is None:
            return Searched(match, left_out=True)
        # Before anything is looked at; if it ended a moment ago, everything is open anyway.
        await unseal(parts.service, match, search.reason)
    return search_states(match, await parts.store.read(match), predicate, event)

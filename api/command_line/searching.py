"""Searching logs, in whichever process."""

from collections.abc import Sequence
from typing import NamedTuple

from api.command_line.opening import LogAddress, work_on
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

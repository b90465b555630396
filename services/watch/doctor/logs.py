"""Is a match's log whole, and does the store's record of it say the same?"""

import msgspec

from domain.errors import BrokenLog
from domain.match.fold import Position, beginning, fold_named
from domain.match.verification import Verdict, verify_chain
from domain.match.view import OVER
from services.log.event_store.contract import Meta, Status
from services.log.proof import compared
from services.watch.doctor.findings import Finding, Severity
from services.watch.doctor.match_facts import MatchFacts


def quick_verdict(facts: MatchFacts) -> Verdict:
    """Follow the chain of a log, without looking at what its events say, and compare its end with the record."""
    verdict = verify_chain(facts.match, facts.entries)
    if not verdict.good:
        return verdict
    if facts.problem is not None:
        problem = facts.problem
        return msgspec.structs.replace(
            verdict, code=problem.code, bad_version=problem.version, detail=problem.detail
        )
    if facts.meta is None:
        missing = "the store has no record of this match"
        return msgspec.structs.replace(verdict, code="meta.missing", bad_version=1, detail=missing)
    return compared(verdict, facts.meta)


def judge_verdict(verdict: Verdict) -> list[Finding]:
    """Say what follows from a log that does not verify."""
    if verdict.good:
        return []
    archived = verdict.code.startswith("archive.")
    means = (
        "Nobody can look at this match any more; all others are untouched."
        if archived
        else "What stands there is not what was acknowledged: somebody has written to the store, or the disk has. The "
        "match cannot be trusted from that event on; all others are untouched."
    )
    do = (
        "Copy the file back from a backup of the archive, or write it anew from an export: `tablee import FILE`."
        if archived
        else "This is never repaired, because the log is what everything else is derived from. `tablee verify "
        f"{verdict.match}` says more. Keep a copy of the data folder. What it was, a backup shows: `tablee restore "
        f"FILE --data OTHER`, `tablee log {verdict.match} --data OTHER`; go on with that folder, or let it stand."
    )
    return [
        Finding(
            verdict.code,
            Severity.ACT,
            f"Event {verdict.bad_version} of {verdict.match}: {verdict.detail}.",
            means,
            do,
            verdict.match,
            verdict.bad_version,
        )
    ]


def folded(facts: MatchFacts) -> Position | BrokenLog:
    """Return the position that a good log comes to, or at which event it cannot be folded."""
    try:
        return fold_named(beginning(facts.match), facts.entries)
    except BrokenLog as broken:
        return broken


def judge_record(meta: Meta, position: Position) -> list[Finding]:
    """Compare what the record says of the match with what its events say; version and head were compared before."""
    terms, phase = position.state.terms, position.state.lifecycle.phase
    status = Status.CLOSED if phase in OVER else Status.OPEN
    found = []
    if terms is not None and (meta.game, meta.rules) != (terms.game, terms.rules):
        found.append(f"game {meta.game}, rules {meta.rules}; its log says {terms.game}, {terms.rules}")
    if meta.status is not status:
        found.append(f"that the match is {meta.status}; by its log it is {phase}, which is {status}")
    return [
        Finding(
            "meta.contradicts_log",
            Severity.ACT,
            f"The record of {position.match} (version {position.version}) says {detail}.",
            "The record decides whether moves are taken, whether the clock looks after the match, and whether it goes "
            "to the archive.",
            "`tablee doctor --repair` writes the record anew from the log, which verifies.",
            position.match,
            position.version,
            repair="status",
        )
        for detail in found
    ]

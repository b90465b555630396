"""Does the log's server keep what it has acknowledged?"""

from services.log.embedded.durability import Verdict
from services.watch.doctor.diagnosis import Diagnosis, fine, look
from services.watch.findings import Severity


def judge_durability(verdict: Verdict, *, accepted: bool) -> list[Diagnosis]:
    """Judge what a log's server says of itself.

    Args:
        verdict: What its settings promise.
        accepted: The operator has said that losses are accepted.
    """
    if verdict.durable == "yes":
        return [
            fine("store.durable", "The log's server syncs every write before it answers, and evicts nothing.")
        ]
    if verdict.durable == "unknown":
        return [
            look(
                "store.durability_unknown",
                f"The log's server does not tell its settings: {verdict.reason}.",
                "Nobody can tell whether a power cut would take acknowledged moves.",
                "Make sure that it runs with `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`.",
            )
        ]
    severity = Severity.LOOK if accepted else Severity.ACT
    means = (
        "Acknowledged moves may be lost; you have accepted that (TABLEE_ACCEPT_WEAK_DURABILITY)."
        if accepted
        else "Moves that people were told are done may be lost."
    )
    return [
        Diagnosis(
            f"store.{problem.code}",
            severity,
            f"The log's server has `{problem.found}`.",
            means,
            problem.remedy,
        )
        for problem in verdict.problems
    ]

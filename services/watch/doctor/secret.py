"""Is the installation's secret the one from which match ids and tokens were made?"""

from typing import Final

from services.watch.doctor.diagnosis import Diagnosis, act, fine
from services.watch.findings import Severity

_MEANS: Final = (
    "Seats keep their tokens and browsers their seats. But who repeats a request to make a table or to sit down, "
    "because the answer was lost, gets another one; and forms on pages that are open now are refused until reloaded."
)


def judge_secret(kept: str | None, present: str | None) -> Diagnosis:
    """Compare the secret with the mark that the service left of it.

    Args:
        kept: The mark that is stored; None if there is none yet.
        present: The mark of the present secret; None if there is no secret.
    """
    if present is None:
        return Diagnosis(
            "secret.missing",
            Severity.ACT if kept is not None else Severity.LOOK,
            "The installation's secret is not here: neither TABLEE_SECRET, nor TABLEE_SECRET_FILE, nor "
            "`installation.secret` in the data folder.",
            "The service would make a new one at its start. " + _MEANS,
            "Copy `installation.secret` back from a backup before you start the service.",
        )
    if kept is None:
        return fine("secret.not_marked", "The service has not marked its secret yet; its next start does.")
    if kept != present:
        return act(
            "secret.differs",
            "The installation's secret is another one than that with which this log was first served.",
            _MEANS,
            "Put the old one back: `installation.secret` from a backup, or what TABLEE_SECRET was.",
        )
    return fine("secret.same", "The installation's secret is the one that it has always been.")

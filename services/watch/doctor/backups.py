"""Is there a backup, and is it young enough?"""

from typing import Final

from domain.instants import milliseconds_of
from services.log.backup.last import LastBackup
from services.watch.doctor.diagnosis import Diagnosis, fine, look

_OLD_MS: Final = 7 * 86_400_000


def judge_backup(last: LastBackup | None, now: int) -> Diagnosis:
    """Judge the last backup that was made of this log.

    Args:
        last: What is known of it; None if none was made.
        now: Milliseconds since the epoch.
    """
    if last is None:
        return fine(
            "backup.none", "No backup was made yet: `tablee backup FOLDER` makes one while the service runs."
        )
    age = now - milliseconds_of(last.at)
    if age <= _OLD_MS:
        return fine("backup.young", f"The last backup was begun at {last.at}.")
    return look(
        "backup.old",
        f"The last backup was begun at {last.at}, {age // 86_400_000} days ago.",
        "If this disk is lost, so is everything that was played since.",
        "`tablee backup FOLDER`, once a day by a timer, and copied to another machine.",
    )

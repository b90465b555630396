"""Are people told what waits for them?"""

from typing import Final

from services.watch.doctor.diagnosis import Diagnosis, act, fine, look

_LATE_SECONDS: Final = 600.0


def judge_notices(late: float, dead: int) -> list[Diagnosis]:
    """Judge how long the oldest message is overdue, in seconds, and how many were given up."""
    found = []
    if late > _LATE_SECONDS:
        found.append(
            act(
                "notices.late",
                f"A message to somebody should have been tried {late / 60:.0f} minutes ago.",
                "Nobody is told that it is their turn. Matches go on, and bots play.",
                "Is the process `notices` there (`python -m workers.notice_worker`)? The service log tells what "
                "holds it up; /ops/queues shows what waits.",
            )
        )
    if dead:
        found.append(
            look(
                "notices.given_up",
                f"{dead} message(s) were given up after all attempts.",
                "Whoever they were for has not read them.",
                "/ops/queues says why, and tries them again: a mail server that refuses all of them is a mistake in "
                "TABLEE_SMTP_URL or TABLEE_MAIL_FROM.",
            )
        )
    return found or [fine("notices.told", "No notice is late, and none was given up.")]

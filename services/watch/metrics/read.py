"""What is read from the stores when somebody asks for the metrics: the same in every process."""

from typing import Final

from services.process.measure import Measure

READ: Final[list[Measure]] = []
"""All gauges, in the order in which they are told."""


def _gauge(name: str, told: str, *labels: str) -> Measure:
    READ.append(Measure(name, "gauge", told, labels))
    return READ[-1]


BUILD: Final = _gauge("tablee_build_info", "Always 1; the labels tell what runs.", "release", "python")
STREAMS: Final = _gauge("tablee_streams_open", "Live streams that this process serves.")
STORE_UP: Final = _gauge(
    "tablee_store_up",
    "Whether a store answers: log, jobs (jobs 2 and so on where there are several), archive.",
    "store",
)
DURABLE: Final = _gauge(
    "tablee_log_durable", "Whether the log's server keeps what it acknowledges, by its own settings."
)
MEMORY: Final = _gauge("tablee_store_memory_bytes", "Memory that a store uses.", "store")
MEMORY_LIMIT: Final = _gauge(
    "tablee_store_memory_limit_bytes",
    "What a store may use; without a limit, the memory of its machine.",
    "store",
)
LOG_FILE: Final = _gauge(
    "tablee_log_file_bytes", "The log store's file on the disk, before it is rewritten shorter."
)
DISK_FREE: Final = _gauge(
    "tablee_disk_free_bytes", "Free on the disk of the data folder and of the archive.", "folder"
)
FEED_LAG: Final = _gauge(
    "tablee_feed_lag",
    "Commands in the feed that a consumer has not read yet, all shards together.",
    "consumer",
)
DUE_LATE: Final = _gauge(
    "tablee_due_late_seconds",
    "For how long the match that has waited longest for the clock is due; 0 for none.",
)
WENT_BACK: Final = _gauge(
    "tablee_log_went_back", "Whether the log is an older copy of itself, by what the loops noted beside it."
)
MATCHES: Final = _gauge("tablee_matches", "Matches in the list: open (gathering or playing), over.", "state")
PARKED: Final = _gauge("tablee_parked", "Matches that a projection, or the archive, had to put aside.", "by")
HALTED: Final = _gauge(
    "tablee_projection_halted",
    "Whether a projection goes no further because the store went back.",
    "projection",
)
ARCHIVE_WAITING: Final = _gauge("tablee_archive_waiting", "Matches that are over and still in the store.")
DIGEST_AGE: Final = _gauge("tablee_digest_age_seconds", "Since the last digest; not there before the first.")
BACKUP_AGE: Final = _gauge(
    "tablee_backup_age_seconds", "Since the last backup began; not there before the first."
)
JOBS: Final = _gauge("tablee_jobs", "Jobs of bots' turns: queued, running, failed, scheduled.", "state")
NOTICES: Final = _gauge(
    "tablee_notices",
    "What people are to be told: planned, outgoing (to be put into messages), sending (messages), dead (given up).",
    "state",
)
NOTICES_LATE: Final = _gauge(
    "tablee_notices_late_seconds",
    "For how long the message that has waited longest is due to be tried; 0 for none.",
)
WORKERS: Final = _gauge("tablee_workers", "Workers that have reported within the last half minute.")
LOOPS: Final = _gauge("tablee_loops_live", "Whether the loops have given a sign of life within 15 seconds.")

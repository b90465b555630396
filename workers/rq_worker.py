"""The process that takes jobs from the queue: ``python -m workers.rq_worker``."""

from rq import Worker
from rq.serializers import JSONSerializer

# Imported here so that the process that RQ forks for each job finds everything loaded.
import workers.bot_turns
from services.embedded.start_report import report_started
from services.logs import configure_logs
from services.settings import load_settings
from workers.jobs import bots_queue, connect_worker

MONITORING_SECONDS = 5
"""How often a running job reports that it lives."""

MAINTENANCE_SECONDS = 60
"""How often abandoned jobs are cleared away; bots do not wait for that, the clock sends their turns again."""

__all__ = ["main", "workers"]


def main() -> None:
    """Take jobs until told to stop; the present job is finished first."""
    settings = load_settings()
    configure_logs(settings.log_format, settings.log_level, process="worker")
    if settings.job_store_url is None:
        raise SystemExit("TABLEE_JOB_STORE_URL must be set")
    connection = connect_worker(settings.job_store_url)
    # One queue only: with several, RQ would lose a job that is popped by a worker that dies at once.
    worker = Worker(
        [bots_queue(connection)],
        connection=connection,
        serializer=JSONSerializer,
        job_monitoring_interval=MONITORING_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
        log_job_description=False,
    )
    connection.ping()
    report_started()
    # RQ tells six lines for each job; ours says the same in one, with the correlation id.
    worker.work(with_scheduler=False, logging_level="WARNING")


if __name__ == "__main__":
    main()

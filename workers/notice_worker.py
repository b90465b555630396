"""The process that delivers notices: ``python -m workers.notice_worker``."""

# Imported here so that the process that RQ forks for each job finds everything loaded.
import workers.notice_jobs
from services.bootstrap.clients import TAKING, blocking_client
from services.jobs.notices import notices_queue
from services.log.embedded.start_report import report_started
from services.process.games import load_games
from services.process.service_log import configure_logs
from services.process.settings import load_settings
from workers.own_jobs import require_own_jobs_or_end
from workers.rq_worker import wait_for, work_on

__all__ = ["main", "workers"]


def main() -> None:
    """Take jobs until told to stop; the present job is finished first."""
    settings = load_settings()
    configure_logs(settings.log_format, settings.log_level, process="notices")
    load_games(settings.games)
    if settings.job_store_url is None:
        raise SystemExit("TABLEE_JOB_STORE_URL must be set")
    connection = blocking_client(settings.job_store_url, TAKING)
    pulse = report_started()
    wait_for(connection, pulse)
    require_own_jobs_or_end(connection, settings)
    work_on([notices_queue(connection)], connection, pulse)


if __name__ == "__main__":
    main()

"""The process that delivers notices: ``python -m workers.notice_worker [NUMBER OF THE JOBS' SERVER]``."""

# Imported here so that the process that RQ forks for each job finds everything loaded.
import workers.notice_jobs
from services.jobs.notices import notices_queue
from services.process.games import load_games
from services.process.service_log import configure_logs
from services.process.settings import load_settings
from workers.rq_worker import own_server, work_on

__all__ = ["main", "workers"]


def main() -> None:
    """Take jobs until told to stop; the present job is finished first."""
    settings = load_settings()
    configure_logs(settings.log_format, settings.log_level, process="notices")
    load_games(settings.games)
    connection, pulse = own_server(settings)
    work_on([notices_queue(connection)], connection, pulse)


if __name__ == "__main__":
    main()

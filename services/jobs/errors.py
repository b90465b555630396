"""The queue's branch of the error tree."""

from domain.errors import TableeError


class JobStoreUnavailable(TableeError):
    """The queue's server does not answer at the moment; unsent jobs can be derived from the log again."""

    code = "jobs.unavailable"

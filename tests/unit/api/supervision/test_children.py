"""Which processes ``tablee up`` starts, and which server for jobs each of them serves."""

import pytest

from api.command_line.commands.up import require_fit_for_jobs
from api.command_line.group import CommandFailed
from api.command_line.service import service_children
from services.process.settings import Settings

TWO = "redis://127.0.0.1:1/0, redis://127.0.0.1:2/0"


def test_workers_serve_the_servers_for_jobs_in_turn_and_each_has_its_notices():
    settings = Settings(log_store_url="redis://log", job_store_url=TWO, workers=3)
    children = {child.name: child.argv[3:] for child in service_children(settings, ())}
    assert children == {
        "API": (),
        "worker 1": ("1",),
        "worker 2": ("2",),
        "worker 3": ("1",),
        "notices": ("1",),
        "notices 2": ("2",),
        "loops": (),
    }


def test_a_machine_has_a_worker_for_each_server_or_none_at_all():
    with pytest.raises(CommandFailed, match="TABLEE_WORKERS is 1, and must be at least 2"):
        require_fit_for_jobs(Settings(job_store_url=TWO, workers=1))
    for workers in (0, 2):
        require_fit_for_jobs(Settings(job_store_url=TWO, workers=workers))

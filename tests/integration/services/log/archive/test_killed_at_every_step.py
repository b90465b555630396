"""Archiving and importing in processes that are killed at every single step: nothing is lost, nothing is doubled."""

import json
import subprocess
import sys

import pytest

from tests.conformance.backends import flushed
from tests.kit.checkout import ROOT


@pytest.mark.parametrize(("work", "fewest"), [("archive", 20), ("over", 15), ("open", 2)])
def test_whoever_comes_after_a_death_finds_all_of_it_and_finishes_the_work(server, tmp_path, work, fewest):
    argv = [
        sys.executable,
        "-m",
        "tests.integration.services.log.archive.dying",
        flushed(server, 1),
        str(tmp_path),
        work,
    ]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step.pop("died") for step in steps] == [True] * (len(steps) - 1) + [False]
    assert len(steps) > fewest
    for number, step in enumerate(steps, 1):
        assert all(step.values()), (number, step)

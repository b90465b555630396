"""``docs/learn/new-game.md`` is true: its blocks are the example's files, and its steps work one after the other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.guide import GUIDE, NAMED_BLOCK, Step, steps, written_anew
from tests.kit.checkout import ROOT

STEPS = list(steps())
EXAMPLE = ROOT / "tests" / "games" / "alone"
NOT_SHOWN = {"test_rules.py"}


def test_every_block_is_its_file():
    text = GUIDE.read_text("utf-8")
    assert written_anew(text) == text, "run python -m tests.games"


def test_every_file_of_the_example_is_shown_once():
    shown = [name for name, _, _ in NAMED_BLOCK.findall(GUIDE.read_text("utf-8"))]
    written = (*EXAMPLE.glob("*.py"), *EXAMPLE.glob("templates/*"))
    assert sorted(shown) == sorted(
        str(file.relative_to(ROOT)) for file in written if file.name not in NOT_SHOWN
    )


def test_the_translation_that_it_shows_is_one_of_the_example():
    (entry,) = (part.partition("```")[0] for part in GUIDE.read_text("utf-8").split("```po\n")[1:])
    assert entry in (EXAMPLE / "locale" / "fr" / "LC_MESSAGES" / "alone.po").read_text("utf-8")


def test_it_has_the_steps_that_the_example_needs():
    assert sum(len(step.commands) for step in STEPS) >= 11


@pytest.mark.parametrize("step", [step for step in STEPS if step.commands], ids=lambda step: step.title)
def test_a_step_works_with_no_more_than_the_files_so_far(step: Step, tmp_path: Path):
    games = tmp_path / "tests" / "games"
    games.mkdir(parents=True)
    for package in (games, games.parent):
        (package / "__init__.py").touch()
    for earlier in STEPS[: STEPS.index(step) + 1]:
        for name in earlier.files:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    for command, printed in step.commands:
        script = command.replace(".venv/bin/python", sys.executable)
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.returncode) == (printed, 0), done.stderr

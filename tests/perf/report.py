"""What every benchmark prints: where it ran, and tables that can be pasted into a page."""

import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.kit.checkout import ROOT


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def quantile(times: Sequence[float], part: float) -> float:
    """Return a quantile of times given in seconds, in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] * 1000


def number(value: float) -> str:
    """Return a number with as many digits as are significant."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def judged(value: float, budget: float, *, least: bool = False) -> str:
    """Return a budget, and whether the value keeps to it.

    Args:
        value: What was measured.
        budget: What it may be at most, or must be at least.
        least: Whether the budget is what it must be at least.
    """
    kept = value >= budget if least else value <= budget
    return f"{'>=' if least else '<='} {number(budget)}{'' if kept else ' MISSED'}"


def show(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table, in Markdown, its columns aligned."""
    cells = [[cell if isinstance(cell, str) else number(float(str(cell))) for cell in row] for row in rows]
    widths = [
        max(len(row[column]) for row in (list(columns), *cells, ["---"] * len(columns)))
        for column in range(len(columns))
    ]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in (columns, *cells)
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print("\n".join(lines), flush=True)


def load() -> str:
    """Return the load average of the last minute, as text; empty if the system does not provide it."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "?"


def where() -> str:
    """Print when, where and on what a measurement is made."""
    commit = _git("rev-parse", "--short=10", "HEAD")
    changed = _git(
        "status", "--porcelain", "--untracked-files=no", "--", "domain", "services", "workers", "api"
    )
    state = f"{commit} with changes" if changed else commit
    day = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"{day}; {_processor()}, {os.cpu_count()} cores; {platform.system()} {platform.release()};"
        f" Python {platform.python_version()}; commit {state}; load average {load()}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")


def _git(*arguments: str) -> str:
    try:
        asked = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "?"
    return asked.stdout.strip()

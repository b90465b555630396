"""Run benchmarks: ``python -m tests.perf [NAME ...]``; without a name, all of them."""

import importlib
import sys

BENCHMARKS = {
    "append": "tests.perf.append_rate",
    "http": "tests.perf.http_moves",
    "streams": "tests.perf.http_streams",
}
"""Modules with a ``main()`` that measures and prints a table."""


def main() -> None:
    """Run what was asked for."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    for name in names:
        module = importlib.import_module(BENCHMARKS[name])
        print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}\n", flush=True)
        module.main()


if __name__ == "__main__":
    main()

"""Start of `tablee up` to its first page, and the memory of all its processes when nothing happens.

Budgets: the first page within 3 s; 400 MB for all processes together. Memory is PSS: pages that processes share are
counted once.
"""

import time

from tests.perf.report import judged, median, show
from tests.perf.service import Service

STARTS = 3
SETTLE = 4.0


def main() -> None:
    """Measure."""
    first, again, memory = [], [], dict[str, float]()
    for turn in range(STARTS):
        service = Service()
        first.append(service.start("/"))
        service.published()
        service.stop()
        again.append(service.start("/"))
        service.published()
        if turn == 0:
            time.sleep(SETTLE)
            memory = service.memory()
        service.close()
    rows = [
        (name, median(times), max(times), judged(median(times), 3))
        for name, times in (("first start, empty folder", first), ("later start", again))
    ]
    show(("start to first page", "median, s", "worst, s", "budget"), rows)
    print()
    total = sum(memory.values())
    show(
        ("process, idle", "PSS, MB", "budget"),
        [*((name, used, "") for name, used in memory.items()), ("all", total, judged(total, 400))],
    )


if __name__ == "__main__":
    main()

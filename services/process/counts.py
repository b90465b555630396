"""Counters and histograms of one process, in memory."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from services.process.measure import Measure

Labels = tuple[str, ...]
Series = tuple[str, Labels]
"""The name of a measure, and the values of its labels."""


class Spread(msgspec.Struct):
    """One series of a histogram.

    Attributes:
        buckets: By bound, how many durations were at most that long and longer than the bound before; last, those
            beyond all bounds.
        total: The sum of all durations, in seconds.
    """

    buckets: list[int]
    total: float = 0.0

    def add(self, other: "Spread") -> None:
        """Add what another process counted."""
        self.buckets = [mine + more for mine, more in zip(self.buckets, other.buckets, strict=True)]
        self.total += other.total


class Counts:
    """Counts and durations. Counting takes less than a microsecond: a dictionary, no lock, one thread only."""

    def __init__(self) -> None:
        self._counters: Final = dict[Series, int]()
        self._spreads: Final = dict[Series, Spread]()

    @property
    def counters(self) -> Mapping[Series, int]:
        """The counters above 0."""
        return self._counters

    @property
    def spreads(self) -> Mapping[Series, Spread]:
        """The histograms with at least one duration."""
        return self._spreads

    def add(self, measure: Measure, *labels: str) -> None:
        """Increment a counter."""
        series = measure.name, labels
        self._counters[series] = self._counters.get(series, 0) + 1

    def observe(self, measure: Measure, seconds: float, *labels: str) -> None:
        """Record a duration in a histogram."""
        series = measure.name, labels
        spread = self._spreads.get(series)
        if spread is None:
            spread = self._spreads[series] = Spread([0] * (len(measure.buckets) + 1))
        spread.buckets[bisect_left(measure.buckets, seconds)] += 1
        spread.total += seconds

    def take(self) -> "Counts":
        """Return everything counted so far, and start again from nothing."""
        taken = Counts()
        taken.merge(self)
        self._counters.clear()
        self._spreads.clear()
        return taken

    def merge(self, other: "Counts") -> None:
        """Add what was counted elsewhere."""
        for series, count in other.counters.items():
            self._counters[series] = self._counters.get(series, 0) + count
        for series, spread in other.spreads.items():
            self._spread_of(series, len(spread.buckets)).add(spread)

    def put(self, series: Series, part: str, value: float, buckets: int) -> None:
        """Add one number of a series that was stored elsewhere.

        Args:
            series: The series.
            part: ``count`` for a counter; for a histogram ``sum`` or the index of a bucket.
            value: The number.
            buckets: How many buckets the histogram has, including the last one, which has no bound.
        """
        if part == "count":
            self._counters[series] = self._counters.get(series, 0) + int(value)
        elif part == "sum":
            self._spread_of(series, buckets).total += value
        elif part.isdecimal() and int(part) < buckets:
            self._spread_of(series, buckets).buckets[int(part)] += int(value)

    def parts(self) -> Iterator[tuple[Series, str, float]]:
        """Yield all numbers in the form that :meth:`put` takes."""
        for series, count in self._counters.items():
            yield series, "count", count
        for series, spread in self._spreads.items():
            yield series, "sum", spread.total
            for number, count in enumerate(spread.buckets):
                if count:
                    yield series, str(number), count

    def _spread_of(self, series: Series, buckets: int) -> Spread:
        return self._spreads.setdefault(series, Spread([0] * buckets))

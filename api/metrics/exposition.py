"""Writing metrics in the text format of Prometheus.

Imported only when somebody asks for metrics: who does not watch the service need not carry the library.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from services.process.counted import COUNTED
from services.process.counts import Counts
from services.process.measure import Measure
from services.watch.metrics.read import READ
from services.watch.metrics.readings import Reading

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4.partition("; charset=")[0]
"""Without its character set, which the framework adds: Prometheus refuses an answer that names it twice."""


class _Collected(Collector):
    """What was counted and read, as the library takes it."""

    def __init__(self, counts: Counts, readings: Iterable[Reading]) -> None:
        self._counts: Final = counts
        self._readings: Final = tuple(readings)

    def collect(self) -> Iterable[Metric]:
        """Yield all measures; those without a number too, so that one sees what there is."""
        for measure in COUNTED:
            yield self._histogram(measure) if measure.kind == "histogram" else self._counter(measure)
        for measure in READ:
            family = GaugeMetricFamily(measure.name, measure.help, labels=measure.labels)
            for reading in self._readings:
                if reading.measure is measure:
                    family.add_metric(reading.labels, reading.value)
            yield family

    def _counter(self, measure: Measure) -> Metric:
        family = CounterMetricFamily(measure.name, measure.help, labels=measure.labels)
        for (name, labels), count in sorted(self._counts.counters.items()):
            if name == measure.name:
                family.add_metric(labels, count)
        return family

    def _histogram(self, measure: Measure) -> Metric:
        family = HistogramMetricFamily(measure.name, measure.help, labels=measure.labels)
        bounds = [*map(str, measure.buckets), "+Inf"]
        for (name, labels), spread in sorted(self._counts.spreads.items(), key=lambda one: one[0]):
            if name == measure.name:
                counts = accumulate(spread.buckets)
                family.add_metric(labels, list(zip(bounds, counts, strict=True)), spread.total)
        return family


def exposition(counts: Counts, readings: Iterable[Reading]) -> bytes:
    """Return metrics as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collected(counts, readings))
    # Memory, processor time, open files of the process that answers.
    ProcessCollector(registry=registry)
    return generate_latest(registry)

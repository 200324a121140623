"""How every metric gets its interval."""

from steelyard.metrics.catalogue import every
from steelyard.metrics.influence import INFLUENCE, INTERVAL_KINDS, SCALES
from steelyard.metrics.record import Metric


def test_every_number_has_influence_values_or_says_why_not() -> None:
    for metric in every():
        if metric.shape is not None:
            continue
        assert metric.interval.kind in INTERVAL_KINDS
        assert metric.scale in SCALES
        if metric.interval.kind == INFLUENCE:
            assert type(metric).influences is not Metric.influences, metric.name
            own = [getattr(metric, name, "") for name in ("quotient", "influence", "slopes")]
            assert own == ["", "", ""] or any(own), metric.name
        else:
            assert metric.interval.why, metric.name

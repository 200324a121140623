"""Specs → metrics → distinct states. However many metrics, each state is made once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from steelyard import errors
from steelyard.metrics.catalogue import Bound, resolve
from steelyard.metrics.record import PREDICTION, SCORE, CurveMetric, Need, compute_together
from steelyard.model import (
    A_PREDICTION,
    PRESETS,
    TWO_CLASSES,
    AnyValue,
    Preset,
    Undefined,
    Value,
    Wants,
)
from steelyard.spec import Spec
from steelyard.states import ClassCells, Groups, PredictionSample, Sample, ScoreTable, State

SAMPLES = {SCORE: Need(Sample), PREDICTION: Need(PredictionSample)}
GROUPS = Need(Groups)
CELLS = Need(ClassCells)
OUR_OWN = Preset()


@dataclass(frozen=True)
class Plan:
    """The metrics asked for, once each and in the order asked, and the states they need."""

    metrics: tuple[Bound, ...]
    needs: tuple[Need, ...]
    preset: Preset = OUR_OWN
    reads: str = SCORE

    @property
    def sample(self) -> Need:
        """What stands beside every number."""
        return SAMPLES[self.reads]

    def instead(self, bound: Bound, value: Value) -> Value:
        """The value, or what another tool shows where there is none."""
        if isinstance(value, Undefined):
            return self.preset.undefined.get(bound.metric.function, value)
        return value

    @property
    def wants(self) -> Wants:
        """What the metrics read of rows beside score and weight."""
        if not self.metrics:
            return TWO_CLASSES if self.reads == SCORE else A_PREDICTION  # of the sample
        return reduce(or_, map(wants, self.metrics))


def check(
    bound: Bound,
    *,
    document: bool,
    group: bool = True,
    trials: bool = False,
    unscored: bool = False,
    classes: bool = False,
) -> None:
    """Refuse a metric that misses a role, or that makes no sense of one."""
    wanted = wants(bound)
    if wanted.group and not group:
        raise errors.GROUP_NEEDED(metric=bound.name)
    if wanted.document and not document:
        raise errors.DOCUMENT_NEEDED(metric=bound.name)
    if wanted.graded and trials:
        raise errors.NOT_BY_TRIALS(metric=bound.name)
    if wanted.binary and unscored:
        raise errors.NO_RANKS(metric=bound.name)
    if wanted.class_scores and not classes:
        raise errors.SCORES_NEEDED(metric=bound.name)
    if wanted.numbers and classes:
        raise errors.NUMBERS_NEEDED(metric=bound.name)


def wants(bound: Bound) -> Wants:
    """What a metric reads of rows beside score and weight."""
    return bound.metric.wants(dict(bound.params))


def make(specs: str | Iterable[str | Spec], preset: str | None = None, reads: str = SCORE) -> Plan:
    """The plan for a table: one number a metric, and the sample beside it."""
    specs = [specs] if isinstance(specs, str) else specs
    chosen = _preset(preset)
    bounds = [resolve(spec, chosen.parameters, reads) for spec in specs]
    metrics = {bound.name: bound for bound in bounds}
    for bound in metrics.values():
        if bound.metric.shape is not None:
            raise errors.NOT_A_NUMBER(metric=bound.metric.name)
    needs = [SAMPLES[reads], *(need(bound) for bound in metrics.values())]
    return Plan(tuple(metrics.values()), tuple(dict.fromkeys(needs)), chosen, reads)


def _preset(name: str | None) -> Preset:
    if name is None:
        return OUR_OWN
    if name not in PRESETS:
        raise errors.BAD_CHOICE(name="preset", value=name, choices=", ".join(PRESETS))
    return PRESETS[name]


def need(bound: Bound) -> Need:
    """The state that a metric reads."""
    return bound.metric.need(dict(bound.params))


def values(
    metrics: Iterable[Bound], states: Mapping[Need, State], rows: int | None = None
) -> list[AnyValue]:
    """Every metric's value; those that read curves share one pass over the score table.

    rows: how many rows of a class a chunk of that table has; the values do not depend on it
    """
    metrics = list(metrics)
    curves = [
        (bound.metric, dict(bound.params))
        for bound in metrics
        if isinstance(bound.metric, CurveMetric)
    ]
    together: list[AnyValue] = []
    if curves:
        table = states[Need(ScoreTable)]
        assert isinstance(table, ScoreTable)
        totals = table.totals()
        together = compute_together(curves, totals, table.chunks(totals, rows))
    rest = iter(together)
    return [
        next(rest)
        if isinstance(bound.metric, CurveMetric)
        else bound.metric.compute(states[need(bound)], dict(bound.params))
        for bound in metrics
    ]

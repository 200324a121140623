"""The short way of a plain function: from plain arrays to the metric's value in few calls.

It takes what needs no message and no choice. It declines all else with None: the long way
(`functions`) then looks at the same arguments from the start, and owns every message. See decision
0031.
"""

from collections.abc import Callable
from typing import Any

from steelyard import errors, kernels
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.kernels.interface import ListTerm, RowCodes
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.curve_metrics import AreaMetric
from steelyard.metrics.group_means import mean_of_few, means, parts
from steelyard.metrics.group_metrics import GroupMetric, RankingMetric
from steelyard.metrics.parameter import Parameter
from steelyard.metrics.record import SCORE, Metric
from steelyard.metrics.regression_metrics import RegressionMetric as OfNumbers
from steelyard.metrics.values import ValueColumn
from steelyard.model import Array, ClassMean, Detailed, RequiredColumns
from steelyard.reading.plain_rows import NUMBERS, SCORES, are_keys, are_plain, plain_batch
from steelyard.result.metric_column import MetricColumn
from steelyard.states import Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums import sums_of
from steelyard.states.sums.terms import find
from steelyard.views.plain_groups import (
    MissingTermError,
    PlainGroups,
    PlainLists,
    of_areas,
    of_lists,
)
from steelyard.views.sums import KnownSums, SumLine, line_of

# A function of labels, scores and group keys.
Computation = Callable[[Array, Array, Any], float | None]
ShortWay = Callable[..., float | None]
PLAIN_PARAMETERS = (int, float, str)
ONE_LINE = (RowCodes(None, 1),)
TIES_BY_KEY = ("stable", "trec")
MOST_KNOWN = 64  # bound metrics of a function, with different parameters


def short_way(metric: Metric) -> ShortWay | None:
    """The short way of a metric's plain function; None where it has none."""
    if metric.shape is not None or (metric.reads != SCORE and not isinstance(metric, OfNumbers)):
        return None
    types = SCORES if metric.reads == SCORE else NUMBERS
    names = ("y_true", metric.argument_names[0])
    known: dict[Any, Computation] = {}

    def short(*args: Any, group: Any = None, **params: Any) -> float | None:
        if len(args) != 2:
            args += tuple(params.pop(name) for name in names[len(args) :] if name in params)
        if len(args) != 2 or not are_plain(*args, types):
            return None
        key = tuple((name, type(value), value) for name, value in params.items())
        if params and any(type_ not in PLAIN_PARAMETERS for _, type_, _ in key):
            return None
        compute = known.get(key)
        if compute is None:
            compute = _computed(metric, params)
            if len(known) < MOST_KNOWN:
                known[key] = compute
        return compute(*args, group)

    return short


def _computed(metric: Metric, params: dict[str, Any]) -> Computation:
    """How a metric with these parameters is computed."""
    own = {each.name: each for each in metric.parameters}
    if not all(name in own and _is_plain(own[name], value) for name, value in params.items()):
        return _declined
    try:
        bound = catalogue.bind(metric, params)
    except errors.SteelyardError:
        return _declined
    if isinstance(metric, AreaMetric) and metric.quotient is not None:
        return _area(metric.quotient)
    spec = dict(bound.state_spec.config)
    if bound.state_spec.kind is Sums and spec["key"] is None:
        return (_of_numbers if bound.required_columns.numbers else _of_terms)(bound, spec["terms"])
    if isinstance(metric, RankingMetric) and bound.params["ties"] not in TIES_BY_KEY:
        return _of_lists(metric, bound)
    if isinstance(metric, GroupMetric) and not metric.ranks:
        return _of_areas(metric, bound)
    return _of_state(bound)


def _of_areas(metric: GroupMetric, bound: BoundMetric) -> Computation:
    """A mean over the areas of groups, which one kernel gives of checked rows."""
    params = bound.params

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        if not are_keys(group, len(labels)):
            return None
        found = kernels.active().plain_group_areas(labels, scores, group)
        return None if found is None else _mean(metric, of_areas(found), params)

    return compute


def _of_lists(metric: RankingMetric, bound: BoundMetric) -> Computation:
    """A mean over ranked lists, whose terms one kernel gives of checked rows."""
    params = bound.params
    asked = [ListTerm("relevant", rel=params["rel"])]  # the terms that calls so far asked for

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        if group is not None and not are_keys(group, len(labels)):
            return None
        while True:
            terms, kernel = tuple(asked), kernels.active()
            found = kernel.plain_list_terms(labels, scores, group, params["ties"], terms)
            if found is None:
                return None
            lists = PlainLists(found.rows, dict(zip(terms, found.columns, strict=True)))
            try:
                return _mean(metric, of_lists(lists), params)
            except MissingTermError as missing:  # once: a call asks for all of them
                asked.append(missing.term)

    return compute


def _mean(metric: GroupMetric, rows: PlainGroups, params: dict[str, Any]) -> float | None:
    found = metric.measure(rows, params)
    value = mean_of_few(found)
    return _plain(means(parts(rows, found).columns)) if value is None else value


def _is_plain(parameter: Parameter, value: Any) -> bool:
    """Whether a parameter names no column."""
    return not parameter.column or value in parameter.choices


def _declined(labels: Array, scores: Array, group: Any) -> None:
    """The long way must look at the parameters."""


def _of_terms(bound: BoundMetric, terms: tuple[str, ...]) -> Computation:
    """A metric of sums of formulas of the score, which one kernel adds up of checked rows."""
    metric, params, needed = bound.metric, bound.params, bound.required_columns
    probability = needed.probability
    if needed != RequiredColumns(probability=probability):
        return _declined
    formula_of = {term: find(term).formula for term in terms}
    formulas = tuple(dict.fromkeys(formula_of.values()))
    places = {term: formulas.index(formula) for term, formula in formula_of.items()}

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        if group is not None:
            return None
        found = kernels.active().plain_terms(labels, scores, formulas)
        if found is None or (probability and (found.least < 0 or found.largest > 1)):
            return None
        sums = {term: found.sums[place] for term, place in places.items()}
        return _plain([metric.compute(SumLine(KnownSums(sums, found.power), 0), params)])

    return compute


def _of_numbers(bound: BoundMetric, terms: tuple[str, ...]) -> Computation:
    """A metric of sums over rows of truth and prediction: they are added up, without a state."""
    needed, metric, params = bound.required_columns, bound.metric, bound.params

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        batch = plain_batch(labels, scores, group, needed)
        if batch is None:
            return None
        [sums] = sums_of(terms, batch, ONE_LINE)
        return _plain([metric.compute(line_of(sums), params)])

    return compute


def _area(quotient: Callable[[Any, Any], tuple[Any, Any]]) -> Computation:
    """A quotient of the area and the pairs, which one kernel gives of checked rows."""

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        if group is not None:
            return None
        found = kernels.active().plain_area(labels, scores)
        if found is None or not found.positives or not found.negatives:
            return None
        above, below = quotient(found.doubled_area, found.positives * found.negatives)
        value: float = above / below
        return value

    return compute


def _of_state(bound: BoundMetric) -> Computation:
    """Any metric: its state is filled with one batch, and the value is read from its view."""
    needed, spec, metrics = bound.required_columns, bound.state_spec, [bound]
    identity = spec.identity

    def compute(labels: Array, scores: Array, group: Any) -> float | None:
        batch = plain_batch(labels, scores, group, needed)
        if batch is None:
            return None
        state = spec.empty()
        state.update(batch)
        table = Table({identity: state}, 0, 1, TOTAL_SLICE)
        [values] = run.values(metrics, table, IN_MEMORY)
        return _plain(values)

    return compute


def _plain(values: ValueColumn) -> float | None:
    """The value of the one slice, without its details; None where there is none."""
    if isinstance(values, MetricColumn):
        return None if values.whys else float(values.numbers[0])
    value: Any = values[0]
    found = value.value if isinstance(value, ClassMean | Detailed) else value
    return found if type(found) is float else None

"""evaluate, state, merge, and the plain functions: parse → plan → fold → value."""

import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from steelyard import errors, plan
from steelyard.batch import Block
from steelyard.engines.memory import fold
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import Bound
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import Metric
from steelyard.model import (
    AnyValue,
    Conventions,
    Detailed,
    Label,
    OverGroups,
    PrecisionRecall,
    Roc,
    Undefined,
)
from steelyard.report.page import page_of
from steelyard.report.page_text import brief
from steelyard.result import Result
from steelyard.sources import roles
from steelyard.sources.opening import open_source
from steelyard.sources.reading import Reader, read_arrays
from steelyard.tally import Tally

DEFAULT_METRICS = ("auc", "ap", "ks", "best_f1", "accuracy", "precision", "recall", "f1")
OF_GROUPS = ("gauc",)  # where it is said what makes a group
Progress = Callable[[int, int | None], None]


def evaluate(
    source: Any = None,
    *,
    label: Any,
    score: Any,
    weight: Any = None,
    trials: Any = None,
    group: Any = None,
    cluster: Any = None,
    document: Any = None,
    by: Any = None,
    where: str | None = None,
    metrics: str | Iterable[str] | None = None,
    preset: str | None = None,
    positive: Label = None,
    nan: str = "error",
    unscored: str = "error",
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
) -> Result:
    """A table of metrics: of arrays, or of the named columns of a source.

    source: a mapping of arrays, a frame (pandas, Polars, PyArrow, ...), a path, a glob, a folder or
        a list of them, SQL, or a DuckDB relation; without one, the roles are arrays
    label: what happened: 0 and 1, -1 and +1, booleans, or two values with `positive`; ranking
        metrics take grades of zero or more
    score: what the model said; a list or {name: column} for several
    weight: how much a row counts; trials: how many rows an aggregated one stands for, of which
        `label` says how many were positive
    group: whose rows are ranked together, such as the user or the query; a list of columns for
        several; cluster: whose rows are not independent
    document: what a row is about, where ties are broken by it
    by: slices: "country", ["country", "device"] each alone, [("country", "device")] crossed
    where: SQL that a row must satisfy
    metrics: names such as "auc" or "precision(0.3)"; `steelyard list` shows all
    preset: "sklearn", "trec_eval", "lightgbm", "xgboost": another tool's conventions
    nan: "error" refuses missing values, "drop" leaves those rows out and counts them
    unscored: "not_retrieved" where a row without a score was judged, but is in no ranking
    table, sql: a database's table, or a query on `source`
    threads, memory: what DuckDB may use
    progress: called with the rows read so far, and about how many there are

    A role given as a string is a column if one has that exact name, else an SQL expression.

    >>> evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics=["auc", "ks"])["auc"]
    0.75
    """
    return state(**locals()).result()  # the same arguments, which a test holds equal


def state(
    source: Any = None,
    *,
    label: Any,
    score: Any,
    weight: Any = None,
    trials: Any = None,
    group: Any = None,
    cluster: Any = None,
    document: Any = None,
    by: Any = None,
    where: str | None = None,
    metrics: str | Iterable[str] | None = None,
    preset: str | None = None,
    positive: Label = None,
    nan: str = "error",
    unscored: str = "error",
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
) -> Tally:
    """What `evaluate` takes, as a tally: merge it with others, save it, ask for its result.

    >>> monday = state(label=[0, 1], score=[0.1, 0.4], metrics="auc")
    >>> tuesday = state(label=[0, 1], score=[0.35, 0.8], metrics="auc")
    >>> merge(monday, tuesday).result()["auc"]
    1.0
    """
    todo = plan.make(default_metrics(group) if metrics is None else metrics, preset)
    given = roles.Given(label, score, weight, trials, group, cluster, document, by)
    if source is None and sql is None:
        source, given = roles.from_arrays(given)
    asked = roles.named(given, todo.wants)
    for bound in todo.metrics:
        plan.check(
            bound,
            group=bool(asked.group),
            document=asked.document is not None,
            trials=asked.trials is not None,
            unscored=unscored == "not_retrieved",
        )
    reader = Reader(
        asked, positive=positive, nan=nan, unscored=unscored, score_type=todo.preset.score_type
    )
    opened = open_source(source, table=table, sql=sql, threads=threads, memory=memory)
    try:
        carried = [*asked.group, asked.document, given.cluster]
        roles.check_carried(opened.columns, carried)
        blocks = opened.blocks(asked.wanted(), where)
        if progress is not None:
            blocks = _told(blocks, opened.rows, progress)
        tally = Tally(
            todo,
            Conventions(
                nan=nan,
                unscored=unscored,
                preset=preset,
                roles=roles.written(given, source=opened.name, where=where),
                scores=dict(asked.scores),
                by=asked.by,
                group=asked.group,
                metrics={bound.name: dict(bound.params) for bound in todo.metrics},
            ),
        )
        fold(reader.batches(blocks), [states.values() for states in tally.states.values()])
    finally:
        if opened is not source:
            opened.close()
    # Known once the column was seen: "1" is the number in a column of numbers.
    tally.conventions = replace(tally.conventions, positive=reader.labels.positive)
    return tally


def default_metrics(group: Any = None) -> tuple[str, ...]:
    """What a table shows where nobody asks for anything."""
    return DEFAULT_METRICS if group is None else (*DEFAULT_METRICS, *OF_GROUPS)


def merge(*tallies: Tally) -> Tally:
    """One tally of all rows, whatever the order."""
    if not tallies:
        raise errors.NOTHING_TO_MERGE()
    for tally in tallies:
        if not isinstance(tally, Tally):
            raise errors.NOT_A_TALLY(type=type(tally).__name__)
    return reduce(lambda left, right: left.merge(right), tallies)


def load(path: str | os.PathLike[str]) -> Tally:
    """The tally of a `.sy` file, which `Tally.save` wrote."""
    return Tally.load(path)


def _told(blocks: Iterable[Block], total: int | None, progress: Progress) -> Iterator[Block]:
    """The blocks, and word of how far they have come."""
    for block in blocks:
        yield block
        progress(block.start + block.rows, total)


def plain_function(name: str) -> Callable[..., Any]:
    """The function of a metric's name: `(y_true, y_score, *, sample_weight=None, …)`."""
    metric = catalogue.find(name)
    known = _keywords(metric)

    def function(y_true: Any, y_score: Any, **given: Any) -> Any:
        _refuse_unknown(name, known, given)
        params, roles_ = _apart(metric, given)
        bound = catalogue.bind(metric, params)
        plan.check(bound, document=roles_.get("document") is not None)
        need = plan.need(bound)
        state = need.empty()
        read = read_arrays(y_true, y_score, wants=plan.wants(bound), **roles_)
        fold([[read]], [[state]])
        del read  # the state has what it needs of it
        return _plain(plan.values([bound], {need: state})[0], bound)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "steelyard"
    function.__doc__ = brief(page_of(metric))
    # inspect looks here first; the type of functions does not know it.
    function.__signature__ = signature(metric)  # type: ignore[attr-defined]
    return function


def _apart(metric: Metric, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A metric's parameters, and what is read; a weight of groups may be an array."""
    own = {each.name for each in metric.parameters} & given.keys()
    params = {name: given[name] for name in own}
    read = {name: value for name, value in given.items() if name not in own}
    weight = params.get("group_weight")
    if weight is not None and not isinstance(weight, str):
        params["group_weight"] = "group_weight"
        read["group_weight"] = weight
    return params, read


def signature(metric: Metric) -> inspect.Signature:
    """What the plain function takes; the type stubs are written from it too."""
    parameter, keyword = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            parameter("y_true", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            parameter("y_score", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                parameter(name, keyword, default=parameter.empty if value is REQUIRED else value)
                for name, value in _keywords(metric).items()
            ),
        ]
    )


def _keywords(metric: Metric) -> dict[str, Any]:
    """The keywords of the plain function, in order, and their defaults."""
    before, after = metric.roles_of_function
    return before | {each.name: each.default for each in metric.parameters} | after


def _refuse_unknown(name: str, known: dict[str, Any], given: dict[str, Any]) -> None:
    """What Python itself says of a wrong keyword."""
    for word in given:
        if word not in known:
            raise errors.unexpected_argument(name, word)
    for word, default in known.items():
        if default is REQUIRED and word not in given:
            raise errors.missing_argument(name, word)


def _plain(value: AnyValue, bound: Bound) -> Any:
    """What users of plain functions get: NaN and one warning where there is no value."""
    if isinstance(value, OverGroups | Detailed):
        value = value.value
    if not isinstance(value, Undefined):
        return value
    warnings.warn(errors.no_value(bound.name, value.why), stacklevel=3)
    nan, shape = float("nan"), bound.metric.shape
    if shape in (Roc, PrecisionRecall):
        return shape(np.array([nan]), np.array([nan]), np.array([nan]), nan)
    return nan

"""evaluate, state, merge, and the plain functions: parse → plan → fold → value."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from steelyard import errors, plan
from steelyard.engines.memory import fold
from steelyard.metrics.record import PREDICTION
from steelyard.model import Conventions, Label
from steelyard.reading import roles
from steelyard.reading.class_scores import named_classes
from steelyard.reading.reader import Reader
from steelyard.result import Result
from steelyard.sources.blocks import Block
from steelyard.sources.opening import open_source
from steelyard.tally import Tally

DEFAULT_METRICS = ("auc", "ap", "ks", "best_f1", "accuracy", "precision", "recall", "f1")
OF_GROUPS = ("gauc",)  # where it is said what makes a group
OF_CLASSES = ("accuracy", "balanced_accuracy", "precision", "recall", "f1", "auc")
Progress = Callable[[int, int | None], None]


def evaluate(
    source: Any = None,
    *,
    label: Any,
    score: Any = None,
    prediction: Any = None,
    classes: Any = None,
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
    downsampled: float | None = None,
    clip: float | None = None,
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
    prediction: what the model said where that is a class or a number, in place of a score
    classes: where `score` is a list of columns or a matrix, the class that each is the score of
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
    downsampled: the share of negatives that the model was trained on: metrics of calibration then
        read p / (p + (1 - p) / downsampled)
    clip: logarithms see probabilities cut to [clip, 1 - clip]
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
    score: Any = None,
    prediction: Any = None,
    classes: Any = None,
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
    downsampled: float | None = None,
    clip: float | None = None,
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
    given = roles.Given(label, score, prediction, weight, trials, group, cluster, document, by)
    if source is None and sql is None:
        source, given, classes = roles.from_arrays(given, classes)
    names = None if classes is None else named_classes(classes)
    how: dict[str, Any] = {"positive": positive, "unscored": unscored, "downsampled": downsampled}
    reads = roles.reads(given, classes=len(names or ()), how=how)
    if metrics is None:
        metrics = default_metrics(reads, group=group is not None, classes=names is not None)
        if not metrics:
            raise errors.METRICS_NEEDED()
    todo = plan.make(metrics, preset, reads)
    asked = roles.named(given, todo.wants, names)
    for bound in todo.metrics:
        plan.check(
            bound,
            group=bool(asked.group),
            document=asked.document is not None,
            trials=asked.trials is not None,
            unscored=unscored == "not_retrieved",
            classes=names is not None,
        )
    common: dict[str, Any] = {"nan": nan, "clip": clip, "clips": todo.preset.clips}
    reader = Reader(asked, **how, **common, score_type=todo.preset.score_type)
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
                reads=reads,
                classes=names or (),
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
    tally.conventions = replace(tally.conventions, **reader.settled)
    return tally


def default_metrics(reads: str, *, group: bool, classes: bool) -> tuple[str, ...]:
    """What a table shows where nobody asks for anything; a prediction alone may be anything."""
    if reads == PREDICTION:
        return OF_CLASSES if classes else ()
    return (*DEFAULT_METRICS, *OF_GROUPS) if group else DEFAULT_METRICS


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

"""Influence values held to what they are: the derivatives of a value by the weights of clusters."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import steelyard as sy
from steelyard.evaluation.evaluation import Evaluation
from steelyard.model import Array, Floats
from steelyard.stats.intervals import ONE_CLUSTER

STEP = 2.0**-8  # of a weight: derivatives of the third order matter by its square
Columns = dict[str, Array]
Columnwise = dict[tuple[str, Any], Floats]  # by metric and slice


class Case:
    """Rows with the columns `c` (cluster), `g` (slice) and `w` (weight), and how to evaluate them.

    Clusters are numbered from 0, in the order of their first rows.
    """

    def __init__(self, columns: Columns, specs: Sequence[str], **options: Any) -> None:
        self.columns, self.specs = columns, list(specs)
        self.options = {"cluster": "c", "weight": "w", "by": "g", **options}

    def evaluate(self, columns: Mapping[str, Array] | None = None, **more: Any) -> sy.Result:
        rows = self.columns if columns is None else columns
        options = {**self.options, **more}
        return sy.evaluate(dict(rows), metrics=self.specs, **options)

    @property
    def clusters(self) -> int:
        return int(self.columns["c"].max()) + 1

    def values(self, columns: Mapping[str, Array]) -> dict[tuple[str, Any], float | None]:
        return by_place(self.evaluate(columns, cluster=None), "value")

    def take(self, rows: Array) -> Columns:
        return {name: column[rows] for name, column in self.columns.items()}


def by_place(result: sy.Result, field: str) -> dict[tuple[str, Any], Any]:
    """A field of every row, by metric and slice."""
    return {(row.metric, row.slice.get("g")): getattr(row, field) for row in result.rows}


def influences(case: Case) -> Columnwise:
    """The influence of each cluster; 0 of clusters that have no rows in a slice."""
    pictures = case.evaluate()._pictures
    assert isinstance(pictures, Evaluation)
    found = {}
    for table in pictures.tables:
        for bound in pictures.plan.metrics:
            numbers = pictures.column(table, bound, pictures.sample(table))
            made = table.influences(bound, numbers.numbers)
            for place, key in enumerate(table.keys):
                column = np.zeros(case.clusters)
                start, end = made.lines.starts[table.table.slices[place] :][:2]
                column[made.lines.clusters[start:end]] = made.all[start:end]
                found[bound.name, key[0] if key else None] = column
    return found


def derivatives(case: Case) -> Columnwise:
    """The derivative by the weight of each cluster, as a central difference."""
    found: Columnwise = {}
    for cluster in range(case.clusters):
        sides = []
        for factor in (1.0 + STEP, 1.0 - STEP):
            weight = np.where(case.columns["c"] == cluster, factor, 1.0) * case.columns["w"]
            sides.append(case.values({**case.columns, "w": weight}))
        for place, up in sides[0].items():
            down, none = sides[1][place], np.full(case.clusters, np.nan)
            if up is not None and down is not None:
                found.setdefault(place, none)[cluster] = (up - down) / (2.0 * STEP)
    return found


def farthest(case: Case) -> float:
    """The largest difference of influences and derivatives, as a share of the largest influence."""
    mine, found, most = influences(case), derivatives(case), 0.0
    assert {metric for metric, slice_ in found if slice_ is None} == {m for m, _ in mine}
    for place, column in found.items():
        size = max(float(np.abs(column).max()), 1e-9)
        difference = float(np.abs(mine[place] - column).max()) / size
        assert difference < 1e-5, (place, difference)
        most = max(most, difference)
    return most


def jackknife(case: Case) -> dict[tuple[str, Any], float]:
    """The standard errors from leaving out one cluster at a time, of values of all rows."""
    left = [case.values(case.take(case.columns["c"] != c)) for c in range(case.clusters)]
    found = {}
    for place in left[0]:
        column = np.array([each[place] for each in left], np.float64)
        rest = column - column.mean()
        found[place] = float(np.sqrt((case.clusters - 1) / case.clusters * (rest @ rest)))
    return found


def errors(result: sy.Result) -> dict[tuple[str, Any], float | None]:
    """The standard error of every value; None where it has no interval."""
    found = by_place(result, "details")
    return {place: details.get("standard_error") for place, details in found.items()}


def intervals(result: sy.Result) -> dict[tuple[str, Any], tuple[Any, ...]]:
    """Value, interval and standard error of every value."""
    low, high, error = by_place(result, "low"), by_place(result, "high"), errors(result)
    values = by_place(result, "value")
    return {place: (values[place], low[place], high[place], error[place]) for place in values}


def check_order(case: Case, seed: int) -> None:
    """The same bits for shuffled rows, and for the rows of one slice alone."""
    expected = intervals(case.evaluate())
    rows = np.random.default_rng(seed).permutation(len(case.columns["c"]))
    assert intervals(case.evaluate(case.take(rows))) == expected
    for key in np.unique(case.columns["g"]).tolist():
        alone = case.evaluate(case.take(case.columns["g"] == key), by=None)
        for (metric, _), found in intervals(alone).items():
            assert found == expected[metric, key], (metric, key)


def check_one_cluster(case: Case) -> None:
    """No interval, and the reason, where all rows are of one cluster."""
    alone = case.take(np.full(len(case.columns["c"]), True))
    alone["c"] = np.zeros(len(alone["c"]), np.int64)
    for row in case.evaluate(alone).rows:
        assert (row.low, row.high) == (None, None)
        assert row.value is None or row.details["no_interval"] == ONE_CLUSTER, row

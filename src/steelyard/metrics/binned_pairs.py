"""Weights of rows in bins between the ends of what they have, as a fold in two passes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import add
from typing import Any

import numpy as np

from steelyard.metrics.division import weights_of
from steelyard.metrics.each_slice import objects
from steelyard.metrics.fold import PartColumns, Pass, SliceParts, Unfinished
from steelyard.metrics.histograms import binned_sums, equal_edges
from steelyard.metrics.pair_metrics import PairFold
from steelyard.metrics.record import metric_class
from steelyard.metrics.regression_metrics import some_rows
from steelyard.metrics.values import ValueColumn
from steelyard.model import Array, Floats, Shape, Undefined
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairRows, PairsView


@dataclass(frozen=True)
class Ends:
    """Of some rows: the ends of what is binned, and how many have a value beyond float64."""

    low: float
    high: float
    beyond: int = 0

    def __add__(self, other: "Ends") -> "Ends":
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Ends(low, high, self.beyond + other.beyond)


@dataclass(frozen=True, eq=False)
class Binned:
    """The weight of some rows in each cell, in multiples of 2**unit, the unit of all rows."""

    edges: Floats
    sums: Array
    unit: int

    def __add__(self, other: "Binned") -> "Binned":
        return replace(self, sums=self.sums + other.sums)

    @property
    def weights(self) -> Array:
        """int64, or float64 where a weight is not a whole number."""
        if self.unit == 0 and self.sums.dtype != object:
            return self.sums
        return weights_of(self.sums.tolist(), self.unit)


@metric_class
class BinnedPairs(PairFold):
    """The weights of rows in bins of equal width, from the lowest to the highest value of all.

    Of a range the first pass finds the ends of each slice, and the second adds the weights, given
    the edges. A whole table needs no second pass.

    ends: of the rows of a slice; beyond: what is wrong with rows beyond float64, "have …"
    numbers: the cell of each row, given the edges; dimensions: bins to this power are the cells
    value: a function of the edges and of the weight of each cell
    """

    ends: Callable[[PairRows], Ends]
    beyond: str = ""
    numbers: Callable[[PairRows, Floats], Array]
    dimensions: int = 1
    value: Callable[[Floats, Array], Shape]
    join: Callable[[Any, Any], Any] = add

    def make(self, range_: PairsView, params: dict[str, Any], pending: Pass) -> SliceParts:
        bins, slices, found = params["bins"], range_.present, list[Ends | Binned]()
        known: dict[int, Floats] = {}
        if pending.part:
            known = dict(zip(pending.slices.tolist(), pending.part["edges"], strict=True))
            slices = np.array([number for number in slices.tolist() if number in known], np.int64)
        for number, rows in zip(slices.tolist(), range_.rows(slices), strict=True):
            edges = known.get(number)
            if edges is None:
                ends = self.ends(rows)
                if ends.beyond or range_.context is not None:
                    found.append(ends)
                    continue
                edges = equal_edges(ends.low, ends.high, bins)
            numbers, cells = self.numbers(rows, edges), bins**self.dimensions
            found.append(Binned(edges, binned_sums(numbers, cells, rows.digits), rows.unit))
        return SliceParts(slices, objects(found))

    def values(
        self, columns: PartColumns, params: dict[str, Any], pending: Pass
    ) -> ValueColumn | Unfinished:
        found: list[Any] = []
        places, edges = [], []
        for place, part in enumerate(columns):
            if isinstance(part, Binned):
                found.append(self.value(part.edges, part.weights))
                continue
            found.append(Undefined(some_rows(part.beyond, self.beyond)))
            if not part.beyond:
                places.append(place)
                edges.append(equal_edges(part.low, part.high, params["bins"]))
        if not places:
            return found
        whys = {place: why.why for place, why in enumerate(found)}
        waiting = np.array(places)
        again = Pass(pending.slices[waiting], {"edges": objects(edges)})
        return Unfinished(MetricColumn(np.full(len(found), np.nan), whys), waiting, again)

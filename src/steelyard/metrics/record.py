"""What a metric is: a record with names, parameters and a pure function of a state.

A metric's file makes one record and calls it METRIC. Nothing lists the metrics: `catalogue` finds
them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.about import About
from steelyard.metrics.parameter import REQUIRED, THRESHOLD, Parameter
from steelyard.metrics.value import lacking
from steelyard.model import TWO_CLASSES, AnyValue, Array, Shape, Wants
from steelyard.states import ScoreTable, State, Sums
from steelyard.views.curve import CurveView
from steelyard.views.scores import ScoreView
from steelyard.views.sums import SumLine

CUT = "k"
SCORE, PREDICTION = ROLES = ("score", "prediction")


class Need(NamedTuple):
    """A state that a metric reads; needs of one kind and key are met by one state."""

    kind: type[State]
    config: tuple[tuple[str, Any], ...] = ()

    def empty(self, tables: int = 1) -> State:
        return self.kind(**dict(self.config), tables=tables)

    @property
    def place(self) -> "Need":
        """What tells the state from others: sums of one key are one state, whatever the terms."""
        rest = tuple(item for item in self.config if item[0] != "terms")
        return Need(self.kind, rest)

    def __or__(self, other: "Need") -> "Need":
        """The state that meets both, which have one place."""
        mine, theirs = dict(self.config), dict(other.config)
        if "terms" in mine:
            mine["terms"] = tuple(sorted({*mine["terms"], *theirs["terms"]}))
        return Need(self.kind, tuple(mine.items()))


def sums_of(*terms: str, key: str | None = None) -> Need:
    """Sums of some row terms, by slice and perhaps by a further key."""
    return Need(Sums, (("key", key), ("terms", tuple(sorted(terms)))))


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """The record: `doc` is the file's own docstring; it and `about` are shown wherever help is."""

    name: str
    doc: str | None
    about: About
    aliases: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    shared: tuple[Parameter, ...] = ()  # parameters that all metrics of its kind have
    usual: tuple[str, ...] = ()  # parameters that may be left out, and seldom are
    reads: str = SCORE  # the role that rows have
    # What its function calls the score or the prediction: the first by place, others by name.
    words: tuple[str, ...] = ("y_score",)
    shape: type[Shape] | None = None  # None: one number

    @abstractmethod
    def need(self, params: dict[str, Any]) -> Need:
        """The state it reads."""

    @abstractmethod
    def compute(self, view: Any, params: dict[str, Any]) -> AnyValue:
        """Its value, from what one slice of a finished state shows."""

    def folds(self, params: dict[str, Any]) -> bool:
        """Whether it is a fold over ranges, or else computed slice by slice."""
        return False

    def wants(self, params: dict[str, Any]) -> Wants:
        """What it reads of rows beside score and weight: the label, as one of two classes."""
        return TWO_CLASSES

    @property
    def roles_of_function(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its function takes before its own parameters and after them, with the defaults."""
        if self.reads == PREDICTION:
            return {"sample_weight": None}, {"nan": "error"}
        return {"sample_weight": None}, {"positive": None, "nan": "error"}

    @property
    def cut(self) -> Parameter | None:
        """The parameter that `@k` gives, where it cuts a ranked list."""
        return next((each for each in self.parameters if each.name == CUT), None)

    @property
    def function(self) -> str:
        """The name of its function, which is unlike all others: what must be cut is at k."""
        needed = self.cut is not None and self.cut.default is REQUIRED
        return f"{self.name}_at_{CUT}" if needed else self.name

    @property
    def names(self) -> tuple[str, ...]:
        return (self.function, *self.aliases)


Wanted = Sequence[tuple[Metric, dict[str, Any]]]


class Counts(NamedTuple):
    """The confusion cells as whole multiples of 2**power."""

    tp: int
    fp: int
    fn: int
    tn: int
    power: int

    @property
    def positives(self) -> int:
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        return self.fp + self.tn

    @property
    def all(self) -> int:
        return self.positives + self.negatives


@dataclass(frozen=True, kw_only=True)
class CountMetric(Metric):
    """A metric of the confusion cells at a threshold."""

    value: Callable[..., AnyValue]
    parameters: tuple[Parameter, ...] = (THRESHOLD,)

    def need(self, params: dict[str, Any]) -> Need:
        return sums_of("weight", "weighted_positives", *_at(params))

    def compute(self, view: SumLine, params: dict[str, Any]) -> AnyValue:
        positives, weight = view["weighted_positives"], view["weight"]
        called, hits = (view[term] for term in _at(params))
        cells = Counts(
            hits, called - hits, positives - hits, weight - positives - called + hits, view.power
        )
        rest = {name: value for name, value in params.items() if name != "threshold"}
        return self.value(cells, **rest)


def _at(params: dict[str, Any]) -> tuple[str, str]:
    """The terms at a threshold: the rows called positive, and those of them that are."""
    if "threshold" not in params:  # a metric that looks at the classes alone
        return "weighted_positives", "weighted_positives"
    threshold = repr(float(params["threshold"]) + 0.0)  # -0.0 is 0.0
    return f"called {threshold}", f"hit {threshold}"


@dataclass(frozen=True)
class Again:
    """One more pass over a slice, which its value asks for.

    part: further arguments of the metric's part; value: those of its value
    """

    part: Mapping[str, Any] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)


FIRST = Again()
Asked = Mapping[int, Again]  # the slices that want a pass, and how


@dataclass(frozen=True, kw_only=True)
class RangeMetric(Metric):
    """A fold over the ranges of a view: parts of ranges are joined, and a value made of them.

    join: the parts of two ranges of one slice, the lower first where they have an order
    """

    join: Callable[[Any, Any], Any]

    def folds(self, params: dict[str, Any]) -> bool:
        return True

    @staticmethod
    @abstractmethod
    def ranges(view: Any) -> Iterator[Any]:
        """The ranges that it reads; metrics that read the same share a pass."""

    @abstractmethod
    def parts(
        self, range_: Any, params: dict[str, Any], asked: Asked
    ) -> tuple[list[int], Sequence[Any] | Array]:
        """The numbers of slices in a range, and the part of each."""

    @abstractmethod
    def finish(self, view: Any, number: int, part: Any, params: dict[str, Any]) -> AnyValue | Again:
        """The value of a slice, all of whose parts were joined; None where it had none."""

    def compute(self, view: Any, params: dict[str, Any]) -> AnyValue:
        raise TypeError(f"{self.name} is a fold over ranges")


class Fold:
    """One metric on its way over the ranges of a view.

    asked: the slices that want a pass; found: the values of the others
    """

    def __init__(self, metric: Metric, params: dict[str, Any], view: Any) -> None:
        assert isinstance(metric, RangeMetric)
        self._metric, self._params, self._view = metric, params, view
        self._parts: dict[int, Any] = {}
        self.asked: dict[int, Again] = dict.fromkeys(view.slices.tolist(), FIRST)
        self.found: dict[int, AnyValue] = {}

    def take(self, range_: Any) -> None:
        """The parts of a range, joined to those before."""
        numbers, parts = self._metric.parts(range_, self._params, self.asked)
        listed = parts.tolist() if isinstance(parts, np.ndarray) else parts
        known, join = self._parts, self._metric.join
        if known.keys().isdisjoint(numbers):
            known.update(zip(numbers, listed, strict=True))
            return
        for number, part in zip(numbers, listed, strict=True):
            known[number] = join(known[number], part) if number in known else part

    def finish(self) -> None:
        """The values of the slices asked for, or what they ask for next."""
        asked, self.asked = self.asked, {}
        parts, self._parts = self._parts, {}
        for number, again in asked.items():
            params = {**self._params, **again.value} if again.value else self._params
            value = self._metric.finish(self._view, number, parts.get(number), params)
            if isinstance(value, Again):
                self.asked[number] = value
            else:
                self.found[number] = value


@dataclass(frozen=True, kw_only=True)
class CurveMetric(RangeMetric):
    """A fold over ranges of the score table, by slice and rising score.

    part: of a range, something for each of its slices, with the range's totals known
    join: the parts of two neighbouring ranges of one slice, the lower first; a sum unless said
    value: of all a slice's ranges together, and its totals
    """

    part: Callable[..., Sequence[Any] | Array]
    value: Callable[..., AnyValue]
    join: Callable[[Any, Any], Any] = add
    needs: tuple[str, ...] = ("positives", "negatives")

    def need(self, params: dict[str, Any]) -> Need:
        return Need(ScoreTable)

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[CurveView]:
        return view.curves()

    def parts(
        self, range_: CurveView, params: dict[str, Any], asked: Asked
    ) -> tuple[list[int], Sequence[Any] | Array]:
        return range_.slices.tolist(), self.part(range_, **params)

    def finish(self, view: ScoreView, number: int, part: Any, params: dict[str, Any]) -> AnyValue:
        totals = view.slice_totals(number)
        why = lacking(totals.positives, totals.negatives, self.needs)
        return why or self.value(part, totals, **params)

"""What a metric is: a record with names, parameters and a pure function of a state.

A metric's file makes one record and calls it METRIC. Nothing lists the metrics: `catalogue` finds
them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from steelyard.metrics.about import About
from steelyard.metrics.parameter import REQUIRED, THRESHOLD, Parameter
from steelyard.metrics.value import lacking
from steelyard.model import TWO_CLASSES, AnyValue, Shape, Wants
from steelyard.states import Cells, Chunk, ScoreTable, State, Totals

CUT = "k"
SCORE, PREDICTION = ROLES = ("score", "prediction")


class Need(NamedTuple):
    """A state that a metric reads; equal needs share one state."""

    kind: type[State]
    config: tuple[tuple[str, Any], ...] = ()

    def empty(self) -> State:
        return self.kind(**dict(self.config))


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
    def compute(self, state: Any, params: dict[str, Any]) -> AnyValue:
        """Its value, from a finished state."""

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


class Counts(NamedTuple):
    """The confusion cells as whole numbers: each is a cell's weight times `scale`."""

    tp: int
    fp: int
    fn: int
    tn: int
    scale: int

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
        threshold = params.get("threshold", THRESHOLD.default)
        return Need(Cells, (("threshold", threshold),))

    def compute(self, state: Cells, params: dict[str, Any]) -> AnyValue:
        scale = max(amount.denominator for amount in state.sums.values())  # a power of two
        tp, fp, fn, tn = (int(state[name] * scale) for name in Cells.names)
        rest = {name: value for name, value in params.items() if name != "threshold"}
        return self.value(Counts(tp, fp, fn, tn, scale), **rest)


@dataclass(frozen=True, kw_only=True)
class CurveMetric(Metric):
    """A fold over the score table's chunks, high to low.

    `part` sees one chunk (which knows the totals and what lies above it); `value` sees the parts in
    that order and the totals. In memory chunks are few, elsewhere many: the value is the same.
    """

    part: Callable[..., Any]
    value: Callable[..., AnyValue]
    needs: tuple[str, ...] = ("positives", "negatives")

    def need(self, params: dict[str, Any]) -> Need:
        return Need(ScoreTable)

    def compute(self, state: ScoreTable, params: dict[str, Any]) -> AnyValue:
        totals = state.totals()
        return compute_together([(self, params)], totals, state.chunks(totals))[0]


def compute_together(
    wanted: Sequence[tuple[CurveMetric, dict[str, Any]]], totals: Totals, chunks: Iterable[Chunk]
) -> list[AnyValue]:
    """Several curve metrics in one pass over the chunks, which share their columns."""
    absent = [lacking(totals.positives, totals.negatives, metric.needs) for metric, _ in wanted]
    parts: list[list[Any]] = [[] for _ in wanted]
    if not all(absent):
        for chunk in chunks:
            for (metric, params), mine, why in zip(wanted, parts, absent, strict=True):
                if why is None:
                    mine.append(metric.part(chunk, **params))
    return [
        why or metric.value(mine, totals, **params)
        for (metric, params), mine, why in zip(wanted, parts, absent, strict=True)
    ]

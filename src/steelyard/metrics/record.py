"""The record that every metric is: names, parameters, help, and how its value is computed.

A metric never reads rows. It names the state it needs (`state_spec`); rows are added to that state,
and the metric computes its value from a view of the finished state. It is one of two kinds:

- computed from sums over rows: `compute` gives the value of one slice, or `values_in` those of
  all slices at once;
- a fold over ranges, see `fold`: for metrics that need the rows in the order of their scores or
  groups.

A metric's file makes one record and calls it METRIC; `catalogue` finds it there, and adds the names
of the file and its folder, and the docstring. The records of a family of metrics are in
`count_metrics`, `curve_metrics`, `group_metrics`, `class_metrics`, and so on.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeVar, dataclass_transform

from steelyard.metrics.about import About
from steelyard.metrics.influence import BY_INFLUENCE, PLAIN, Influences, Interval, SliceValues
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.values import ValueColumn
from steelyard.model import TWO_CLASSES, AnyValue, Floats, RequiredColumns, Shape
from steelyard.presets import Preset
from steelyard.states import KeyedState, Sums
from steelyard.states.sums.keys import CLUSTER
from steelyard.states.sums.terms import DROPPED
from steelyard.views.clusters import LineSums
from steelyard.views.context import LineSteps, line_sums_of_all

MetricType = TypeVar("MetricType")

CUT = "k"
SCORE, PREDICTION = ROLES = ("score", "prediction")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def metric_class(cls: type[MetricType]) -> type[MetricType]:
    """Decorator of the classes of metrics: frozen dataclasses with fields given by name.

    They compare by identity: methods to compare and print fields, which nothing uses, would add
    13 ms to the first use.
    """
    return dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


class StateSpec(NamedTuple):
    """A state that a metric reads: its type and its configuration."""

    kind: type[KeyedState]
    config: tuple[tuple[str, Any], ...] = ()

    def empty(self, tables: int = 1, clustered: bool = False) -> KeyedState:
        return self.kind(**dict(self.config), tables=tables, clustered=clustered)

    @property
    def identity(self) -> "StateSpec":
        """The spec without its terms: metrics of one identity share one state."""
        rest = tuple(item for item in self.config if item[0] != "terms")
        return StateSpec(self.kind, rest)

    def serving(self, others: Iterable["StateSpec"]) -> "StateSpec":
        """The state that serves others too, which have the same identity."""
        config = dict(self.config)
        if "terms" in config:
            more = (dict(other.config)["terms"] for other in others)
            config["terms"] = tuple(sorted({*config["terms"], *chain.from_iterable(more)}))
        return StateSpec(self.kind, tuple(config.items()))


def sums_of(*terms: str, key: str | None = None) -> StateSpec:
    """Sums of row terms for each slice, or for each slice and each value of a further key."""
    return StateSpec(Sums, (("key", key), ("terms", tuple(sorted(terms)))))


@metric_class
class Metric(About, ABC):
    """A metric, with the text of its page.

    name: as it is printed, such as `precision` of `precision@10`: the name of its file
    family: the folder of its file; doc: the docstring of its file, shown in help
    aliases: its other names
    parameters: all of them; shared: those that every metric of its family has
    shown_in_usage: optional parameters that its usage line shows, because few calls omit them
    reads: the role of the column that is compared with the label: a score or a prediction
    argument_names: names of that column in the plain function; the first one is positional too
    averages_labels: whether its plain function takes `average` for a matrix of labels
    shape: the type of a value that is more than one number; None: one number
    table_defaults: defaults of parameters that are others in a table than in the plain function
    picture: the parameters with which pictures draw its shape; None: no picture draws it
    interval: how it gets an interval; scale: on which scale of `influence.SCALES`
    """

    name: str = ""
    family: str = ""
    doc: str | None = None
    aliases: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    shared: tuple[Parameter, ...] = ()
    shown_in_usage: tuple[str, ...] = ()
    reads: str = SCORE
    argument_names: tuple[str, ...] = ("y_score",)
    averages_labels: bool = False
    shape: type[Shape] | None = None
    table_defaults: Mapping[str, Any] = field(default_factory=dict)
    picture: Mapping[str, Any] | None = None
    interval: Interval = BY_INFLUENCE
    scale: str = PLAIN

    @abstractmethod
    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        """The state it reads."""

    def cluster_spec(self, params: dict[str, Any]) -> StateSpec:
        """The state that its influence values are read from, if it has any."""
        spec = self.state_spec(params)
        if spec.kind is not Sums:
            return spec
        config = dict(spec.config)
        key = CLUSTER if config["key"] is None else f"{CLUSTER} {config['key']}"
        return sums_of(*(term for term in config["terms"] if term != DROPPED), key=key)

    def influences(self, view: Any, params: dict[str, Any], values: SliceValues) -> Influences:
        """The influence of each cluster in each slice, given the metric's values."""
        sums = line_sums_of_all(self.line_sums(view, params, values))
        return self.influences_of(sums, params, values)

    def line_sums(
        self, view: Any, params: dict[str, Any], values: SliceValues
    ) -> LineSums | LineSteps:
        """Exact sums by slice and cluster of a view of some rows, for `influences_of`."""
        raise TypeError(f"{self.name} has no influence values by parts")

    def influences_of(
        self, sums: LineSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        """The same influences, from the sums of all rows."""
        raise TypeError(f"{self.name} has no influence values by parts")

    def details_spec(self, params: dict[str, Any]) -> StateSpec | None:
        """The state that details by cluster are read from; None where it has none."""
        return None

    def detail_sums(self, view: Any, params: dict[str, Any]) -> LineSums:
        """Exact sums by slice and cluster of a view of some rows, for `details_of`."""
        raise TypeError(f"{self.name} has no details by cluster")

    def details_of(self, sums: LineSums, params: dict[str, Any]) -> Mapping[str, Floats]:
        """Details by slice number that hold for rows of clusters; NaN where there are none."""
        raise TypeError(f"{self.name} has no details by cluster")

    def compute(self, view: Any, params: dict[str, Any]) -> AnyValue:
        """Its value in one slice, from a view of that slice."""
        raise TypeError(f"{self.name} is computed in all slices at once")

    def values_in(self, view: Any, params: dict[str, Any]) -> ValueColumn | None:
        """Its values in all slices at once, where it has columns; None: `compute` gives each."""
        return None

    def completed(self, params: dict[str, Any], preset: Preset | None) -> dict[str, Any]:
        """The parameters to use, for those given or at their defaults; it may refuse them."""
        return params

    def folds(self, params: dict[str, Any]) -> bool:
        """Whether it is a fold over ranges; if not, it is computed slice by slice."""
        return False

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        """The columns it reads, apart from score and weight."""
        return TWO_CLASSES

    def takes_classes(self, params: dict[str, Any]) -> bool:
        """Whether it can be computed over some of the predicted classes."""
        return False

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Keywords of its plain function that are about the rows, with their defaults.

        The first are before its own parameters, the second after them.
        """
        if self.reads == PREDICTION:
            return {"sample_weight": None}, {"nan": "error"}
        average = {"average": "macro"} if self.averages_labels else {}
        return {"sample_weight": None}, {**average, "positive": None, "nan": "error"}

    @property
    def cut(self) -> Parameter | None:
        """The parameter written as `@k`, of a metric that cuts ranked lists."""
        return next((each for each in self.parameters if each.name == CUT), None)

    @property
    def function(self) -> str:
        """The name of its plain function: `precision_at_k` where `@k` is required."""
        required = self.cut is not None and self.cut.default is REQUIRED
        return f"{self.name}_at_{CUT}" if required else self.name

    @property
    def names(self) -> tuple[str, ...]:
        return (self.function, *self.aliases)

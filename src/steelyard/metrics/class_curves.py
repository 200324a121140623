"""Curves of many classes: that of each class against all others, by the class's own score."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from steelyard.metrics.catalogue import BoundMetric, by_any_name
from steelyard.metrics.class_metrics import ClassScoreMetric
from steelyard.metrics.curves.roc import IN_A_TABLE, POINTS
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.fold import Ranges, fold
from steelyard.metrics.parameter import Parameter
from steelyard.metrics.record import SCORE, StateSpec, metric_class
from steelyard.model import AnyValue, Undefined, missing_shape
from steelyard.states import ClassScoreTable
from steelyard.views.class_scores import SliceAreas


@metric_class
class ClassCurveMetric(ClassScoreMetric):
    """A curve for each class.

    make: the type of the mapping from classes to curves; the metric of scores with the same name
        makes the curve of a class
    """

    make: Callable[[Mapping[Any, Any]], AnyValue]
    reading: str = (
        "A curve for each class, as for two classes: which classes the scores separate well, and "
        "which they do not."
    )
    range: str = "points in the unit square, for each class"
    better: str = "higher"
    pitfalls: tuple[str, ...] = (
        "Each curve reads only the score of its class, so none says which class wins a row.",
        "A rare class has few positives, and a curve of few steps.",
    )
    reference: str = "Fawcett (2006), Pattern Recognition Letters 27(8):861."
    seed: str = "003"
    parameters: tuple[Parameter, ...] = (POINTS,)
    table_defaults: Mapping[str, Any] = field(default_factory=lambda: IN_A_TABLE)
    picture: Mapping[str, Any] | None = field(default_factory=lambda: IN_A_TABLE)

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ClassScoreTable)

    def compute(self, view: SliceAreas, params: dict[str, Any]) -> AnyValue:
        if not view.classes:
            return Undefined(NO_ROWS)
        bound = BoundMetric(by_any_name(SCORE)[self.name], params)

        def folded(ranges: Ranges) -> list[AnyValue]:
            return list(fold(ranges, [bound])[bound.name])

        # The curves of all slices are made together.
        of_classes = view.view.curves_of_classes((self.name, *params.items()), folded)
        found = [column[view.number] for column in of_classes]
        missing = missing_shape(bound.metric.shape)
        return self.make(
            {
                label: missing if isinstance(value, Undefined) else value
                for label, value in zip(view.classes, found, strict=True)
            }
        )

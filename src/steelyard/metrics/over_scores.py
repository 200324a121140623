"""Metrics that read one score for each class."""

from dataclasses import dataclass
from typing import Any

from steelyard.metrics.over_classes import ROLES_OF_CLASSES
from steelyard.metrics.record import PREDICTION, Metric
from steelyard.model import Wants


@dataclass(frozen=True, kw_only=True)
class OfScores(Metric):
    """A metric of rows that have a true class and a score for each class."""

    reads: str = PREDICTION

    @property
    def roles_of_function(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return ROLES_OF_CLASSES

    def wants(self, params: dict[str, Any]) -> Wants:
        return Wants(binary=False, class_scores=True)

"""What the lines of a diagnosis read: changes of metrics, in all rows or those of the causes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steelyard.cached import cached_property
from steelyard.diagnosis.causes.decide import BROAD, SLICES, Findings
from steelyard.diagnosis.causes.since import Since, since, time_dimension
from steelyard.diagnosis.models.effects import Estimate, Model
from steelyard.diagnosis.page import words
from steelyard.model import Mask
from steelyard.phrases import printable
from steelyard.stats.differences import difference


@dataclass(frozen=True)
class Answer:
    """A question, the sentences that answer it, and the numbers behind them.

    Sentences have names of columns, which may hold what a terminal would obey.
    """

    question: str
    answers: tuple[str, ...]
    evidence: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", tuple(map(printable, self.answers)))


@dataclass
class Facts:
    """What several lines read.

    score, control: the names of the scores; cluster: the name of the cluster's column
    """

    findings: Findings
    score: str
    control: str | None
    cluster: str | None

    def __post_init__(self) -> None:
        self._models: dict[str, Model] = {self.findings.metric: self.findings.model}
        self.since: Since | None = self._since()

    @property
    def accused_rows(self) -> tuple[Mask, Mask]:
        """The rows of the causes; all rows where there are none."""
        two, causes = self.findings.two, [each.slice for each in self.findings.causes]
        if not causes:
            return self.all_rows
        first, second = (np.any([each.mask(log) for each in causes], axis=0) for log in two.logs)
        return first, second

    @property
    def all_rows(self) -> tuple[Mask, Mask]:
        first, second = (np.ones(len(log), bool) for log in self.findings.two.logs)
        return first, second

    def _since(self) -> Since | None:
        place = time_dimension(self.findings.two)
        if place is None or self.findings.kind not in (SLICES, BROAD):
            return None
        rows = self.accused_rows
        if any(d == place for each in self.findings.causes for d, _ in each.slice.values):
            rows = self.all_rows  # the causes are times themselves
        return since(self.findings.two, self.findings.model, rows, place)

    @property
    def moved(self) -> "Moved":
        """The change that is diagnosed."""
        findings = self.findings
        return Moved(findings.metric, *findings.values, findings.whole, findings)

    def change(self, metric: str, rows: tuple[Mask, Mask] | None = None) -> "Moved":
        """The change of a metric in some rows."""
        if metric not in self._models:
            self._models[metric] = Model(self.findings.two, metric)
        model = self._models[metric]
        model = model if rows is None else model.take(rows)
        before, after = model.values
        return Moved(metric, before, after, model.estimate, self.findings)

    @property
    def control_moved(self) -> "Moved":
        """The change of the diagnosed metric of the other score."""
        model, findings = self._control_model, self.findings
        return Moved(findings.metric, *model.values, model.estimate, findings)

    @property
    def control_gap(self) -> Estimate:
        """How much more the diagnosed metric of the score changed than that of the other."""
        return Estimate.of(difference(self._control_model.change, self.findings.model.change))

    @cached_property
    def _control_model(self) -> Model:
        two = self.findings.two
        logs = [log.by_control(two.reading) for log in two.logs]
        return Model(two.of(logs), self.findings.metric)

    @property
    def graded(self) -> bool:
        """Whether labels are grades: then there are no clicks."""
        return any(log.grade is not None for log in self.findings.two.logs)

    @property
    def has_groups(self) -> bool:
        """Whether GAUC has a value and an interval in both logs."""
        two = self.findings.two
        if self.findings.metric == "ndcg" or not two.group_count or two.clusters_vary():
            return False
        return all(value == value for value in self.change("gauc").ends)

    @property
    def has_probabilities(self) -> bool:
        return not self.graded and all(
            log.probability is not None for log in self.findings.two.logs
        )


@dataclass(frozen=True)
class Moved:
    """A metric before and after."""

    metric: str
    before: float
    after: float
    change: Estimate
    findings: Findings

    @property
    def ends(self) -> tuple[float, float]:
        return self.before, self.after

    def text(self) -> str:
        """`AUC 0.7123 → 0.6810, −0.0313 [−0.0352, −0.0274]`"""
        own = self.metric == self.findings.metric
        name = words.name(self.findings.spec) if own else words.NAMES[self.metric]
        return f"{name} {self.ends_text()}, {self.difference()}"

    def difference(self) -> str:
        return words.change_of(self.findings, self.change, self.metric)

    def ends_text(self) -> str:
        return f"{words.value(self.metric, self.before)} → {words.value(self.metric, self.after)}"

    def evidence(self) -> dict[str, Any]:
        found: dict[str, Any] = {"before": self.before, "after": self.after}
        found["change"] = self.change.value
        if self.findings.tested and self.change.has_interval:
            half = self.change.half(self.findings.confidence)
            found |= {"low": self.change.value - half, "high": self.change.value + half}
        return found

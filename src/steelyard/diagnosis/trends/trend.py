"""A metric in several logs, in time order: its values, and the log from which on they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from steelyard.diagnosis.trends.log_cuts import LogCut, Noise, best_cut, noise, noise_of_cut
from steelyard.stats.corrections import holm


@dataclass(frozen=True)
class TrendLog:
    """One log of a trend.

    source: its path, if it is a file, a folder or a pattern; is_saved: whether it was saved
    value: None where the metric has none, for the reason `why`
    low, high, error: the interval of the value and its standard error, if rows have clusters
    freedom: the degrees of freedom of the standard error
    """

    name: str
    rows: int
    value: float | None
    low: float | None = None
    high: float | None = None
    error: float | None = None
    freedom: float | None = None
    why: str | None = None
    source: str | None = None
    is_saved: bool = False


@dataclass(frozen=True)
class LogStep:
    """The change from one log to the next.

    error, p: its standard error and the p of no change but sampling noise, adjusted for the
        number of steps (Holm); None where a log has no standard error
    """

    before: TrendLog
    after: TrendLog
    change: float
    error: float | None
    p: float | None


@dataclass(frozen=True)
class Trend:
    """A metric in several logs, in time order.

    steps: the changes from log to log, of the logs that have a value
    cut: where logs before and after differ most; None where fewer than six logs have a value
    noise: the sampling noise of that difference; None where a log has no standard error
    verdict: a sentence with its numbers, without a full stop
    """

    metric: str
    confidence: float
    logs: tuple[TrendLog, ...]
    steps: tuple[LogStep, ...]
    cut: LogCut | None
    noise: Noise | None
    verdict: str = ""

    @property
    def known(self) -> list[TrendLog]:
        """The logs in which the metric has a value."""
        return [log for log in self.logs if log.value is not None]

    @property
    def is_unusual(self) -> bool:
        """Whether logs after the cut differ from those before by more than logs differ."""
        return self.cut is not None and self.cut.adjusted <= self._level

    @property
    def is_noise(self) -> bool:
        """Whether the difference at the cut is within sampling noise."""
        return self.noise is not None and self.noise.p > self._level

    @property
    def change_point(self) -> TrendLog | None:
        """The first log after a change that is unusual, and beyond sampling noise."""
        if self.cut is None or not self.is_unusual or self.is_noise:
            return None
        return self.known[self.cut.place]

    @property
    def largest_step(self) -> LogStep | None:
        """The step that is furthest beyond sampling noise, if one is."""
        beyond = [s for s in self.steps if s.p is not None and s.p <= self._level]
        return min(beyond, key=_furthest, default=None)

    @property
    def _level(self) -> float:
        return 1 - self.confidence

    def pair(self) -> tuple[TrendLog, TrendLog]:
        """The two logs to compare: at the change point, or the last two.

        Where a straight line fits better than a step, the first and the last. Of fewer than six
        logs, those of the step that is furthest beyond sampling noise.
        """
        known = self.known
        if self.cut is not None and self.change_point is not None:
            place = self.cut.place
            return (known[0], known[-1]) if self.cut.is_line else (known[place - 1], known[place])
        step = self.largest_step if self.cut is None else None
        return (known[-2], known[-1]) if step is None else (step.before, step.after)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        point, cut = self.change_point, self.cut
        found = None if cut is None else cut._asdict() | {"log": self.known[cut.place].name}
        if found is not None and self.noise is not None:
            found |= {"noise_error": self.noise.error, "noise_p": self.noise.p}
        return {
            "metric": self.metric,
            "verdict": self.verdict,
            "change_point": None if point is None else point.name,
            "logs": [vars(log) for log in self.logs],
            "cut": found,
            "steps": [
                vars(step) | {"before": step.before.name, "after": step.after.name}
                for step in self.steps
            ],
        }


def tested(metric: str, logs: Sequence[TrendLog], confidence: float) -> Trend:
    """The trend of logs in time order, without its verdict."""
    known = [log for log in logs if log.value is not None]
    values = [log.value for log in known if log.value is not None]
    cut = best_cut(values)
    found = None if cut is None else noise_of_cut(cut, _errors(known))
    return Trend(metric, confidence, tuple(logs), tuple(_steps(known)), cut, found)


def _steps(known: Sequence[TrendLog]) -> list[LogStep]:
    pairs = list(pairwise(known))
    changes = [_value(after) - _value(before) for before, after in pairs]
    found = [
        noise(change, (-1.0, 1.0), _errors(pair))
        for change, pair in zip(changes, pairs, strict=True)
    ]
    adjusted = holm(np.array([np.nan if each is None else each.p for each in found], float))
    return [
        LogStep(*pair, change, *((None, None) if each is None else (each.error, float(p))))
        for pair, change, each, p in zip(pairs, changes, found, adjusted, strict=True)
    ]


def _errors(logs: Sequence[TrendLog]) -> list[tuple[float | None, float]]:
    """The standard errors of some logs and their degrees of freedom."""
    return [(log.error, log.freedom or 1.0) for log in logs]


def _value(log: TrendLog) -> float:
    assert log.value is not None
    return log.value


def _furthest(step: LogStep) -> float:
    """Smaller for steps that are further beyond noise: p may be 0 for several."""
    return -abs(step.change / step.error) if step.error else -np.inf

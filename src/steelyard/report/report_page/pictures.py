"""The shapes of a result as the series that the charts of the page draw."""

from dataclasses import dataclass

from steelyard.cached import cached_property
from steelyard.model import Row, Shape, Undefined
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts.few_rows import rows_of, with_few_bins
from steelyard.report.charts.kinds import drawn_name
from steelyard.report.charts.series import Series
from steelyard.report.drawn_result import DrawnResult

NAME = 100  # characters of a score's name in charts and their tables; the first table has it whole


@dataclass(frozen=True)
class Pictures:
    """The shapes of a result's total, and its numbers."""

    result: DrawnResult

    @property
    def scores(self) -> tuple[str, ...]:
        return self.result.scores

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.result.picture_names

    @cached_property
    def totals(self) -> list[Row]:
        return self.result.rows.totals()

    def name_of(self, metric: str) -> str | None:
        """The printed name of a shape, with any parameters; None if the result has none."""
        return drawn_name(metric, self.names, self.result.metrics)

    def all_of(self, metric: str) -> list[str]:
        """The printed names of a shape with all its parameters."""
        return [name for name in self.names if name.partition("(")[0] == metric]

    def shapes(self, name: str) -> list[Shape | Undefined]:
        """A shape of each score."""
        return [self.result.picture_shape(name, score) for score in self.scores]

    def series(self, metric: str) -> list[Series]:
        """The series of each score, for a chart; none if the result has no such shape."""
        name = self.name_of(metric)
        return [] if name is None else self.series_of(name)

    def series_of(self, name: str) -> list[Series]:
        """The series of each score of a shape, by its printed name."""
        several, bound = len(self.scores) > 1, self.result._bound(name)
        return [
            Series(
                shape=with_few_bins(shape, bound, rows_of(self.result, score, {})),
                name=shortened(display.key(score), NAME) if several else "",
                colour=place,
                numbers=self.numbers(score),
            )
            for place, (score, shape) in enumerate(zip(self.scores, self.shapes(name), strict=True))
        ]

    def numbers(self, score: str) -> dict[str, float]:
        """The values of the total by metric."""
        return {
            row.metric: row.value
            for row in self.totals
            if row.score == score and row.value is not None
        }

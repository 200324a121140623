"""Result, the user's class: look up a number, show the table."""

from collections.abc import Iterator, Sequence

from steelyard import errors
from steelyard.metrics.catalogue import resolve
from steelyard.model import Reading, Row
from steelyard.report import text


class Result:
    """Rows of numbers with the sample they stand on and the conventions they were read by."""

    def __init__(self, rows: Sequence[Row], reading: Reading) -> None:
        self.rows = tuple(rows)
        self.reading = reading

    def __getitem__(self, metric: str) -> float:
        """The value of a metric, by any of its names; NaN where it has none."""
        name = resolve(metric).name
        for row in self.rows:
            if row.metric == name:
                return float("nan") if row.value is None else row.value
        raise errors.NOT_IN_RESULT(metric=name, known=", ".join(row.metric for row in self.rows))

    def __contains__(self, metric: object) -> bool:
        """Whether `result[metric]` has a row; a row itself is in its result too."""
        if not isinstance(metric, str):
            return metric in self.rows
        name = resolve(metric).name
        return any(row.metric == name for row in self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return text.table(self.rows)

    __repr__ = __str__

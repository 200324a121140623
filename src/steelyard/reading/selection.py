"""The rows that a batch keeps: no missing values, no weights of 0; aggregated rows are split."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steelyard.model import Array, Mask
from steelyard.reading import aggregated, numbers
from steelyard.reading.row_numbers import KeptRows, NamedColumn

ColumnsByRole = Mapping[tuple[str, str], Sequence[NamedColumn]]  # by role and kind
WEIGHT, TRIALS, COUNTED = ("weight", "number"), ("trials", "number"), ("label", "number")


@dataclass(frozen=True)
class Selection:
    """Rows of a block and their weights.

    rows: the rows without a missing value
    chosen: which of these have a weight above 0, or the aggregated row of each; None: all rows
    count, positive: of aggregated rows, the number that each represents and its class
    """

    rows: KeptRows
    size: int
    weight: Array | None = None
    chosen: Array | None = None
    count: Array | None = None
    positive: Mask | None = None

    def present(self) -> KeptRows:
        """The rows with all values and a weight above 0, if none are aggregated."""
        kept, chosen = self.rows.kept, self.chosen
        if chosen is None or kept is None:
            return self.rows if chosen is None else self.rows._replace(kept=chosen)
        both = kept.copy()
        both[kept] = chosen
        return self.rows._replace(kept=both)


def select(columns: ColumnsByRole, rows: KeptRows, size: int) -> Selection:
    """The rows with a weight above 0, of those without a missing value."""
    weight, least = None, 0.0
    if WEIGHT in columns:
        given = columns[WEIGHT][0].take(rows.kept).numbers(rows)
        weight, (least, *_) = numbers.checked_weight(*given)
    selection = Selection(rows, size, weight)
    if TRIALS in columns:
        selection = _split_aggregated(selection, columns[COUNTED][0], columns[TRIALS][0])
    return selection if least > 0 else _without_zeros(selection)


def _split_aggregated(selection: Selection, label: NamedColumn, trials: NamedColumn) -> Selection:
    """Two rows for each aggregated row: its positives and its negatives."""
    rows = selection.rows
    positives, counts = (
        numbers.whole(*named.take(rows.kept).numbers(rows)) for named in (label, trials)
    )
    aggregated.check((label.name, trials.name), positives, counts, rows)
    made = aggregated.expand(positives, counts, selection.weight)
    return Selection(rows, len(made.source), made.weight, made.source, made.count, made.positive)


def _without_zeros(selection: Selection) -> Selection:
    """The selection without rows of weight zero."""
    weight = selection.weight
    if weight is None:
        return selection
    present = weight != 0
    if present.all():
        return selection
    chosen, count, positive = (
        None if column is None else column[present]
        for column in (selection.chosen, selection.count, selection.positive)
    )
    weight = weight[present]
    chosen = present if chosen is None else chosen
    return Selection(selection.rows, len(weight), weight, chosen, count, positive)

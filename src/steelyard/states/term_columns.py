"""The columns of a batch that row terms read."""

from steelyard.kernels.interface import TermColumns
from steelyard.reading.batch import Batch


def term_columns(batch: Batch) -> TermColumns:
    """The columns of a batch, as kernels take them."""
    numbers, classes = batch.numbers, batch.class_scores
    return TermColumns(
        len(batch),
        batch.weight,
        batch.count,
        batch.score,
        batch.positive,
        batch.outside,
        batch.reading.downsampled,
        batch.reading.clip,
        batch.columns.amounts,
        *((None, None) if numbers is None else numbers),
        *(((), None) if classes is None else (classes.columns, classes.true)),
    )

"""Sorted runs with exact weights: joining, counting in another unit, the canonical form."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, Columns, Digits, Run
from steelyard.model import Array
from steelyard.reading.batch import Batch, Side, given
from steelyard.states.once import once_a_batch

WIDTHS = (np.uint8, np.uint16, np.uint32)


class Weights(NamedTuple):
    """Weights of some rows: as they came, or whole multiples of 2**unit; without either, 1 each."""

    rows: int
    weight: Array | None = None
    digits: Digits | None = None
    unit: int = 0


@once_a_batch
def sides(batch: Batch) -> tuple[Side, Side]:
    """The positive and the negative rows, in arrays of their own."""
    score, positive = given(batch.score), given(batch.positive)
    columns = (score,) if batch.weight is None else (score, batch.weight)
    middle = len(batch) - int(np.count_nonzero(positive))
    if positive[middle:].all():  # the negatives come first, as in the rows of a slice
        places = slice(middle, None), slice(middle)
        plus, minus = (tuple(column[rows].copy() for column in columns) for rows in places)
    else:
        plus, minus = kernels.active().split(positive, columns)
    return _side(*plus), _side(*minus)


def _side(scores: Array, weights: Array | None = None) -> Side:
    return Side(scores, weights)


def weight(run: Run) -> int:
    """The weight of all rows of a run, in its unit."""
    return len(run.scores) if run.digits is None else kernels.active().total(run.digits)


def lowest(*runs: Run) -> float:
    """The lowest score; NaN where there are no rows."""
    return min((float(run.scores[0]) for run in runs if len(run.scores)), default=float("nan"))


def part(run: Run, start: int, end: int) -> Run:
    """The rows from start to end."""
    digits = None if run.digits is None else tuple(digit[start:end] for digit in run.digits)
    return Run(run.scores[start:end], digits)


def recount(run: Run, bits: int) -> Run:
    """The same weights in a unit 2**bits times smaller."""
    if bits == 0:
        return run
    return Run(run.scores, kernels.active().shift(digits_of(run), bits))


def digits_of(run: Run) -> Digits:
    """The weights spelled out, where a run leaves out that each is 1."""
    return (np.ones(len(run.scores), np.uint32),) if run.digits is None else run.digits


def join(runs: Sequence[Run], score_type: str) -> Run:
    """One sorted run of all rows."""
    if len(runs) == 0:
        return Run(np.zeros(0, score_type), None)
    if len(runs) == 1:
        return runs[0]
    scores = np.concatenate([run.scores for run in runs])
    columns: Columns = ()
    if any(run.digits is not None for run in runs):
        columns = end_to_end([digits_of(run) for run in runs])
    scores, columns = kernels.active().sort_rows(scores, columns)
    return Run(scores, columns or None)


def canonical(runs: Sequence[Run], unit: int) -> tuple[int, list[Run]]:
    """The collapsed tables in the largest unit that divides every weight in them.

    Weights that are all 1 are left out; others take as few bytes as they need. So the bytes depend
    on the table alone.
    """
    tables = [kernels.active().collapse(run) for run in runs]
    digits = [digits_of(table) for table in tables]
    spare = min((_trailing_zeros(columns) for columns in digits if len(columns[0])), default=0)
    digits = [_fewer_bits(columns, spare) for columns in digits]
    unit = unit + spare if any(len(columns[0]) for columns in digits) else 0
    ones = unit == 0 and all(len(c) == 1 and (c[0] == 1).all() for c in digits)
    return unit, [
        Run(table.scores, None if ones else columns)
        for table, columns in zip(tables, digits, strict=True)
    ]


def canonical_weights(digits: Digits | None, unit: int) -> tuple[int, Digits | None]:
    """Weights in the largest unit that divides them all; none where each is 1."""
    if digits is None or len(digits[0]) == 0:
        return 0, None
    spare = _trailing_zeros(digits)
    digits, unit = _fewer_bits(digits, spare), unit + spare
    ones = unit == 0 and len(digits) == 1 and bool((digits[0] == 1).all())
    return (0, None) if ones else (unit, digits)


def common_weights(parts: Sequence[Weights]) -> tuple[int, Digits | None]:
    """The weights of all parts in one unit, which divides every one of them."""
    kernel = kernels.active()
    if all(part.weight is None and part.digits is None for part in parts):
        return 0, None
    unit = min(
        part.unit if part.weight is None else kernel.lowest_bit(part.weight) for part in parts
    )
    made = []
    for part in parts:
        if part.weight is not None:
            made.append(kernel.to_digits(part.weight, unit))
        else:
            ones = (np.ones(part.rows, np.uint32),)
            made.append(kernel.shift(part.digits or ones, part.unit - unit))
    return unit, end_to_end(made)


def end_to_end(digits: Sequence[Digits]) -> Digits:
    """Digits of several runs end to end; shorter numbers get zeros on top."""
    places = max(len(columns) for columns in digits)
    return tuple(
        np.concatenate(
            [
                columns[place] if place < len(columns) else np.zeros(len(columns[0]), np.uint32)
                for columns in digits
            ]
        ).astype(np.uint32, copy=False)
        for place in range(places)
    )


def _trailing_zeros(columns: Digits) -> int:
    """How often 2 divides every one of the integers."""
    bits = sum(int(np.bitwise_or.reduce(c)) << (DIGIT * place) for place, c in enumerate(columns))
    return (bits & -bits).bit_length() - 1


def _fewer_bits(columns: Digits, spare: int) -> Digits:
    """The integers divided by 2**spare, without digits that are zero throughout."""
    if len(columns[0]) == 0:
        return (np.zeros(0, WIDTHS[0]),)
    places, part_ = divmod(spare, DIGIT)
    columns = columns[places:]
    upper = (*columns[1:], np.zeros(len(columns[0]), np.int64))
    low = (1 << part_) - 1
    shifted = [
        (here.astype(np.int64) >> part_) | ((above.astype(np.int64) & low) << (DIGIT - part_))
        for here, above in zip(columns, upper, strict=True)
    ]
    while len(shifted) > 1 and not shifted[-1].any():
        shifted.pop()
    return tuple(_narrowest(column) for column in shifted)


def _narrowest(column: Array) -> Array:
    largest = int(column.max()) if len(column) else 0
    return column.astype(next(width for width in WIDTHS if largest <= np.iinfo(width).max))

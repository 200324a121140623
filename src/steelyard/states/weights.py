"""Row weights as exact multiples of one unit, and their form in bytes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.digits import carry, shift, sum_groups, total
from steelyard.kernels.interface import DIGIT, MASK, Digits, Run, ScoreChunk
from steelyard.kernels.ragged import steps
from steelyard.model import Array
from steelyard.states.exact_sums import WIDTHS, narrowest


class Weights(NamedTuple):
    """Weights of some rows: either the input's, or digits in multiples of 2**unit, or 1 each.

    rows: how many rows; weight: the column of the input; digits: exact integers
    """

    rows: int
    weight: Array | None = None
    digits: Digits | None = None
    unit: int = 0

    def take(self, rows: Array) -> "Weights":
        """Some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        return Weights(len(rows), weight, digits_at(self.digits, rows), self.unit)


def run_weight(run: Run) -> int:
    """The weight of all rows of a run, in its unit."""
    return len(run.scores) if run.digits is None else total(run.digits)


def digits_of(run: Run) -> Digits:
    """The weights of a run, as digits also where each is 1."""
    return (np.ones(len(run.scores), np.uint32),) if run.digits is None else run.digits


def digits_at(digits: Digits | None, rows: Array | slice) -> Digits | None:
    """The weights of some rows; None where each is 1."""
    return None if digits is None else tuple(digit[rows] for digit in digits)


def weight_between(digits: Digits | None, bounds: Array) -> Digits:
    """The weight of the rows from each bound to the next; bounds never fall."""
    if digits is None:
        return carry([steps(bounds)])
    return sum_groups(digits, bounds)


def common_unit(parts: Sequence[Weights]) -> int:
    """The largest u such that each weight is a whole multiple of 2**u."""
    kernel = kernels.active()
    units = [p.unit if p.weight is None else kernel.lowest_bit(p.weight) for p in parts]
    return min(units, default=0)


def chunk_unit(rows: ScoreChunk, unit: int) -> int:
    """The largest u such that each weight of a chunk is a multiple of 2**u; that of its digits."""
    if isinstance(rows.weights, tuple):
        return unit
    return 0 if rows.weights is None else kernels.active().lowest_bit(rows.weights)


def in_unit(rows: ScoreChunk, unit: int, wanted: int) -> Array | Digits | None:
    """The weights of a chunk; its digits, which count 2**unit, count 2**wanted then."""
    if isinstance(rows.weights, tuple) and unit != wanted:
        return shift(rows.weights, unit - wanted)
    return rows.weights


def digits_in_unit(parts: Sequence[Weights], unit: int) -> Digits | None:
    """The weights of all parts in multiples of 2**unit; None where each is 1."""
    kernel = kernels.active()
    if unit == 0 and all(part.weight is None and part.digits is None for part in parts):
        return None
    columns = [part.weight for part in parts if part.weight is not None]
    if len(columns) == len(parts) and len({column.dtype for column in columns}) == 1:
        return kernel.to_digits(np.concatenate(columns), unit)  # one copy less than of digits
    made = []
    for part in parts:
        if part.weight is not None:
            made.append(kernel.to_digits(part.weight, unit))
        else:
            bits = part.unit - unit
            digits = part.digits or (np.ones(part.rows, np.uint32),)
            made.append(shift(digits, bits) if bits else digits)
    return _concatenated(made)


def common_weights(parts: Sequence[Weights]) -> tuple[int, Digits | None]:
    """The largest unit that divides all weights, and the weights in it; None where each is 1.

    Weights of 1 are as no weights in every state, so that bytes lose nothing.
    """
    unit = common_unit(parts)
    digits = digits_in_unit(parts, unit)
    if unit == 0 and digits is not None and len(digits) == 1 and (digits[0] == 1).all():
        return unit, None
    return unit, digits


def _concatenated(digits: Sequence[Digits]) -> Digits:
    """One column of several; where one has fewer digits, the others of it are 0."""
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


def canonical_columns(columns: Sequence[Digits], unit: int) -> tuple[int, list[Digits | None]]:
    """Columns of weights in the largest unit that divides them all, in as few bytes as possible.

    None where each weight is 1. So the bytes depend on the weights alone.
    """
    spare = min((_trailing_zeros(digits) for digits in columns if len(digits[0])), default=0)
    fewer = [_fewer_bits(digits, spare) for digits in columns]
    unit = unit + spare if any(len(digits[0]) for digits in fewer) else 0
    ones = unit == 0 and all(len(d) == 1 and (d[0] == 1).all() for d in fewer)
    return unit, [None if ones else digits for digits in fewer]


def canonical_weights(digits: Digits | None, unit: int) -> tuple[int, Digits | None]:
    """The same of one column."""
    if digits is None or len(digits[0]) == 0:
        return 0, None
    unit, (found,) = canonical_columns([digits], unit)
    return unit, found


def _trailing_zeros(columns: Digits) -> int:
    """How often 2 divides every one of the integers."""
    bits = sum(int(np.bitwise_or.reduce(c)) << (DIGIT * place) for place, c in enumerate(columns))
    return (bits & -bits).bit_length() - 1


def _fewer_bits(columns: Digits, spare: int) -> Digits:
    """The integers divided by 2**spare, without upper digits that are 0 in all rows."""
    if len(columns[0]) == 0:
        return (np.zeros(0, WIDTHS[0]),)
    places, bits = divmod(spare, DIGIT)
    columns = columns[places:]
    upper = (*columns[1:], np.zeros(len(columns[0]), np.int64))
    low = (1 << bits) - 1
    shifted = [
        (here.astype(np.int64) >> bits) | ((above.astype(np.int64) & low) << (DIGIT - bits))
        for here, above in zip(columns, upper, strict=True)
    ]
    while len(shifted) > 1 and not shifted[-1].any():
        shifted.pop()
    return tuple(narrowest(column) for column in shifted)


# --- bytes ---------------------------------------------------------------------------------------
def weight_sections(name: str, digits: Digits | None) -> dict[str, Array]:
    """The arrays of the bytes of weights; none where each is 1."""
    return {f"{name}.{place}": digit for place, digit in enumerate(digits or ())}


def restored_weights(name: str, sections: dict[str, Array], rows: int) -> Digits | None:
    """The weights of rows, taken out of `sections`; None where each is 1."""
    digits: list[Array] = []
    while f"{name}.{len(digits)}" in sections:
        digits.append(sections.pop(f"{name}.{len(digits)}"))
    if any(digit.dtype not in WIDTHS or len(digit) != rows for digit in digits):
        raise ValueError("weights that do not fit the rows")
    if any((digit > MASK).any() for digit in digits):
        raise ValueError("weights that are not whole numbers")
    if digits and not np.any([digit != 0 for digit in digits], axis=0).all():
        raise ValueError("a row without weight")
    return tuple(digits) or None

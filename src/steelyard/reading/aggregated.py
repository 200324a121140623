"""Aggregated rows, such as 3 clicks out of 100 impressions, as rows of two classes.

Each becomes one positive row for its clicks and one negative row for the rest. The weight is
multiplied by the number of rows that a row represents, exactly.
"""

from dataclasses import dataclass

import numpy as np

from steelyard import errors
from steelyard.model import Array, Mask
from steelyard.reading.row_numbers import KeptRows

FLOAT_BITS = 53


@dataclass(frozen=True)
class Expanded:
    """Rows made from aggregated rows.

    source: the index of the aggregated row; count: the number of rows that it represents
    """

    source: Array
    positive: Mask
    count: Array
    weight: Array


def expand(clicks: Array, trials: Array, weight: Array | None) -> Expanded:
    """Two rows for each aggregated row, positives first; rows with a count of 0 are left out."""
    source = np.tile(np.arange(len(clicks)), 2)
    count = np.concatenate([clicks, trials - clicks])
    positive = np.arange(len(source)) < len(clicks)
    used = count > 0
    source, count, positive = source[used], count[used], positive[used]
    if weight is None:
        return Expanded(source, positive, count, _narrow(count))
    if weight.dtype.kind != "f":
        return Expanded(source, positive, count, _product(weight[source], count))
    chosen, parts = _exact_parts(weight[source], count)
    source, positive = source[chosen], positive[chosen]
    with np.errstate(over="ignore"):
        products = weight[source].astype(np.float64) * parts
    if np.isinf(products.max(initial=0)):
        raise errors.WEIGHT_TOO_LARGE(value="beyond the largest float", most="1.8e308")
    return Expanded(source, positive, parts, products)


def check(names: tuple[str, str], clicks: Array, trials: Array, rows: KeptRows) -> None:
    """Refuses rows with more clicks than trials."""
    bad = clicks > trials
    if bad.any():
        index = int(bad.argmax())
        value = f"{clicks[index]} of {trials[index]}"
        raise errors.BEYOND_TRIALS(name=names[0], trials=names[1], **rows.where(bad), value=value)


def _product(weight: Array, count: Array) -> Array:
    """Integer weights times counts; the products must be below 2**63."""
    largest = int(weight.max(initial=0)) * int(count.max(initial=0))
    if largest >= 2**63:
        raise errors.WEIGHT_TOO_LARGE(value=f"{largest:.3g}", most="2**63")
    return _narrow(weight.astype(np.int64) * count)


def _narrow(weight: Array) -> Array:
    return weight.astype(np.uint32) if weight.max(initial=0) < 2**32 else weight


def _exact_parts(weight: Array, count: Array) -> tuple[Array, Array]:
    """Row indices and counts, split so that each weight times count is exact in float64.

    A row whose product may need more than 53 bits is repeated, once for each bit of its count.
    """
    fits = _significant_bits(_mantissa(weight)) + _significant_bits(count) <= FLOAT_BITS
    chosen, parts = [np.flatnonzero(fits)], [count[fits]]
    wide = np.flatnonzero(~fits)
    for bit in range(int(count[wide].max(initial=0)).bit_length()):
        rows = wide[(count[wide] >> bit) & 1 == 1]
        chosen.append(rows)
        parts.append(np.full(len(rows), 1 << bit, np.int64))
    return np.concatenate(chosen), np.concatenate(parts)


def _mantissa(weight: Array) -> Array:
    fraction, _ = np.frexp(weight.astype(np.float64))
    mantissa: Array = np.ldexp(fraction, FLOAT_BITS).astype(np.int64)
    return mantissa


def _significant_bits(numbers: Array) -> Array:
    """The number of bits from the highest to the lowest 1 of each integer."""
    shifted = numbers // np.maximum(numbers & -numbers, 1)
    return np.frexp(shifted.astype(np.float64))[1]

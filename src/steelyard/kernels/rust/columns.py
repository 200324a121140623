"""Columns in the forms that the compiled kernels take."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from steelyard.kernels.interface import DIGIT, Array, Digits, ScoreChunk

FURTHEST = 1000  # 2**unit and 2**-unit are ordinary float64 up to here
ChunkColumns = tuple[Array | None, Array, Array, Array | None]
PointColumns = tuple[Array, Array | None, Array, Array | None, tuple[Array, Array]]


def packed(column: npt.ArrayLike, type_: npt.DTypeLike | None = None) -> Array:
    """A column without gaps between its numbers, at an address that the processor likes."""
    made = np.ascontiguousarray(column, type_)
    return made if made.flags.aligned else made.copy()


def chunk_columns(chunks: Sequence[ScoreChunk], unit: int) -> list[ChunkColumns] | None:
    """The chunks with rows as contiguous columns, weights of one type; None: they have no form."""
    chunks = [chunk for chunk in chunks if len(chunk.scores)]
    weights = _weights([chunk.weights for chunk in chunks], [len(c.scores) for c in chunks], unit)
    if weights is None:
        return None
    return [
        (
            None if chunk.codes is None else unsigned(chunk.codes),
            packed(chunk.scores),
            packed(chunk.positive),
            weight,
        )
        for chunk, weight in zip(chunks, weights, strict=True)
    ]


def unsigned(codes: Array) -> Array:
    """Codes, which are ≥ 0, as an unsigned column."""
    return packed(codes).view(f"u{codes.dtype.itemsize}")


def one_weight(weights: Array | Digits | None, unit: int) -> Array | None:
    """A column of float32 or float64, or uint64 in multiples of 2**unit; None: there is none."""
    if weights is None or (isinstance(weights, np.ndarray) and weights.dtype.char in "fd"):
        return None if weights is None else packed(weights)
    return _multiples(weights, len(weights[0] if isinstance(weights, tuple) else weights), unit)


def _weights(
    columns: Sequence[Array | Digits | None], lengths: Sequence[int], unit: int
) -> Sequence[Array | None] | None:
    """Weights of one type: none, float32, float64, or uint64 in multiples of 2**unit."""
    if all(column is None for column in columns):
        return None if unit else [None] * len(columns)
    both = list(zip(columns, lengths, strict=True))
    kinds = {"u" if isinstance(c, tuple) else c.dtype.char for c in columns if c is not None}
    if kinds <= {"f", "d"}:
        type_ = np.dtype("f" if kinds == {"f"} else "d")
        return [np.ones(n, type_) if c is None else packed(c, type_) for c, n in both]
    if kinds & {"f", "d"}:
        return None
    made = [_multiples(column, rows, unit) for column, rows in both]
    return None if any(column is None for column in made) else made


def _multiples(column: Array | Digits | None, rows: int, unit: int) -> Array | None:
    """Whole weights in multiples of 2**unit as uint64; None where they do not fit."""
    if isinstance(column, tuple):
        return of_digits(column)
    whole = np.ones(rows, np.uint64) if column is None else packed(column).astype(np.uint64)
    if int(whole.max(initial=0)).bit_length() - unit > 63:
        return None
    return whole << np.uint64(-unit) if unit < 0 else whole >> np.uint64(unit)


def of_digits(digits: Digits) -> Array | None:
    """Whole numbers below 2**62 as uint64; None where there may be larger ones."""
    if len(digits) > 3 or (len(digits) == 3 and digits[2].any()):
        return None
    if len(digits) == 1:
        return digits[0].astype(np.uint64)
    made = digits[1].astype(np.uint64)
    made <<= np.uint64(DIGIT)
    np.bitwise_or(made, digits[0], out=made, dtype=np.uint64, casting="unsafe")
    return made


def integers(words: Array) -> Array:
    """Python integers of words, the least significant one first."""
    found = np.zeros(len(words), object)
    # Most groups have an area of 0. `any` by row takes ten times as long.
    some = np.flatnonzero(reduce(np.bitwise_or, words.T))
    words = words[some]
    used = np.flatnonzero(words.any(axis=0)).max(initial=0)
    made = words[:, used].astype(object)
    for place in range(used - 1, -1, -1):
        made = (made << 64) | words[:, place].astype(object)
    found[some] = made
    return found

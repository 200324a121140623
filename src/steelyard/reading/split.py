"""A batch parted by slice: the rows of each slice as a batch of its own."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steelyard.reading.batch import Batch
from steelyard.reading.key_order import Keys
from steelyard.reading.slices import Slices


class Part(NamedTuple):
    """The rows of one slice."""

    key: Keys
    batch: Batch


def parts(batch: Batch) -> list[list[Part]]:
    """For each `by`, the slices that have rows in a batch, or rows that were left out of it."""
    return [list(_parts(batch, slices)) for slices in batch.slices]


def _parts(batch: Batch, slices: Slices) -> Iterator[Part]:
    """Rows of a slice side by side, its negatives first: one gather for all slices."""
    count = len(slices.dropped)
    sizes = np.bincount(slices.codes, minlength=count)
    ends = np.cumsum(sizes)
    codes = slices.codes
    if batch.positive is not None:
        codes = codes.astype(np.min_scalar_type(max(2 * count - 1, 0))) * 2 + batch.positive
    order = np.argsort(codes, kind="stable")  # a radix sort up to 16 bits
    whole = batch.take(order, batch.size)
    there = np.flatnonzero((sizes > 0) | (slices.dropped > 0))
    columns = (there, sizes[there], ends[there], slices.dropped[there])
    for number, size, end, dropped in zip(*(c.tolist() for c in columns), strict=True):
        yield Part(slices.keys.keys[number], whole.take(slice(end - size, end), size, dropped))

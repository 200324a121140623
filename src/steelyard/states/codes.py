"""Slice and key numbers, which may have any integer type."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Array


def count_of(codes: Array) -> int:
    """One more than the largest number; 0 where there are none."""
    return int(codes.max()) + 1 if len(codes) else 0


def ranks(order: Array, count: int) -> Array:
    """The place of each number in an order; 0 for numbers that are not in it."""
    found = np.zeros(max(count, count_of(order)), np.int64)
    found[order] = np.arange(len(order))
    return found


def checked_sizes(sizes: Array, count: int, rows: int) -> Array:
    """The sizes of `count` slices or groups, from bytes; a ValueError unless they fit the rows."""
    # A sum of sizes above `rows` might not fit int64.
    within = (sizes >= 0) & (sizes <= rows)
    if sizes.dtype != np.int64 or len(sizes) != count or not within.all():
        raise ValueError("invalid sizes")
    if int(sizes.sum()) != rows:
        raise ValueError("sizes that do not fit the rows")
    return sizes


# --- rows with a slice of every `by` -------------------------------------------------------------
def renumbered(slices: Sequence[Array], numbers: Sequence[Array]) -> tuple[Array, ...]:
    """For each `by`, the slices of rows under other numbers; numbers: the new one of each."""
    return tuple(new.take(codes) for new, codes in zip(numbers, slices, strict=True))


def are_same(numbers: Sequence[Array]) -> bool:
    """Whether every new number is the old one, as it is for the first state of a merge."""
    return all(np.array_equal(new, np.arange(len(new))) for new in numbers)


def in_order(slices: Sequence[Array], order: Sequence[Array]) -> tuple[Array, ...]:
    """For each `by`, the slices of rows as places in the order in which slices are written."""
    pairs = zip(order, slices, strict=True)
    return tuple(ranks(numbers, count_of(codes)).take(codes) for numbers, codes in pairs)


def slice_sections(slices: Sequence[Array], rows: Array) -> dict[str, Array]:
    """The arrays of the slices of some rows."""
    return {f"by.{place}": codes[rows].astype(np.uint32) for place, codes in enumerate(slices)}


def restored_slices(
    sections: dict[str, Array], counts: Sequence[int], rows: int
) -> tuple[Array, ...]:
    """The slices of rows, taken out of `sections`; counts: how many slices each `by` has."""
    return tuple(
        restored_codes(sections, f"by.{place}", count, rows) for place, count in enumerate(counts)
    )


def restored_codes(sections: dict[str, Array], name: str, count: int, rows: int) -> Array:
    """The slice or cluster of each row, taken out of `sections`; count: how many there are."""
    codes = sections.pop(name)
    if codes.dtype != np.uint32 or len(codes) != rows or (codes >= count).any():
        raise ValueError("a row of no slice")
    return codes

"""Blocks of rows that fit the processor's cache, for loops over long columns."""

from collections.abc import Iterator

BLOCK = 1 << 16  # rows: columns of half a megabyte


def blocks(rows: int, size: int = BLOCK, *, start: int = 0) -> Iterator[slice]:
    """The rows from `start` to `rows`, `size` at a time.

    >>> list(blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(here, min(here + size, rows)) for here in range(start, rows, size))

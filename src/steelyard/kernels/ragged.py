"""Lists of different lengths, handled without a loop over them."""

from collections.abc import Iterator

import numpy as np

from steelyard.model import Array, Mask

FEW = 16
CELLS = 1 << 17  # of a matrix: 1 MB of 64-bit numbers, which the cache can hold


def spread(starts: Array, lengths: Array) -> tuple[Array, Array]:
    """The rows of several runs, one run after the other, and the number of each row's run.

    >>> rows, runs = spread(np.array([10, 20]), np.array([2, 3]))
    >>> rows.tolist(), runs.tolist()
    ([10, 11, 20, 21, 22], [0, 0, 1, 1, 1])
    """
    runs = np.repeat(np.arange(len(lengths)), lengths)
    return np.arange(len(runs)) + (starts - np.cumsum(lengths) + lengths)[runs], runs


def steps(column: Array) -> Array:
    """The difference of each number and the next: for starts of lists and the end, the sizes.

    A tenth of the time of np.diff where there are few.

    >>> steps(np.array([0, 2, 5])).tolist()
    [2, 3]
    """
    return column[1:] - column[:-1]


def running_sums(column: Array) -> Array:
    """Cumulative sums that start with 0: for list sizes, the start of each list, and the end.

    >>> running_sums(np.array([2, 3])).tolist()
    [0, 2, 5]
    """
    sums = np.zeros(len(column) + 1, np.int64)
    np.cumsum(column, out=sums[1:])
    return sums


def are_equal(left: Array, right: Array) -> bool:
    """Whether two columns have the same numbers; a tenth of the time where there are few."""
    if left is right or len(left) != len(right):
        return left is right
    return left.tolist() == right.tolist() if len(left) <= FEW else np.array_equal(left, right)


def by_length(lengths: Array) -> Iterator[tuple[Array, int]]:
    """The lists of similar length, and the number of bits that is enough to number their members.

    They come in parts that fit the cache as rows of a matrix, at least half of whose cells are
    used. Empty lists are left out.

    >>> [(lists.tolist(), bits) for lists, bits in by_length(np.array([3, 1, 4, 0, 5]))]
    [([1], 0), ([0, 2], 2), ([4], 3)]
    """
    # frexp: the smallest number of bits with length <= 2**bits
    bits = np.where(lengths > 0, np.frexp(np.maximum(lengths - 1, 0).astype(np.float64))[1], -1)
    for width in np.flatnonzero(np.bincount(bits + 1)).tolist():
        if width:
            members = np.flatnonzero(bits == width - 1)
            step = max(1, CELLS >> (width - 1))
            for first in range(0, len(members), step):
                yield members[first : first + step], width - 1


def as_matrix(starts: Array, lengths: Array, bits: int, last: int) -> tuple[Array, Mask]:
    """The members of lists as lines of a matrix, 2**bits cells wide, and which cells are members.

    last: the last member of all lists; cells beyond it hold its number
    """
    columns = np.arange(1 << bits)
    cells = starts[:, None] + columns
    return np.minimum(cells, last, out=cells), columns < lengths[:, None]


def tied_rows(block_start: Mask) -> tuple[Array, Array]:
    """The rows that share their tied block with other rows, and the number of that block.

    block_start: whether a tied block starts at a row

    >>> tied, blocks = tied_rows(np.array([True, True, False, True, True, False]))
    >>> tied.tolist(), blocks.tolist()
    ([1, 2, 4, 5], [0, 0, 1, 1])
    """
    tied = np.flatnonzero(~(block_start & np.append(block_start[1:], True)))
    return tied, np.cumsum(block_start[tied]) - 1

"""The expected 1/rank of the row where a reader stops; a higher grade stops more readers.

A row of grade g stops a reader with the chance (2**g − 1)/2**max_grade. In a tied block, the chance
of passing j rows is the j-th elementary symmetric mean of the chances of passing each row; chances
below 2⁻⁶⁰ are left out. A list with a block that would take more than ten seconds has no
value: NaN.
"""

import numpy as np

from steelyard.kernels.interface import Array, ListTerm, RankedLists
from steelyard.kernels.numpy.lists.blocks import Blocks, blocks_of, list_sums
from steelyard.kernels.ragged import by_length, spread
from steelyard.model import Floats

NEGLIGIBLE = 2.0**-60
ENOUGH = 42  # (1 − s)^(42/s) < e⁻⁴² < 2⁻⁶⁰
MOST_STEPS = 2**29  # about ten seconds
ROUND = 2000  # the cost of one round, for each row of a block, in steps


def stops(lists: RankedLists, term: ListTerm) -> Floats:
    longest = int(lists.sizes.max(initial=0)) if term.k is None else term.k
    blocks = blocks_of(lists)
    blocks = blocks.among(np.flatnonzero(blocks.above < longest))
    stops, on = _within(lists, blocks, term.max_grade, longest)
    count = len(lists.groups)
    starts = np.searchsorted(blocks.list, np.arange(count + 1))
    values, going = np.zeros(count), np.ones(count)
    alive = np.flatnonzero(np.diff(starts))
    place = 0
    # The next block of every list, while the chance of reading it is not negligible.
    while len(alive):
        block = starts[alive] + place
        values[alive] += going[alive] * stops[block]
        going[alive] *= on[block]
        place += 1
        alive = alive[(starts[alive] + place < starts[alive + 1]) & (going[alive] >= NEGLIGIBLE)]
    return values


def _within(
    lists: RankedLists, blocks: Blocks, max_grade: int, longest: int
) -> tuple[Floats, Floats]:
    """For each block, Σ (chance of stopping at a rank)/rank, and the chance of passing it."""
    chances: Floats = (np.ldexp(1.0, np.arange(max_grade + 1)) - 1.0) * 2.0**-max_grade
    of_entries = chances[lists.grades.astype(np.intp)]
    highest = of_entries[blocks.first]
    stops = highest / (blocks.above + 1)
    on: Floats = 1.0 - highest
    tied = np.flatnonzero(blocks.size > 1)
    too_long = _too_long(blocks, tied, of_entries, longest)
    stops[too_long] = on[too_long] = np.nan
    tied = np.setdiff1d(tied, too_long)
    for some, _ in by_length(blocks.size[tied]):
        here = tied[some]
        members = blocks.among(here)
        ends, on[here] = _symmetric_means(members, of_entries, longest)
        rank = members.above[:, None] + np.arange(1, ends.shape[1] + 1)
        stops[here] = np.cumsum(np.where(rank > longest, 0.0, ends / rank), axis=1)[:, -1]
    return stops, on


def _symmetric_means(blocks: Blocks, of_entries: Floats, longest: int) -> tuple[Floats, Floats]:
    """For each block, the chance of stopping after 0, 1, 2, … of its rows, and of passing all.

    Both are means over all choices of rows, built row by row from terms of zero or more: the
    difference of the chances of passing j and j + 1 rows would lose most digits.
    """
    stop, width = _stops_and_widths(blocks, of_entries, longest)
    past = np.zeros((len(width), int(width.max()) + 1))
    past[:, 0] = 1.0
    ends = np.zeros((len(width), past.shape[1] - 1))
    starts, sizes = np.cumsum(blocks.size) - blocks.size, np.sort(blocks.size)
    order = np.argsort(-blocks.size, kind="stable")  # blocks with rows left come first
    for row in range(int(sizes[-1])):
        open_ = len(sizes) - int(np.searchsorted(sizes, row, side="right"))
        here = stop[starts[order[:open_]] + row, None]
        _take_in(past[:open_, : row + 2], ends[:open_, : row + 1], here, row + 1)
    ends[np.arange(ends.shape[1]) >= width[order, None]] = 0.0  # columns that only wider blocks use
    last = past[np.arange(len(width)), width[order]]
    back = np.argsort(order)
    return ends[back], last[back]


def _take_in(past: Floats, ends: Floats, stop: Floats, count: int) -> None:
    """Add the `count`-th row: it is among those passed, or it is the last one read, or neither."""
    j = np.arange(past.shape[1])
    without = (count - j) / count
    passed = (1.0 - stop) * (j / count)
    last = stop / count * past[:, : ends.shape[1]]
    last[:, 1:] += passed[:, 1 : ends.shape[1]] * ends[:, :-1]
    ends *= (count - 1 - j[: ends.shape[1]]) / count
    ends += last
    among = passed[:, 1:] * past[:, :-1]
    past *= without
    past[:, 1:] += among


def _stops_and_widths(blocks: Blocks, of_entries: Floats, longest: int) -> tuple[Floats, Array]:
    """The chance of stopping at each row, and how many rows of each block matter.

    These are the rows to the cut, or until almost no reader goes on.
    """
    entries, block = spread(blocks.first, blocks.found)
    before = np.cumsum(blocks.size) - blocks.size
    stop = np.zeros(int(blocks.size.sum()))  # rows of grade 0 are the last of their block
    stop[before[block] + entries - blocks.first[block]] = of_entries[entries]
    stops = list_sums(block, of_entries[entries], len(blocks.first))
    with np.errstate(divide="ignore"):  # where no reader stops, all rows matter
        enough = np.minimum(np.ceil(ENOUGH * blocks.size / stops), blocks.size)
    width: Array = np.clip(longest - blocks.above, 1, enough).astype(np.int64)
    return stop, width


def _too_long(blocks: Blocks, tied: Array, of_entries: Floats, longest: int) -> Array:
    """Those of the tied blocks that would take too many steps."""
    large = tied[blocks.size[tied] * (blocks.size[tied] + ROUND) > MOST_STEPS]
    some = blocks.among(large)
    _, width = _stops_and_widths(some, of_entries, longest)
    beyond_limit: Array = large[some.size * (width + ROUND) > MOST_STEPS]
    return beyond_limit

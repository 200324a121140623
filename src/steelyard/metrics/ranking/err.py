"""ERR: the expected 1/rank of the row where a reader stops; a higher grade stops more readers.

In a tied block, the chance of passing j rows is the j-th elementary symmetric mean of the chances
of passing each row; chances below 2⁻⁶⁰ are left out. A list with a block that would take more than
ten seconds has no value.
"""

import numpy as np

from steelyard import errors
from steelyard.kernels.ragged import by_length, spread
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import count
from steelyard.metrics.ranking.gains import LARGEST_POWER, beyond
from steelyard.model import Array, Floats
from steelyard.views.lists import Blocks, Lists, list_sums

NEGLIGIBLE = 2.0**-60
ENOUGH = 42  # (1 − s)^(42/s) < e⁻⁴² < 2⁻⁶⁰
MOST_STEPS = 2**29  # about ten seconds
TOO_LONG = (
    "a group has too many tied rows to average over all their orders; ties=stable takes one order"
)
ROUND = 2000  # the cost of one round, for each row of a block, in steps


def err(lists: Lists, relevant: Array, max_grade: int, rel: float, k: int | None) -> Floats:
    invalid = beyond(lists, max_grade)
    if invalid is not None:
        raise errors.BEYOND_MAX_GRADE(most=max_grade, value=invalid)
    longest = len(lists.grades) if k is None else k
    blocks = lists.blocks(_leaders(lists))
    blocks = Blocks(*(column[blocks.above < longest] for column in blocks))
    stops, on = _within(lists, blocks, max_grade, longest)
    starts = np.searchsorted(blocks.list, np.arange(len(lists) + 1))
    values, going = np.zeros(len(lists)), np.ones(len(lists))
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


def _leaders(lists: Lists) -> Array:
    """The first row of every block with a grade above 0; its grade is the highest of the block."""
    if lists.block_start is None:
        return np.flatnonzero(lists.grades)
    return np.flatnonzero((lists.grades > 0) & lists.block_start)


def _within(lists: Lists, blocks: Blocks, max_grade: int, longest: int) -> tuple[Floats, Floats]:
    """For each block, Σ (chance of stopping at a rank)/rank, and the chance of passing it."""
    chances: Floats = (np.ldexp(1.0, np.arange(max_grade + 1)) - 1.0) * 2.0**-max_grade
    highest = chances[lists.grades[blocks.first].astype(np.intp)]
    stops = highest / (blocks.above + 1)
    on: Floats = 1.0 - highest
    tied = np.flatnonzero(blocks.size > 1)
    too_long = _too_long(lists, blocks, tied, chances, longest)
    stops[too_long] = on[too_long] = np.nan
    tied = np.setdiff1d(tied, too_long)
    for some, _ in by_length(blocks.size[tied]):
        here = tied[some]
        members = Blocks(*(column[here] for column in blocks))
        ends, on[here] = _symmetric_means(lists, members, chances, longest)
        rank = members.above[:, None] + np.arange(1, ends.shape[1] + 1)
        stops[here] = np.cumsum(np.where(rank > longest, 0.0, ends / rank), axis=1)[:, -1]
    return stops, on


def _symmetric_means(
    lists: Lists, blocks: Blocks, chances: Floats, longest: int
) -> tuple[Floats, Floats]:
    """For each block, the chance of stopping after 0, 1, 2, … of its rows, and of passing all.

    Both are means over all choices of rows, built row by row from terms of zero or more: the
    difference of the chances of passing j and j + 1 rows would lose most digits.
    """
    stop, width = _stops_and_widths(lists, blocks, chances, longest)
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


def _stops_and_widths(
    lists: Lists, blocks: Blocks, chances: Floats, longest: int
) -> tuple[Floats, Array]:
    """The chance of stopping at each row, and how many rows of each block matter.

    These are the rows to the cut, or until almost no reader goes on.
    """
    rows, block = spread(blocks.first, blocks.size)
    stop = chances[lists.grades[rows].astype(np.intp)]
    stops = list_sums(block, stop, len(blocks.first))
    enough = np.minimum(np.ceil(ENOUGH * blocks.size / stops), blocks.size)
    width: Array = np.clip(longest - blocks.above, 1, enough).astype(np.int64)
    return stop, width


def _too_long(lists: Lists, blocks: Blocks, tied: Array, chances: Floats, longest: int) -> Array:
    """Those of the tied blocks that would take too many steps."""
    large = tied[blocks.size[tied] * (blocks.size[tied] + ROUND) > MOST_STEPS]
    some = Blocks(*(column[large] for column in blocks))
    _, width = _stops_and_widths(lists, some, chances, longest)
    beyond_limit: Array = large[some.size * (width + ROUND) > MOST_STEPS]
    return beyond_limit


METRIC = RankingMetric(
    formula=(
        "Σ 1/i · s_i · Π over j < i of (1 − s_j), averaged over groups, where s = (2^grade − "
        "1)/2^max_grade"
    ),
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \sum_{i=1}^{k} \frac{s_i}{i} \prod_{j \lt i} (1 - s_j) "
        r"\quad \text{with } s = \frac{2^{\mathrm{grade}} - 1}{2^{g_{\max}}}"
    ),
    reading=(
        "A reader goes down the list and stops once satisfied: the mean of 1/rank of that row. "
        "Rows after an excellent one hardly count."
    ),
    range="0 to below 1",
    better="higher",
    pitfalls=(
        (
            "`max_grade` is a property of the data set, not of the rows at hand: with another one "
            "all values change."
        ),
        (
            "With grades of 0 and 1 pass `max_grade=1`; otherwise a relevant row satisfies one "
            "reader in sixteen only."
        ),
        "It is about the first good row; where readers need many results, use NDCG or recall.",
    ),
    reference="Chapelle et al. (2009), CIKM, 621.",
    chinese="预期倒数排名",
    example="sy.err([4, 0, 2], [0.9, 0.8, 0.7])",
    value=err,
    no_value=TOO_LONG,
    parameters=ranking_parameters(
        count(
            "max_grade", 4, most=LARGEST_POWER, means="the highest grade that the judges can give"
        )
    ),
)

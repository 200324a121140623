"""ERR: the mean of 1/rank at which a reader stops, who stops at a row with a chance by its grade.

Σ 1/i · s_i · Π over j < i of (1 − s_j), where s = (2^grade − 1)/2^max_grade

>>> import steelyard as sy
>>> sy.err([4, 0, 2], [0.9, 0.8, 0.7])
0.94140625

Chapelle et al. (2009), CIKM, 621. Of a tied block, the chance to get past j of its rows is the j-th
elementary symmetric mean of the rows' chances to go on; chances below 2⁻⁶⁰ are left out.
"""

import numpy as np

from steelyard import errors
from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import count
from steelyard.metrics.ranking.gains import LARGEST_POWER, beyond
from steelyard.model import Array, Floats
from steelyard.ragged import classes, spread
from steelyard.states import Blocks, Lists, list_sums

NEGLIGIBLE = 2.0**-60
ENOUGH = 42  # (1 − s)^(42/s) < e⁻⁴² < 2⁻⁶⁰
MOST_STEPS = 2**32  # about ten seconds of sums


def err(lists: Lists, relevant: Array, max_grade: int, rel: float, k: int | None) -> Floats:
    odd = beyond(lists, max_grade)
    if odd is not None:
        raise errors.BEYOND_MAX_GRADE(most=max_grade, value=odd)
    longest = len(lists.grades) if k is None else k
    blocks = lists.blocks(_leaders(lists))
    stops, on = _within(lists, blocks, max_grade, longest)
    starts = np.searchsorted(blocks.list, np.arange(len(lists) + 1))
    values, going = np.zeros(len(lists)), np.ones(len(lists))
    alive = np.flatnonzero(np.diff(starts))
    place = 0
    while len(alive):  # the next block of every list that someone still reads
        block = starts[alive] + place
        values[alive] += going[alive] * stops[block]
        going[alive] *= on[block]
        place += 1
        alive = alive[(starts[alive] + place < starts[alive + 1]) & (going[alive] >= NEGLIGIBLE)]
    return values


def _leaders(lists: Lists) -> Array:
    """The first row of every block that someone may stop in: its grade is the block's highest."""
    if lists.fresh is None:
        return np.flatnonzero(lists.grades)
    return np.flatnonzero((lists.grades > 0) & lists.fresh)


def _within(lists: Lists, blocks: Blocks, max_grade: int, longest: int) -> tuple[Floats, Floats]:
    """Of each block Σ chance to stop at a rank over that rank, and the chance to get past it."""
    chances: Floats = (np.ldexp(1.0, np.arange(max_grade + 1)) - 1.0) * 2.0**-max_grade
    highest = chances[lists.grades[blocks.first].astype(np.intp)]
    stops = np.where(blocks.above < longest, highest / (blocks.above + 1), 0.0)
    on: Floats = 1.0 - highest
    tied = np.flatnonzero(blocks.size > 1)
    for some, _ in classes(blocks.size[tied]):
        here = tied[some]
        members = Blocks(*(column[here] for column in blocks))
        past = _symmetric_means(lists, members, chances, longest)
        j = np.arange(1, past.shape[1])
        terms = (past[:, :-1] - past[:, 1:]) / (members.above[:, None] + j)
        terms[members.above[:, None] + j > longest] = 0.0
        stops[here], on[here] = np.cumsum(terms, axis=1)[:, -1], past[:, -1]
    return stops, on


def _symmetric_means(lists: Lists, blocks: Blocks, chances: Floats, longest: int) -> Floats:
    """Of each block the chance to get past 0, 1, 2, … of its rows, as far as that matters."""
    rows, block = spread(blocks.first, blocks.size)
    stop = chances[lists.grades[rows].astype(np.intp)]
    total = list_sums(block, stop, len(blocks.first))
    width = np.minimum(np.ceil(ENOUGH * blocks.size / total), blocks.size)
    width = np.clip(longest - blocks.above, 1, width).astype(np.int64)
    if int(blocks.size.max()) * int(width.max()) > MOST_STEPS:
        raise errors.TIE_TOO_LONG(size=int(blocks.size.max()))
    past = np.zeros((len(blocks.first), int(width.max()) + 1))
    past[:, 0] = 1.0
    taken = np.arange(1, past.shape[1])
    starts = np.cumsum(blocks.size) - blocks.size
    for row in range(int(blocks.size.max())):  # take in one row of every block
        open_ = blocks.size > row
        go_on = 1.0 - stop[starts[open_] + row, None]
        without = past[open_, 1:] * (np.maximum(row + 1 - taken, 0) / (row + 1))
        past[open_, 1:] = without + (taken / (row + 1)) * go_on * past[open_, :-1]
    beyond_ = taken > np.minimum(width, blocks.size)[:, None]
    last = np.take_along_axis(past, width[:, None], axis=1)
    past[:, 1:] = np.where(beyond_, last, past[:, 1:])  # nobody stops there
    return past


METRIC = RankingMetric(
    name="err",
    doc=__doc__,
    value=err,
    parameters=ranking_parameters(count("max_grade", 4, most=LARGEST_POWER)),
)

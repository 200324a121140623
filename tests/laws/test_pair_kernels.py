"""Rank statistics of pairs against all pairs of rows, literally, for every set of kernels."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.kernels.interface import Array, Digits, Kernels, RankedPairs
from tests.laws.kernel_numbers import are_digits, digits_of, each_kernel, integers_of

VALUES = st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.0, 0.1, 5e-324, 1e-310, 1.7e308, -1.7e308])
# Weights that fit one digit, that take several, and that make sums beyond int64.
WEIGHTS: dict[str, Any] = {
    "none": None,
    "small": st.integers(1, 5),
    "two digits": st.sampled_from([1, 2**31 - 1, 2**31, 2**33 + 1, 2**61]),
    "beyond int64": st.sampled_from([1, 3, 2**62, 2**90 + 1, 2**80]),
}


class Rows(NamedTuple):
    """The rows of one slice: truth, prediction, weight."""

    y: list[float]
    p: list[float]
    w: list[int]


@st.composite
def slices(draw: Any) -> tuple[list[Rows], bool]:
    """Some slices, perhaps without rows, and whether rows have weights."""
    weight = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))]
    found = []
    for size in draw(st.lists(st.integers(0, 5), min_size=1, max_size=4)):
        y, p = (draw(st.lists(VALUES, min_size=size, max_size=size)) for _ in range(2))
        weights = st.just(1) if weight is None else weight
        found.append(Rows(y, p, draw(st.lists(weights, min_size=size, max_size=size))))
    return found, weight is not None


def columns_of(
    given_slices: Sequence[Rows], weighted: bool
) -> tuple[Array, Array, Array, Digits | None]:
    starts = np.cumsum([0, *(len(rows.y) for rows in given_slices)])
    y, p = (np.array([x for rows in given_slices for x in rows[k]], float) for k in (0, 1))
    weights = [w for rows in given_slices for w in rows.w]
    return starts, y, p, digits_of(weights, np.uint32) if weighted else None


def ranked(kernel: Kernels, given_slices: Sequence[Rows], weighted: bool) -> RankedPairs:
    starts, y, p, digits = columns_of(given_slices, weighted)
    both = (kernel.rank_values(starts, column, digits) for column in (y, p))
    return RankedPairs(starts, digits, *both)


def sign(a: float, b: float) -> int:
    return (a > b) - (a < b)


def doubled(x: list[float], w: list[int]) -> list[int]:
    """Twice the weight of rows below each row, and that of its ties: its doubled rank."""
    return [sum(m * (1 + sign(here, each)) for each, m in zip(x, w, strict=True)) for here in x]


@each_kernel
@given(slices())
def test_ranks(kernel: Kernels, drawn: tuple[list[Rows], bool]) -> None:
    given_slices, weighted = drawn
    pairs = ranked(kernel, given_slices, weighted)
    found = pairs.truth
    values, sizes, doubled = [], [], []
    ends = [0]
    for y, _, w in given_slices:
        distinct = sorted({each + 0.0 for each in y})
        at = [sum(m for x, m in zip(y, w, strict=True) if x == each) for each in distinct]
        below = [sum(m for x, m in zip(y, w, strict=True) if x < each) for each in distinct]
        values += distinct
        sizes += at
        doubled += [2 * b + s for b, s in zip(below, at, strict=True)]
        ends.append(len(values))
    assert found.starts.tolist() == ends
    assert found.values.tolist() == values
    assert not np.signbit(found.values[found.values == 0]).any()
    rows = [x + 0.0 for given_rows in given_slices for x in given_rows.y]
    assert found.values[found.codes].tolist() == rows
    for column, expected in ((found.sizes, sizes), (found.doubled, doubled)):
        assert are_digits(column)
        assert integers_of(column) == expected


@each_kernel
@given(slices())
def test_sums_of_ranks_and_orders(kernel: Kernels, drawn: tuple[list[Rows], bool]) -> None:
    given_slices, weighted = drawn
    pairs = ranked(kernel, given_slices, weighted)
    of_ranks, of_orders, of_gini = [], [], []
    for y, p, w in given_slices:
        a, b = doubled(y, w), doubled(p, w)
        triples = list(zip(w, a, b, strict=True))
        of_ranks.append(
            tuple(
                sum(m * k for m, k in zip(w, column, strict=True))
                for column in (
                    [i * j for _, i, j in triples],
                    [i * i for i in a],
                    [j * j for j in b],
                    [1] * len(w),
                )
            )
        )
        of_orders.append(orders(y, p, w))
        values = [Fraction(max(x, 0.0)) for x in y]
        of_gini.append(
            [
                sum(m * x * r for m, x, r in zip(w, values, ranks, strict=True))
                for ranks in (b, a, [1] * len(w))
            ]
        )
    assert list(zip(*kernel.rank_sums(pairs), strict=True)) == of_ranks
    assert list(zip(*kernel.order_sums(pairs), strict=True)) == of_orders
    gini = kernel.gini_sums(pairs)
    units = [Fraction(2) ** unit for unit in gini.unit]
    for found, wanted in zip(gini[:3], zip(*of_gini, strict=True), strict=True):
        assert [number * unit for number, unit in zip(found, units, strict=True)] == [*wanted]
    assert gini.weight.tolist() == [sum(w) for _, _, w in given_slices]


def orders(y: list[float], p: list[float], w: list[int]) -> tuple[int, int, int]:
    score = truth = prediction = 0
    for i in range(len(y)):
        for j in range(len(y)):
            weight = w[i] * w[j]
            score += weight * sign(y[i], y[j]) * sign(p[i], p[j])
            truth += weight * (y[i] != y[j])
            prediction += weight * (p[i] != p[j])
    return score, truth, prediction


@each_kernel
@given(slices())
def test_middle_errors(kernel: Kernels, drawn: tuple[list[Rows], bool]) -> None:
    given_slices, weighted = drawn
    found = kernel.middle_errors(*columns_of(given_slices, weighted))
    for lower, upper, (y, p, w) in zip(*found, given_slices, strict=True):
        if not y:
            assert isnan(lower)
            assert isnan(upper)
            continue
        sizes = sorted((abs(b - a), m) for a, b, m in zip(y, p, w, strict=True))
        above = [size for size, _ in sizes] + [inf]
        up_to, place = 0, -1
        while 2 * up_to < sum(w):
            place += 1
            up_to += sizes[place][1]
        exactly = 2 * up_to == sum(w)
        assert (lower, upper) == (above[place], above[place + exactly])

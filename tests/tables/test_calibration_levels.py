"""What calibration reads off sorted scores: bins, isotonic regression, sums as they grow, fits.

The definitions, literally and in fractions, on tables large enough for grids, blocks and cells.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats

import steelyard as sy
from steelyard.metrics.p_values import chi2_tail, range_tail
from steelyard.model import CalibrationCurve
from steelyard.reading.arrays import read_arrays
from steelyard.row_blocks import blocks as cut_into_blocks
from steelyard.states import ScoreTable, Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums.keys import equal_width
from steelyard.views.levels import Levels, grid, hull, logit_cells, sorted_side
from steelyard.views.scores import ScoreView
from steelyard.views.sums import view_of_sums

FIT = ("calibration_slope", "calibration_intercept")
NAMES = ("ece", "ecce", "hosmer_lemeshow", "mcb", "dsc", *FIT)
SPECS = (*NAMES, "ece(3)", "ece(7,kind=width)", "hosmer_lemeshow(4)")


class Block(NamedTuple):
    """A tied block: its probability, the weight of its positives and of all its rows."""

    q: Fraction
    positives: Fraction
    weight: Fraction


def blocks(y: Sequence[int], q: Sequence[float], w: Sequence[float] | None = None) -> list[Block]:
    found: dict[float, list[Fraction]] = {}
    for label, score, weight in zip(y, q, w or [1.0] * len(y), strict=True):
        sums = found.setdefault(score, [Fraction(0), Fraction(0)])
        sums[0] += label * Fraction(weight)
        sums[1] += Fraction(weight)
    return [Block(Fraction(score), *found[score]) for score in sorted(found)]


def weight(rows: Sequence[Block]) -> Fraction:
    return sum((row.weight for row in rows), Fraction(0))


# --- the definitions -----------------------------------------------------------------------------


def mass_bins(rows: Sequence[Block], count: int) -> list[list[Block]]:
    bins: dict[int, list[Block]] = {}
    before, total = Fraction(0), weight(rows)
    for row in rows:
        bins.setdefault(int(count * (2 * before + row.weight) // (2 * total)), []).append(row)
        before += row.weight
    return [bins[number] for number in sorted(bins)]


def gap(rows: Sequence[Block]) -> Fraction:
    return sum((row.positives - row.weight * row.q for row in rows), Fraction(0))


def pooled(rows: Sequence[Block]) -> list[list[Fraction]]:
    """Pool adjacent violators, one at a time: [positives, weight] of each block."""
    found: list[list[Fraction]] = []
    for row in rows:
        found.append([row.positives, row.weight])
        while len(found) > 1 and found[-2][0] * found[-1][1] >= found[-1][0] * found[-2][1]:
            up, all_ = found.pop()
            found[-1][0] += up
            found[-1][1] += all_
    return found


def recalibrated(rows: Sequence[Block]) -> Fraction:
    parts = (up * (all_ - up) / all_ for up, all_ in pooled(rows))
    return sum(parts, Fraction(0)) / weight(rows)


def moved(rows: Sequence[Block]) -> Fraction:
    """The range of the cumulative difference."""
    reached = [Fraction(0)]
    for row in rows:
        reached.append(reached[-1] + row.positives - row.weight * row.q)
    return max(reached) - min(reached)


# --- tables of every kind ------------------------------------------------------------------------


def sample(seed: int, rows: int, rate: float, digits: int, weights: str) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    q = np.round(random.beta(4 * rate, 4 - 4 * rate, rows), digits)
    q = np.clip(q, 10.0**-digits, 1 - 10.0**-digits)
    y = (random.random(rows) < q ** random.choice([0.8, 1.0, 1.3])).astype(int)
    made = {
        "none": None,
        "whole": random.integers(1, 5, rows),
        "floats": random.random(rows) + 0.01,
        "wide": np.exp2(random.integers(-60, 60, rows)) * random.random(rows),
    }
    return y, q, made[weights]


SAMPLES = [
    pytest.param(*case, id="-".join(map(str, case)))
    for case in (
        (1, 40, 0.5, 1, "none"),
        (2, 300, 0.3, 2, "whole"),
        (3, 3000, 0.1, 9, "none"),
        (4, 3000, 0.5, 9, "floats"),
        (5, 3000, 0.5, 3, "none"),
        (6, 2000, 0.5, 9, "wide"),
        (7, 5000, 0.02, 9, "whole"),
    )
]
tables = pytest.mark.parametrize(("seed", "rows", "rate", "digits", "weights"), SAMPLES)


def assert_recalibrated(table: Sequence[Block], y: Any, q: Any, w: Any) -> None:
    """dsc to the bit, and mcb but for the rounding of squares, by the isotonic rates themselves."""
    total = weight(table)
    positives = sum((row.positives for row in table), Fraction(0))
    unc = positives * (total - positives) / total**2
    assert sy.dsc(y, q, sample_weight=w) == float(unc - recalibrated(table))
    brier = sum(
        (row.positives * (1 - row.q) ** 2 + (row.weight - row.positives) * row.q**2)
        for row in table
    )
    mcb = brier / total - recalibrated(table)
    assert sy.mcb(y, q, sample_weight=w) == pytest.approx(float(mcb), rel=1e-12, abs=1e-16)


@tables
def test_the_definitions(seed: int, rows: int, rate: float, digits: int, weights: str) -> None:
    y, q, w = sample(seed, rows, rate, digits, weights)
    table = blocks(y.tolist(), q.tolist(), None if w is None else w.tolist())
    total = weight(table)
    for bins in (1, 3, 10, 300):
        parts = mass_bins(table, bins)
        exact = sum((abs(gap(part)) for part in parts), Fraction(0)) / total
        assert sy.ece(y, q, sample_weight=w, bins=bins) == float(exact)
        curve = sy.calibration_curve(y, q, sample_weight=w, bins=bins)
        assert curve.weight.tolist() == [float(weight(part)) for part in parts]
        shares = [float(sum(row.positives for row in part) / weight(part)) for part in parts]
        assert curve.observed.tolist() == shares
    assert sy.ecce(y, q, sample_weight=w) == float(moved(table) / total)
    assert_recalibrated(table, y, q, w)
    parts_of = (sy.mcb, sy.dsc, sy.unc, sy.brier)
    m, d, u, b = (metric(y, q, sample_weight=w) for metric in parts_of)
    assert m - d + u == pytest.approx(b, abs=1e-15)


@tables
def test_hosmer_lemeshow(seed: int, rows: int, rate: float, digits: int, weights: str) -> None:
    y, q, w = sample(seed, rows, rate, digits, weights)
    table = blocks(y.tolist(), q.tolist(), None if w is None else w.tolist())
    for bins in (2, 10):
        parts = mass_bins(table, bins)
        statistic = Fraction(0)
        for part in parts:
            expected = sum((row.weight * row.q for row in part), Fraction(0))
            rest = weight(part) - expected
            statistic += gap(part) ** 2 / expected + gap(part) ** 2 / rest
        row = evaluated(y, q, w, f"hosmer_lemeshow({bins})")
        assert row.value == float(statistic)
        assert row.details["degrees_of_freedom"] == len(parts)
        tail = stats.chi2.sf(float(statistic), len(parts))
        assert row.details["p_value"] == pytest.approx(tail, rel=1e-10, abs=1e-300)


def evaluated(y: Any, q: Any, w: Any, metric: str, **how: Any) -> Any:
    (row,) = sy.evaluate(label=y, score=q, weight=w, metrics=metric, **how)
    return row


# --- the fits ------------------------------------------------------------------------------------


def logistic(y: Any, q: Any, w: Any, *, slope: bool) -> tuple[float, float]:
    """Maximum likelihood by another's optimiser, in float64 and row by row."""
    x = special.logit(q)
    w = np.ones(len(y)) if w is None else w / w.max()

    def residuals(at: Any) -> Any:
        a, b = at if slope else (at[0], 1.0)
        off = w * (special.expit(a + b * x) - y)
        return [off.sum(), (off * x).sum()] if slope else [off.sum()]

    start = [0.0, 1.0] if slope else [0.0]
    found = optimize.root(residuals, start, tol=1e-14)
    assert found.success or np.abs(residuals(found.x)).max() < 1e-9
    return (found.x[0], found.x[1] if slope else 1.0)


@pytest.mark.parametrize(
    ("seed", "rows", "rate", "digits", "weights"),
    [each for each in SAMPLES if "wide" not in each.values],
)
def test_fits(seed: int, rows: int, rate: float, digits: int, weights: str) -> None:
    y, q, w = sample(seed, rows, rate, digits, weights)
    a, b = logistic(y, q, w, slope=True)
    row = evaluated(y, q, w, "calibration_slope")
    assert row.value == pytest.approx(b, rel=1e-9)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-9, abs=1e-11)
    found = sy.calibration_intercept(y, q, sample_weight=w)
    assert found == pytest.approx(logistic(y, q, w, slope=False)[0], rel=1e-9, abs=1e-11)


def test_a_fit_that_can_be_worked_out() -> None:
    """Two scores: the line goes through the two observed log odds."""
    y, q = [1] + [0] * 3 + [1] * 5 + [0], [0.2] * 4 + [0.5] * 6
    row = evaluated(y, q, None, "calibration_slope")
    slope = (log(5) - log(1 / 3)) / (log(1) - log(0.2 / 0.8))
    assert row.value == pytest.approx(slope, rel=1e-14)
    assert row.details["intercept"] == pytest.approx(log(5), rel=1e-14)
    # One score: the intercept makes up for the odds.
    found = sy.calibration_intercept([1, 0, 0, 0], [0.5] * 4)
    assert found == pytest.approx(log(1 / 3), rel=1e-14)


def test_a_steep_slope_far_from_the_start() -> None:
    """The start overshoots: logits of ±1e-4, where the fit is at thousands."""
    y = [0] * 90 + [1] * 10 + [0] * 10 + [1] * 90
    q = [0.5 - 2.5e-5] * 100 + [0.5 + 2.5e-5] * 100
    row = evaluated(y, q, None, "calibration_slope")
    x = special.logit(0.5 + 2.5e-5)
    assert row.value == pytest.approx(log(9) / x, rel=1e-9)


def newton(y: Any, q: Any, w: Any, a: float, b: float) -> tuple[float, float]:
    """Maximum likelihood in long double, from a place that must be near it."""
    wide = np.longdouble
    q = np.asarray(q, wide)
    w = np.ones(len(q), wide) if w is None else np.asarray(w, wide)
    x = np.log(q) - np.log1p(-q)
    centre = (w * x).sum() / w.sum()
    x, level, slope = x - centre, wide(a) + wide(b) * centre, wide(b)
    for _ in range(20):
        # Far out exp would overflow: beyond 11,000 the chance is 0 or 1 in long double too.
        chance = 1 / (1 + np.exp(-np.clip(level + slope * x, -11_000, 11_000)))
        off, bend = w * (chance - np.asarray(y)), w * chance * (1 - chance)
        mean = (bend * x).sum() / bend.sum()
        steeper = -(off * (x - mean)).sum() / (bend * (x - mean) ** 2).sum()
        level, slope = level - off.sum() / bend.sum() - mean * steeper, slope + steeper
    # No other point than the best one has no gradient.
    assert abs(off.sum()) + abs((off * x).sum()) < 1e-12 * w.sum()
    return float(level - slope * centre), float(slope)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize(
    ("rows", "crossed", "about"),
    [(2000, 40, 8.0), (20_000, 1, 1637.581), (200_000, 5, 3209.03), (200_000, 1, 16376.5)],
)
def test_steep_slopes(rows: int, crossed: int, about: float) -> None:
    """Rows that a score almost separates, at any fineness of cells."""
    x = np.linspace(-8, 8, rows) + 0.3
    q, y = special.expit(x), (x > 0.3).astype(int)
    half = rows // 2
    y[half - crossed : half], y[half : half + crossed] = 1, 0
    row = evaluated(y, q, None, "calibration_slope")
    a, b = newton(y, q, None, row.details["intercept"], row.value)
    assert row.value == pytest.approx(b, rel=1e-12)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-12)
    if rows > 2000:
        assert row.value == pytest.approx(about, rel=1e-5)
    order = np.random.default_rng(1).permutation(rows)
    assert sy.calibration_slope(y[order], q[order]) == row.value


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize("steep", [-50.0, 0.01, 0.3, 2.0, 3.9, 4.1, 60.0, 218.0, 5000.0, 20_000.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_slopes_of_every_size(steep: float, weighted: bool) -> None:
    random = np.random.default_rng(9)
    x = np.concatenate(
        [random.normal(-2, 2, 4000), random.normal(-1, 3 / max(abs(steep), 1), 4000)]
    )
    y = (random.random(8000) < special.expit(steep * (x + 1))).astype(int)
    q, w = special.expit(x), np.exp(random.normal(0, 2, 8000)) if weighted else None
    row = evaluated(y, q, w, "calibration_slope")
    a, b = newton(y, q, w, row.details["intercept"], row.value)
    assert row.value == pytest.approx(b, rel=1e-12, abs=1e-14)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-12, abs=1e-14)


def test_intercepts_far_from_the_start() -> None:
    """One score, so that the answer is known; the loss is flat on the far side."""
    for y, q in (([1] * 99 + [0], 0.01), ([0] * 999 + [1], 0.99), ([1] * 9 + [0], 1e-300)):
        seen = sum(y) / len(y)
        known = special.logit(seen) - special.logit(q)
        found = sy.calibration_intercept(y, [q] * len(y))
        assert found == pytest.approx(known, rel=1e-13)
    # Weights that differ by more than float64 has digits: the loss has small parts.
    found = sy.calibration_intercept([0, 1], [0.5, 0.5], sample_weight=[1.0, 1e-30])
    assert found == pytest.approx(log(1e-30), rel=1e-13)
    assert sy.calibration_intercept([0, 1], [5e-324] * 2) == pytest.approx(1074 * log(2), rel=1e-14)
    random = np.random.default_rng(3)
    x = random.normal(0, 1, 20_000)
    y = (random.random(20_000) < special.expit(x)).astype(int)
    q = special.expit(x + 10)
    found = sy.calibration_intercept(y, q)
    off = special.expit(found + special.logit(q)) - y
    assert abs(off.sum()) < 1e-9 * len(x)
    assert found == pytest.approx(-10, abs=0.1)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize(("ones", "low", "high"), [(99, 1e-3, 1.1e-3), (20, 1e-7, 1.01e-7)])
def test_slopes_far_from_the_start(ones: int, low: float, high: float) -> None:
    """Logits in float64 leave a slope of that little spread some nine digits."""
    y, q = [1] * ones + [0] + [1] * ones, np.linspace(low, high, 2 * ones + 1)
    row = evaluated(y, q, None, "calibration_slope")
    assert row.value == pytest.approx(
        newton(y, q, None, row.details["intercept"], row.value)[1], rel=1e-8
    )


@pytest.mark.parametrize("scale", [1e-6, 1e-12, 1e-15, 0.0])
def test_scores_too_close_for_a_slope(scale: float) -> None:
    """A number or a reason, never an exception."""
    q = np.concatenate([[0.25, 0.75], 0.5 + scale * np.arange(8)])
    y = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 1])
    for some in (slice(None), slice(2, None)):
        row = evaluated(y[some], q[some], None, "calibration_slope")
        assert (row.value is None) != (row.why is None)


def test_downsampled_shifts_the_intercept() -> None:
    y, q, _ = sample(11, 2000, 0.3, 9, "none")
    plain = sy.calibration_intercept(y, q)
    shifted = sy.calibration_intercept(y, q, downsampled=0.1)
    assert shifted == pytest.approx(plain - log(0.1), rel=1e-12)
    assert sy.calibration_slope(y, q, downsampled=0.1) == pytest.approx(
        sy.calibration_slope(y, q), rel=1e-10
    )
    assert sy.dsc(y, q, downsampled=0.1) == sy.dsc(y, q)  # it goes by the order


# --- no value, and why ---------------------------------------------------------------------------

SEPARABLE = "the classes are separable by score: the slope has no finite value"


@pytest.mark.parametrize(
    ("metric", "y", "q", "why"),
    [
        *((name, [], [], "there are no rows") for name in NAMES),
        ("ece(kind=width)", [], [], "there are no rows"),
        *((name, [0, 0], [0.2, 0.3], "there are no positives") for name in FIT),
        *((name, [1, 1], [0.2, 0.3], "there are no negatives") for name in FIT),
        ("calibration_slope", [0, 1], [0.2, 0.3], SEPARABLE),
        ("calibration_slope", [1, 0], [0.2, 0.3], SEPARABLE),
        ("calibration_slope", [0, 0, 1, 1], [0.2, 0.3, 0.3, 0.4], SEPARABLE),
        ("calibration_slope", [0, 1], [0.2, 0.2], "all rows have the same score"),
        *((name, [0, 1, 1], [0.0, 0.5, 1.0], "in rows of weight 2,") for name in FIT),
        ("hosmer_lemeshow(1)", [0, 1], [0.0, 0.0], "every probability is 0 did not"),
        ("hosmer_lemeshow(1)", [0, 1], [1.0, 1.0], "every probability is 1 did not"),
    ],
)
def test_no_value(metric: str, y: list[int], q: list[float], why: str) -> None:
    row = evaluated(np.array(y, int), np.array(q, float), None, metric)
    assert row.value is None
    assert row.why is not None
    assert why in row.why


def test_one_class_has_values() -> None:
    """No positive where two were expected: bins and sums do not mind."""
    y, q = [0, 0], [0.25, 0.75]
    assert sy.ece(y, q, bins=1) == 0.5
    assert sy.ecce(y, q) == 0.5
    assert sy.hosmer_lemeshow(y, q, bins=1) == 2.0
    assert (sy.mcb(y, q), sy.dsc(y, q)) == (0.3125, 0.0)


def test_certain_forecasts() -> None:
    """Nothing varies: no p-value, and a reason; a certain bin that came true adds nothing."""
    row = evaluated([0, 0, 1], [0.0, 1.0, 1.0], None, "ecce")
    assert row.value == 1 / 3
    assert row.details["p_value"] is None
    assert "every probability is 0 or 1" in row.details["why_no_p_value"]
    row = evaluated([0, 0, 1, 0], [0.0, 0.0, 0.5, 0.5], None, "hosmer_lemeshow(2)")
    assert (row.value, row.details) == (0.0, {"p_value": 1.0, "degrees_of_freedom": 1})
    row = evaluated([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0], None, "hosmer_lemeshow(2)")
    assert (row.value, row.details["p_value"], row.details["degrees_of_freedom"]) == (0.0, None, 0)
    assert "nothing is left to chance" in row.details["why_no_p_value"]


@pytest.mark.parametrize("heavy", [0, 1])
@pytest.mark.parametrize("rows", [4, 100, 3000])
def test_one_heavy_side(heavy: int, rows: int) -> None:
    """The weights of one class pass int64 in their unit, those of the other do not."""
    random = np.random.default_rng(rows)
    q = np.round(random.random(rows), 6) * 0.9 + 0.05
    y = (random.random(rows) < q).astype(int)
    y[:2] = 0, 1
    w = np.where(y == heavy, 1000.1, 2.0**-52)
    w[np.flatnonzero(y != heavy)[0]] = 0.3
    table = blocks(y.tolist(), q.tolist(), w.tolist())
    assert_recalibrated(table, y, q, w)


def test_the_smallest_weights() -> None:
    """Each weighs 5e-324, whose square is 0 in float64: what stands beside is still a number."""
    y, q, w = [0, 1, 1, 0], [0.25, 0.5, 0.5, 0.75], [5e-324] * 4
    unit = Fraction(5e-324)
    variance = (Fraction(q[0]) * 3 / 4 * 2 + Fraction(1, 2)) * unit
    sigma = evaluated(y, q, w, "ecce").details["sigma"]
    square = variance / (4 * unit) ** 2
    assert abs(Fraction(sigma) ** 2 / square - 1) < Fraction(1, 10**14)
    level = evaluated(y, q, w, "ece(1)").details["null_level"]
    assert level == pytest.approx(sigma * sqrt(2 / np.pi), rel=1e-14)
    assert sy.ece(y, q, sample_weight=w, bins=1) == 0.0


def test_an_empty_curve() -> None:
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        curve = sy.calibration_curve(np.array([], int), np.array([], float))
    assert isinstance(curve, CalibrationCurve)
    assert np.isnan(np.concatenate(curve)).all()


# --- what stands beside --------------------------------------------------------------------------


def test_the_null_level_is_what_a_perfect_model_shows() -> None:
    """Known from simulations: 0.025 and 0.083 for a thousand rows, 0.0084 and 0.025 for ten.

    They hold for probabilities whose √(q(1−q)) is 0.31 in the mean, as it is here.
    """
    random = np.random.default_rng(5)
    for rows, few, many in ((1000, 0.025, 0.083), (10_000, 0.0084, 0.025)):
        for bins, known in ((10, few), (100, many)):
            q = random.beta(1, 5.5, rows)
            found = [sy.ece(random.random(rows) < q, q, bins=bins) for _ in range(60)]
            level = evaluated(q < 0.5, q, None, f"ece({bins})").details["null_level"]
            assert level == pytest.approx(known, rel=0.08)
            assert level == pytest.approx(float(np.mean(found)), rel=0.1)


def test_p_values_of_a_perfect_model_are_even() -> None:
    """A fifth of them below 0.2, as far as 400 samples of 2,000 rows can tell."""
    random = np.random.default_rng(7)
    q = random.random(2000)
    low = {"ecce": 0, "hosmer_lemeshow": 0}
    for _ in range(400):
        y = random.random(2000) < q
        for row in sy.evaluate(label=y, score=q, metrics=list(low)):
            low[row.metric] += row.details["p_value"] < 0.2
    assert all(50 < count < 110 for count in low.values()), low


def test_sigma() -> None:
    row = evaluated([0, 1, 1], [0.25, 0.5, 0.5], [2, 1, 1], "ecce")
    assert row.details["sigma"] == pytest.approx(sqrt(2 * 0.1875 + 2 * 0.25) / 4, rel=1e-15)


def test_chi2_tail() -> None:
    for freedom in (1, 2, 3, 9, 10, 101, 1000):
        for statistic in (0.0, 1e-9, 0.5, 1.0, 10.0, 100.0, 700.0, 1300.0):
            known = stats.chi2.sf(statistic, freedom)
            found = chi2_tail(Fraction(statistic), freedom)
            assert found == pytest.approx(known, rel=3e-13, abs=1e-300), (freedom, statistic)


def test_range_tail() -> None:
    """The known distribution, and beyond its reach the first terms of the other series."""
    for x in (0.3, 0.7, 1.0, 1.4, 1.4999, 1.5, 1.51, 2.0, 3.0, 4.5):
        lower = 0.0
        for k in range(200):
            angle = ((k + 0.5) * np.pi) ** 2
            lower += (8 / x**2 + 2 / angle) * exp(-2 * angle / x**2)
        assert range_tail(Fraction(x) ** 2) == pytest.approx(1 - lower, abs=1e-13), x
    for x in (5.0, 8.0, 20.0):
        upper = 8 * stats.norm.sf(x) - 16 * stats.norm.sf(2 * x)
        assert range_tail(Fraction(x) ** 2) == pytest.approx(upper, rel=1e-12), x
    assert range_tail(Fraction(0)) == 1.0


# --- bins of equal width -------------------------------------------------------------------------


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 10, 15, 1000, 1 << 20])
def test_edges_are_where_users_write_them(bins: int) -> None:
    random = np.random.default_rng(bins)
    number = np.concatenate([[0, bins - 1], random.integers(0, bins, 300)])
    edges = np.array([k / bins for k in number.tolist()])
    assert equal_width(edges, bins).tolist() == number.tolist()
    below = np.nextafter(edges[edges > 0], 0)
    assert equal_width(below, bins).tolist() == (number[edges > 0] - 1).tolist()
    q = random.random(300)
    assert equal_width(q, bins).tolist() == [int(Fraction(each) * bins) for each in q.tolist()]
    assert equal_width(np.array([1.0, 5e-324]), bins).tolist() == [bins - 1, 0]


def bin_sums(bins: int) -> Sums:
    return Sums(["weight", "weighted_positives", "expected", "variance"], f"bin {bins}")


def lines_of(state: Sums) -> list[tuple[Any, ...]]:
    """The key and the exact sums of each bin that has rows."""
    (lines,) = view_of_sums(state, 0, TOTAL_SLICE).each()
    return [(line.key, *map(line.exact, state.terms)) for line in lines]


def test_bin_sums_are_a_monoid() -> None:
    y, q, w = sample(3, 500, 0.4, 2, "floats")
    whole, parts = bin_sums(7), []
    whole.update(read_arrays(y, q, w))
    for rows in np.array_split(np.random.default_rng(1).permutation(500), 5):
        part = bin_sums(7)
        part.update(read_arrays(y[rows], q[rows], w[rows]))
        parts.append(Sums.loads(part.dumps()))
    merged = bin_sums(7)
    for part in parts:
        merged = part.merge(merged)
    assert merged.dumps() == whole.dumps()
    assert lines_of(Sums.loads(whole.dumps())) == lines_of(whole)
    place = 1 + whole.terms.index("weight")
    weights = {line[0][0]: line[place] for line in lines_of(whole)}
    for number in range(7):
        inside = w[(q >= number / 7) & (q < (number + 1) / 7)]
        assert weights.get(number, 0) == sum(map(Fraction, inside.tolist()))
    with pytest.raises(sy.StateError):
        whole.merge(bin_sums(8))


# --- laws ----------------------------------------------------------------------------------------

probabilities = st.one_of(st.floats(1e-9, 1 - 1e-9), st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.75]))
entries = st.lists(
    st.tuples(st.integers(0, 1), probabilities, st.integers(1, 3)), min_size=1, max_size=40
)


def results(y: Any, q: Any, w: Any = None) -> list[tuple[Any, ...]]:
    rows = sy.evaluate(label=np.array(y), score=np.array(q), weight=w, metrics=SPECS)
    return [(row.metric, row.value, row.why, tuple(row.details.items())) for row in rows]


@settings(max_examples=40)
@given(rows=entries, data=st.data())
def test_order_and_copies_change_nothing(rows: Any, data: st.DataObject) -> None:
    y, q, w = (list(column) for column in zip(*rows, strict=True))
    found = results(y, q, np.array(w))
    order = data.draw(st.permutations(range(len(y))))
    moved_ = [[column[i] for i in order] for column in (y, q, w)]
    assert results(moved_[0], moved_[1], np.array(moved_[2])) == found
    copies = [i for i in order for _ in range(w[i])]
    assert results([y[i] for i in copies], [q[i] for i in copies]) == found


@settings(max_examples=40)
@given(rows=entries, cut=st.integers(0, 40))
def test_merging_changes_nothing(rows: Any, cut: int) -> None:
    y, q, w = (np.array(column) for column in zip(*rows, strict=True))
    w = w / 4  # counted in quarters, of which some tables need fewer
    whole = sy.evaluate(label=y, score=q, weight=w, metrics=SPECS)
    parts = [
        sy.state(label=y[rows_], score=q[rows_], weight=w[rows_], metrics=SPECS)
        for rows_ in (slice(cut), slice(cut, None))
    ]
    merged = sy.merge(*parts).result()
    for mine, theirs in zip(whole, merged, strict=True):
        assert (mine.value, mine.why) == (theirs.value, theirs.why), mine.metric
        assert dict(mine.details) == dict(theirs.details)


@tables
def test_sizes_of_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch, seed: int, rows: int, rate: float, digits: int, weights: str
) -> None:
    """Grids, blocks and rounds are ways to get there."""
    y, q, w = sample(seed, rows, rate, digits, weights)
    found = results(y, q, w)
    monkeypatch.setattr(grid, "ROWS", 5)
    monkeypatch.setattr(grid, "RANGES", 3)
    monkeypatch.setattr(hull, "SMALL", 2)
    monkeypatch.setattr(sorted_side, "blocks", partial(cut_into_blocks, size=64))
    monkeypatch.setattr(logit_cells, "blocks", partial(cut_into_blocks, size=64))
    monkeypatch.setattr(sorted_side, "FEW", 2)
    assert results(y, q, w) == found


def exact_sums_of(table: ScoreTable) -> Levels:
    (view,) = ScoreView(table, 0, 1, TOTAL_SLICE).levels()
    (levels,) = view.levels
    return levels


def test_a_table_is_read_again_when_rows_come() -> None:
    table = ScoreTable()
    table.update(read_arrays([0, 1], [0.25, 0.5]))
    assert table.sorted(0, 1) is table.sorted(0, 1)
    assert exact_sums_of(table).totals.all == 2
    table.update(read_arrays([1], [0.75]))
    assert exact_sums_of(table).totals.all == 3
    other = ScoreTable()
    other.update(read_arrays([0], [0.75]))
    table.add(other)
    assert exact_sums_of(table).totals.all == 4


def test_corners_of_a_diagram() -> None:
    """By hand: the points of 1, 0 1, 0 0 1 1 by rising score, and the line below them."""
    x, y = np.array([0, 0, 1, 1, 3, 3]), np.array([0, 1, 1, 2, 2, 4])
    left, up = hull.lower_hull(x, y)
    assert list(zip(left.tolist(), up.tolist(), strict=True)) == [(0, 0), (3, 2), (3, 4)]
    assert all(b > a for a, b in pairwise(up.tolist()))


def test_slices_have_their_own() -> None:
    y, q, _ = sample(21, 400, 0.5, 9, "none")
    field = np.arange(400) % 3
    rows = sy.evaluate(
        {"y": y, "q": q, "f": field}, label="y", score="q", by="f", metrics=["ece", "mcb"]
    )
    for row in rows:
        if row.slice:
            chosen = field == row.slice["f"]
            function: Callable[..., float] = getattr(sy, row.metric)
            assert row.value == function(y[chosen], q[chosen])


def test_float32_scores_count_as_what_they_are() -> None:
    y, q, _ = sample(31, 500, 0.5, 9, "none")
    narrow = q.astype(np.float32)
    for name in NAMES:
        function = getattr(sy, name)
        assert function(y, narrow) == function(y, narrow.astype(np.float64))

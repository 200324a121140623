"""The oracles of calibration against scikit-learn and SciPy, and against what is known by hand."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, special, stats
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression

from steelyard.model import Array
from tests.oracles import calibration as oracle
from tests.oracles import calibration_levels as levels
from tests.oracles.answers import Answer, Near, Rows, Why
from tests.oracles.answers import Row as Plain
from tests.oracles.calibration import Row
from tests.oracles.special import chi_square_tail, erfc, ln, pi, range_tail, two_sided

NEAR = 1e-12


def number(answer: Answer) -> float:
    assert not isinstance(answer, Why)
    return float(answer.value if isinstance(answer, Near) else answer)


def sample(seed: int, weighted: bool, tied: bool = False) -> tuple[Array, Array, Array]:
    dice = np.random.default_rng(seed)
    count = 80
    p = dice.integers(1, 12, count) / 13 if tied else dice.random(count) * 0.98 + 0.01
    y = (dice.random(count) < p**1.3).astype(int)
    w = dice.integers(1, 5, count).astype(float) if weighted else np.ones(count)
    return y, p, w


def rows_of(y: Array, p: Array, w: Array, field: Array | None = None) -> list[Row]:
    fields = [None] * len(y) if field is None else field.tolist()
    every = zip(y.tolist(), p.tolist(), w.tolist(), fields, strict=True)
    return [Row(Fraction(a), Fraction(b), Fraction(c), b, d) for a, b, c, d in every]


SAMPLES = [(seed, weighted, tied) for seed in (1, 2) for weighted in (0, 1) for tied in (0, 1)]
each = pytest.mark.parametrize(("seed", "weighted", "tied"), SAMPLES)


# --- special functions ---------------------------------------------------------------------------


def test_special_functions() -> None:
    assert float(pi()) == math.pi
    for x in (0.0, 0.3, 1.0, 4.5, 12.0, 26.0):
        assert float(erfc(Decimal(x))) == pytest.approx(math.erfc(x), rel=1e-13)
        assert float(two_sided(Decimal(x))) == pytest.approx(2 * stats.norm.sf(x), rel=1e-13)
        for df in (1, 2, 3, 7, 10):
            expected = stats.chi2.sf(x, df)
            assert float(chi_square_tail(Decimal(x), df)) == pytest.approx(expected, rel=1e-12)
    assert float(ln(Fraction(1, 3))) == math.log(1 / 3)


def test_the_span_of_a_brownian_motion() -> None:
    """Its mean is √(8/π): the integral of the tail. And 8·Σ(−1)ᵏ⁻¹k·Φ̄(kx) is Feller's series."""
    grid = np.linspace(0, 8, 401)
    tails = [float(range_tail(Decimal(x))) for x in grid.tolist()]
    assert np.trapezoid(tails, grid) == pytest.approx(math.sqrt(8 / math.pi), rel=1e-6)
    for x in (1.5, 2.5, 4.0, 9.0):
        k = np.arange(1, 40)
        feller = 8 * np.sum((-1.0) ** (k - 1) * k * stats.norm.sf(k * x))
        assert float(range_tail(Decimal(x))) == pytest.approx(feller, rel=1e-10)


# --- sums ----------------------------------------------------------------------------------------


@each
def test_losses(seed: int, weighted: bool, tied: bool) -> None:
    y, p, w = sample(seed, weighted, tied)
    rows = rows_of(y, p, w)
    loss = sk.log_loss(y, p, sample_weight=w)
    assert number(oracle.logloss(rows)) == pytest.approx(loss, rel=NEAR)
    brier = sk.brier_score_loss(y, p, sample_weight=w)
    assert number(oracle.brier(rows)) == pytest.approx(brier, rel=NEAR)
    base = np.full(len(y), np.average(y, weights=w))
    flat = sk.log_loss(y, base, sample_weight=w)
    assert number(oracle.ne(rows)) == pytest.approx(loss / flat, rel=NEAR)
    assert number(oracle.rig(rows)) == pytest.approx(1 - loss / flat, rel=1e-10)
    assert number(oracle.rig(rows)) == pytest.approx(
        sk.d2_log_loss_score(y, p, sample_weight=w), rel=1e-10
    )
    unc = sk.brier_score_loss(y, base, sample_weight=w)
    assert number(oracle.unc(rows)) == pytest.approx(unc, rel=NEAR)
    assert number(oracle.copc(rows)) == pytest.approx((w * y).sum() / (w * p).sum(), rel=NEAR)
    assert number(oracle.copc(rows)) * number(oracle.pcoc(rows)) == pytest.approx(1, rel=NEAR)


def test_certain_and_wrong() -> None:
    y, p, w = np.array([1, 0, 1, 0]), np.array([0.0, 1.0, 1.0, 0.25]), np.ones(4)
    rows = rows_of(y, p, w)
    assert oracle.surprised(rows) == 2
    assert isinstance(oracle.logloss(rows), Why)
    eps = float(np.finfo(float).eps)
    theirs = sk.log_loss(y, p)  # clips at the same eps
    assert number(oracle.logloss(rows, clip=eps)) == pytest.approx(theirs, rel=NEAR)


def test_downsampled() -> None:
    """A model that saw a hundredth of the negatives; two values that statistics books have."""
    for p, r, q in ((0.1, 0.01, 0.00110988), (0.5, 0.1, 0.0909091)):
        (row,) = oracle.read(Rows((Plain(True, p, Fraction(1)),)), downsampled=r)
        assert float(row.p) == pytest.approx(q, rel=1e-5)
        assert float(special.logit(float(row.p))) == pytest.approx(
            special.logit(p) + math.log(r), rel=NEAR
        )


# --- bins ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_curve_of_equal_width(seed: int) -> None:
    y, p, w = sample(seed, weighted=False)
    true, said = calibration_curve(y, p, n_bins=7)
    ours = levels.calibration_curve(rows_of(y, p, w), 7, "width")
    assert isinstance(ours, list)
    assert [float(mean) for mean, _, _ in ours] == pytest.approx(said, rel=NEAR)
    assert [float(share) for _, share, _ in ours] == pytest.approx(true, rel=NEAR)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_curve_of_equal_mass(seed: int) -> None:
    """80 rows in 8 bins are ten each, as quantiles have it."""
    y, p, w = sample(seed, weighted=False)
    true, said = calibration_curve(y, p, n_bins=8, strategy="quantile")
    ours = levels.calibration_curve(rows_of(y, p, w), 8, "mass")
    assert isinstance(ours, list)
    assert [weight for _, _, weight in ours] == [10] * 8
    assert [float(mean) for mean, _, _ in ours] == pytest.approx(said, rel=NEAR)
    assert [float(share) for _, share, _ in ours] == pytest.approx(true, rel=NEAR)
    gaps = np.abs(true - said)
    assert number(levels.ece(rows_of(y, p, w), 8)) == pytest.approx(gaps.mean(), rel=1e-10)


@each
def test_integer_weights_are_copies(seed: int, weighted: bool, tied: bool) -> None:
    """Of every oracle: the very same answer."""
    y, p, w = sample(seed, weighted, tied)
    field = np.arange(len(y)) % 5
    copies = [np.repeat(column, w.astype(int)) for column in (y, p, np.ones(len(y)), field)]
    one, many = rows_of(y, p, w, field), rows_of(copies[0], copies[1], copies[2], copies[3])
    for function in (
        *(oracle.copc, oracle.pcoc, oracle.brier, oracle.unc, levels.mcb, levels.dsc),
        *(levels.ece, levels.ecce, oracle.field_ece, oracle.field_rce, levels.hosmer_lemeshow),
    ):
        assert function(one) == function(many), function
    for function in (
        *(oracle.logloss, oracle.ne, oracle.spiegelhalter, levels.calibration_slope),
        *(levels.ece_null, levels.ecce_p_value, levels.calibration_intercept),
    ):
        assert number(function(one)) == pytest.approx(number(function(many)), rel=1e-15)


@pytest.mark.parametrize("seed", [1, 2])
def test_hosmer_lemeshow(seed: int) -> None:
    y, p, w = sample(seed, weighted=False)
    order = np.argsort(p).reshape(10, 8)
    seen, said = y[order].sum(axis=1), p[order].sum(axis=1)
    found = stats.chisquare(
        np.concatenate([seen, 8 - seen]), np.concatenate([said, 8 - said]), sum_check=False
    )
    rows = rows_of(y, p, w)
    assert number(levels.hosmer_lemeshow(rows)) == pytest.approx(found.statistic, rel=1e-10)
    expected = stats.chi2.sf(found.statistic, 10)
    assert number(levels.hosmer_lemeshow_p_value(rows)) == pytest.approx(expected, rel=1e-10)


def test_the_null_level_is_what_a_perfect_model_has() -> None:
    """Labels drawn from the probabilities themselves, 400 times."""
    dice = np.random.default_rng(5)
    p = dice.random(1000) * 0.6 + 0.2
    order = np.argsort(p).reshape(10, 100)
    drawn = dice.random((400, 1000)) < p
    gaps = np.abs((drawn - p)[:, order].sum(axis=2)).sum(axis=1) / 1000
    rows = rows_of(np.ones(1000, int), p, np.ones(1000))
    assert number(levels.ece_null(rows)) == pytest.approx(gaps.mean(), rel=0.05)


# --- without bins --------------------------------------------------------------------------------


@each
def test_parts_of_brier(seed: int, weighted: bool, tied: bool) -> None:
    y, p, w = sample(seed, weighted, tied)
    rows = rows_of(y, p, w)
    fitted = IsotonicRegression().fit_transform(p, y, sample_weight=w)
    best = np.average((fitted - y) ** 2, weights=w)
    brier, unc = number(oracle.brier(rows)), number(oracle.unc(rows))
    assert number(levels.mcb(rows)) == pytest.approx(brier - best, abs=1e-12)
    assert number(levels.dsc(rows)) == pytest.approx(unc - best, abs=1e-12)


@each
def test_spiegelhalter(seed: int, weighted: bool, tied: bool) -> None:
    y, p, w = sample(seed, weighted, tied)
    z = (w * (y - p) * (1 - 2 * p)).sum() / math.sqrt((w * (1 - 2 * p) ** 2 * p * (1 - p)).sum())
    rows = rows_of(y, p, w)
    assert number(oracle.spiegelhalter(rows)) == pytest.approx(z, rel=1e-10)
    expected = 2 * stats.norm.sf(abs(z))
    assert number(oracle.spiegelhalter_p_value(rows)) == pytest.approx(expected, rel=1e-9)


def test_ecce_by_hand() -> None:
    """Gaps .75, −.5, .25 in order of score: sums 0, .75, .25, .5, so a range of ¾ over 3 rows."""
    rows = rows_of(np.array([1, 0, 1]), np.array([0.25, 0.5, 0.75]), np.ones(3))
    assert levels.ecce(rows) == Fraction(1, 4)
    tied = rows_of(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.5]), np.ones(3))
    assert levels.ecce(tied) == Fraction(1, 6)  # one block: only its end counts


@each
def test_slope_and_intercept(seed: int, weighted: bool, tied: bool) -> None:
    """The same maximum, found by SciPy from nothing."""
    y, p, w = sample(seed, weighted, tied)
    x = special.logit(p)
    sign = 2 * y - 1

    def loss(ab: Array) -> float:
        return float((w * np.logaddexp(0, -sign * (ab[0] + ab[1] * x))).sum())

    rows = rows_of(y, p, w)
    both = optimize.minimize(loss, [0.0, 0.0], method="BFGS", options={"gtol": 1e-7})
    assert number(levels.calibration_slope(rows)) == pytest.approx(both.x[1], rel=1e-5)
    one = optimize.minimize_scalar(lambda a: loss(np.array([a, 1.0])), options={"xtol": 1e-10})
    assert number(levels.calibration_intercept(rows)) == pytest.approx(one.x, abs=1e-6)


@pytest.mark.parametrize(
    ("y", "p", "why"),
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], levels.SEPARABLE),
        ([0, 1, 0, 1], [0.1, 0.3, 0.3, 0.4], levels.SEPARABLE),
        ([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4], levels.SEPARABLE),
        ([1, 0, 1, 0], [0.3, 0.3, 0.3, 0.3], levels.CONSTANT),
        ([1, 0, 1, 0], [0.3, 0.0, 0.3, 0.4], levels.CERTAIN),
        ([1, 1, 1, 1], [0.3, 0.1, 0.3, 0.4], oracle.NO_NEGATIVES),
        ([0, 0, 0, 0], [0.3, 0.1, 0.3, 0.4], oracle.NO_POSITIVES),
        ([], [], oracle.NO_ROWS),
    ],
)
def test_no_slope(y: list[int], p: list[float], why: Why) -> None:
    rows = rows_of(np.array(y, int), np.array(p, float), np.ones(len(y)))
    assert levels.calibration_slope(rows) == why


# --- fields and money ----------------------------------------------------------------------------


def test_fields_and_money_by_hand() -> None:
    y, p, w = np.array([1, 0, 0, 0]), np.array([0.5, 0.25, 0.25, 0.5]), np.array([1, 2, 1, 4])
    rows = rows_of(y, p, w, np.array([1, 1, 2, 2]))
    # gaps: 1: .5 − .5 = 0; 2: −.25 − 2 = −2.25
    assert oracle.field_ece(rows) == Fraction(9, 32)
    assert oracle.field_rce(rows) == 0  # 2 has no click, and is left out
    # 2 with eps: 5 · 2.25/(5 · .01) over all 8
    assert oracle.field_rce(rows, eps=0.01) == Fraction(225, 8)
    rows = [row._replace(bid=Fraction(2), revenue=row.y) for row in rows]
    assert oracle.ecpm(rows) == 1000 * 2 * Fraction(13, 4) / 8
    assert oracle.ecpm(rows, "realised") == 250
    assert oracle.ecpm(rows, "realised", revenue="revenue") == 125

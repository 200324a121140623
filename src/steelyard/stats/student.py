"""Student's t: two-sided p values and quantiles for any real degrees of freedom, column by column.

With a = ν/2, r = t²/ν and x = 1/(1+r), P(|T| ≥ t) is the incomplete beta function I_x(a, ½). Its
parts share the weight w = x^a·√(1−x)/B(a, ½), which is t times the density of T:

- far out, r ≥ 1: P = w/a·Σ (a+½)ₙ/(a+1)ₙ·xⁿ;
- near 0, r < ¼ and t < 2.45: 1 − P = 2w·Σ (a+½)ₙ/(3/2)ₙ·(1−x)ⁿ;
- between: the first terms of the first sum. The others are the tail at the same r for more degrees
  of freedom, where Wallace's variable √((ν−½)·ln(1+r)) is nearly normal.

Precision: for ν from ½ on, relative errors are below 3e-13 for p down to 1e-280, and below 1e-14
for quantiles. Only +, −, ×, ÷, √ and the kernels' log and exp are used, element by element: the
same bits on every machine, whatever the other elements are.

DLMF 8.17.8 and 8.17.20; Wallace (1959), Annals of Mathematical Statistics 30:1124.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.logarithms import log_one_plus
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Floats

BLOCK = 1 << 13  # elements: a column of 64 kB, so that all columns of a block fit the cache
NORMAL = 1e20  # more degrees of freedom change no digit: 1 + t⁴/4ν is 1 + 4e-15 at p = 1e-280
FARTHEST = 1e150  # t/√ν whose square is a float64
HIGHEST = 1e300  # a quantile, so that no step towards it overflows
FAR, NEAR, NEAR_T = 1.0, 0.25, 2.45  # bounds of r and t: P is above 0.014 where 1 − P is summed
FAR_TERMS, NEAR_TERMS = 56, 40  # what they leave out is below 2**-54
SHIFT = 12  # terms before the tail for ν + 2·SHIFT degrees of freedom
MILLS_TERMS = 48  # of the continued fraction, for 2e-15 at 2.29, the lowest normal variable
STEPS = 4  # of Newton; three are enough from ν = ½ on
NORMAL_STEPS = 10  # from a start that may be 80 % off
ROOT_PI, ROOT_TWO_PI = 1.7724538509055159, 2.5066282746310002
# √(v/sinh v) in powers of (2v)². The next would be 4e-18 at ln 2, the largest 2v.
WALLACE = (
    *(1.0, -1 / 48, 1 / 2560, -61 / 7741440, 1261 / 7431782400, -79 / 20761804800),
    *(66643 / 761775532277760, -16820653 / 8227175748599808000),
    3745813 / 77499283242221568000,
)
# Its mean for a normal variable, in powers of 1/(ν−½)²: times the moments 1·3·5⋯(4k−1).
MEAN = tuple(share * math.prod(range(1, 4 * k, 2)) for k, share in enumerate(WALLACE))


class Freedom(NamedTuple):
    """Degrees of freedom ν: ν/2, √ν and 1/B(ν/2, ½)."""

    half: Floats
    root: Floats
    scale: Floats


class Point(NamedTuple):
    """ν/2, ν/(ν+t²), t²/(ν+t²), ln(1 + t²/ν), and t times the density of T."""

    half: Floats
    x: Floats
    y: Floats
    log: Floats
    weight: Floats


class Masses(NamedTuple):
    """P(|T| ≥ t), P(|T| < t), and t times the density of T."""

    tail: Floats
    centre: Floats
    weight: Floats


def t_two_sided(statistic: Floats, freedom: Floats) -> Floats:
    """P(|T| ≥ |t|) for each statistic t and its degrees of freedom, which may be infinite.

    NaN where either is NaN, or the degrees of freedom are not above 0.

    >>> t_two_sided(np.array([0.0, 1.0, 1.0]), np.array([3.4, 1.0, 2.0])).round(12).tolist()
    [1.0, 0.5, 0.42264973081]
    """
    t = np.abs(statistic)
    result = np.where(t == np.inf, 0.0, np.nan)
    result[~(freedom > 0)] = np.nan
    known = np.flatnonzero((t < np.inf) & (freedom > 0))
    for rows in blocks(len(known), BLOCK):
        here = known[rows]
        result[here] = _masses(t[here], _freedom(freedom[here])).tail
    return result


def t_quantile(probability: float, freedom: Floats) -> Floats:
    """The t that T is below with this probability, ½ ≤ p < 1, for each of the degrees of freedom.

    They may be infinite. NaN where they are not above 0; ∞ where t is above 1e300.

    >>> t_quantile(0.975, np.array([1.0, 3.4, np.inf])).round(9).tolist()
    [12.706204736, 2.980773503, 1.959963985]
    """
    result = np.where(freedom > 0, 0.0, np.nan)
    if probability == 0.5:
        return result
    normal = _normal_quantile(probability)
    known = np.flatnonzero(freedom > 0)
    for rows in blocks(len(known), BLOCK):
        result[known[rows]] = _quantiles(probability, normal, _freedom(freedom[known[rows]]))
    return result


# --- both masses ---------------------------------------------------------------------------------


def _freedom(freedom: Floats) -> Freedom:
    freedom = np.minimum(freedom, NORMAL)
    half = freedom / 2
    return Freedom(half, np.sqrt(freedom), _gamma_ratio(half) / ROOT_PI)


def _masses(t: Floats, given: Freedom) -> Masses:
    """Both masses, each by the formula for where t is; one is 1 minus the other."""
    ratio = np.square(np.minimum(t, FARTHEST * given.root) / given.root)
    point = _point(t, ratio, given)
    far = ratio >= FAR
    near = (ratio < NEAR) & (t < NEAR_T)
    tail, centre = np.empty_like(t), np.empty_like(t)
    for chosen, masses in ((far, _far), (near, _near), (~(far | near), _between)):
        rows = np.flatnonzero(chosen)
        if len(rows):
            tail[rows], centre[rows] = masses(Point(*(column[rows] for column in point)))
    return Masses(tail, centre, point.weight)


def _point(t: Floats, ratio: Floats, given: Freedom) -> Point:
    log = log_one_plus(ratio)
    beyond = np.flatnonzero(t >= FARTHEST * given.root)
    log[beyond] = 2 * (kernels.active().log(t[beyond]) - kernels.active().log(given.root[beyond]))
    y = ratio / (1 + ratio)
    weight = kernels.active().exp(-given.half * log) * (np.sqrt(y) * given.scale)
    return Point(given.half, 1 / (1 + ratio), y, log, weight)


def _far(point: Point) -> tuple[Floats, Floats]:
    tail = _first_terms(point, FAR_TERMS)
    return tail, 1 - tail


def _near(point: Point) -> tuple[Floats, Floats]:
    centre = 2 * point.weight * _series(point.y, point.half + 0.5, 1.5, NEAR_TERMS)
    return 1 - centre, centre


def _between(point: Point) -> tuple[Floats, Floats]:
    tail = _first_terms(point, SHIFT) + _wallace(2 * (point.half + SHIFT) - 0.5, point.log)
    return tail, 1 - tail


def _first_terms(point: Point, terms: int) -> Floats:
    return point.weight / point.half * _series(point.x, point.half + 0.5, point.half + 1, terms)


def _series(x: Floats, above: Floats, below: Floats | float, terms: int) -> Floats:
    """1 + x·above/below·(1 + x·(above+1)/(below+1)·(1 + …)), from the innermost out."""
    total = np.ones_like(x)
    for n in range(terms - 2, -1, -1):
        total *= (above + n) / (below + n) * x
        total += 1
    return total


def _wallace(size: Floats, log: Floats) -> Floats:
    """The tail for ν degrees of freedom, size = ν−½, at ln(1 + t²/ν) = log up to ln 2.

    T is above t where Wallace's variable is above z = √(size·log), and its density is the normal
    one times √(v/sinh v), 2v = z²/size, over the mean of that. With hⱼ = ∫ (s²/size)ʲ·φ(s) ds/φ(z)
    from z on, hⱼ = logʲ/z + (2j−1)/size·hⱼ₋₁.
    """
    z = np.sqrt(size * log)
    h, power = _mills(z), 1 / z
    total = h.copy()
    for j in range(1, 2 * len(WALLACE) - 1):
        power *= log
        h *= (2 * j - 1) / size
        h += power
        if j % 2 == 0:
            total += WALLACE[j // 2] * h
    density = kernels.active().exp(-0.5 * size * log) / ROOT_TWO_PI
    tail: Floats = 2 * density * total / _mean(size)
    return tail


def _mills(z: Floats) -> Floats:
    """Normal tail over normal density, 1/(z + 1/(z + 2/(z + 3/(z + …)))), from the innermost out.

    The terms left out are about the root of s = z + k/s; without it 70 terms would be needed.
    """
    tail = (z + np.sqrt(z * z + 4 * MILLS_TERMS)) / 2
    for k in range(MILLS_TERMS, 0, -1):
        np.divide(k, tail, out=tail)
        tail += z
    return 1 / tail


def _mean(size: Floats) -> Floats:
    """The mean of √(v/sinh v), 2v = s²/size, for a normal s: for sizes from 23.5 on."""
    square = 1 / (size * size)
    total = np.full_like(size, MEAN[-1])
    for share in MEAN[-2::-1]:
        total *= square
        total += share
    return total


def _gamma_ratio(a: Floats) -> Floats:
    """Γ(a+½)/Γ(a), which is √(a−¼)/_mean(2a−½) for a large a; a smaller one is raised by SHIFT."""
    product = np.ones_like(a)
    for j in range(SHIFT):
        product *= (a + j) / (a + (j + 0.5))
    size = 2 * (a + SHIFT) - 0.5
    ratio: Floats = product * np.sqrt(size / 2) / _mean(size)
    return ratio


# --- quantiles -----------------------------------------------------------------------------------


def _quantiles(probability: float, normal: float, given: Freedom) -> Floats:
    """The quantile for each of the degrees of freedom; normal: the one for infinitely many."""
    start = _start(probability, normal, given)
    finite = np.flatnonzero(start < HIGHEST)
    given = Freedom(*(column[finite] for column in given))
    found = np.full(len(start), np.inf)
    found[finite] = _newton(probability, start[finite], given, STEPS)
    return found


def _newton(probability: float, t: Floats, given: Freedom, steps: int) -> Floats:
    """The quantile from a start, by steps for ln t in the logarithm of the smaller mass.

    That is a line both near 0 and far out, so that any start does. Both masses of a probability
    from ½ to 1 are exact in float64.
    """
    below, above = 2 * probability - 1, 2 * (1 - probability)
    for _ in range(steps):
        tail, centre, weight = _masses(t, given)
        if above <= below:
            step = kernels.active().log(tail / above) * (tail / (2 * weight))
        else:
            step = kernels.active().log(below / centre) * (centre / (2 * weight))
        t = t * kernels.active().exp(step)
    return t


@cache  # the same for all metrics of a table
def _normal_quantile(probability: float) -> float:
    """From the bounds P(|Z| ≥ z) ≤ exp(−z²/2) and P(|Z| < z) ≤ 2z·φ(0)."""
    below, above = 2 * probability - 1, 2 * (1 - probability)
    start = np.sqrt(-2 * kernels.active().log(np.array([above])))
    if above > below:
        start = np.array([below * ROOT_TWO_PI / 2])
    return float(_newton(probability, start, _freedom(np.array([NORMAL])), NORMAL_STEPS)[0])


def _start(probability: float, normal: float, given: Freedom) -> Floats:
    """Wallace's approximation; for ν < ½ the first term of the tail, scale/a·(√ν/t)^ν."""
    freedom = 2 * given.half
    power = normal * (8 * freedom + 3) / (8 * freedom + 1)
    power = np.minimum(power * power / freedom, 700.0)
    excess = np.where(power < 1e-4, power, kernels.active().exp(power) - 1)
    tail = given.scale / given.half / (2 * (1 - probability))
    few = given.root * kernels.active().exp(kernels.active().log(tail) / freedom)
    return np.where(freedom < 0.5, few, given.root * np.sqrt(excess))

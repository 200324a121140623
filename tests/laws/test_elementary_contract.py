"""Logarithms and exp, operation by operation as their contract says, with Python's floats."""

import struct
from math import frexp, inf, ldexp

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.kernels import logarithms
from steelyard.kernels.interface import Kernels
from steelyard.kernels.numpy import elementary
from tests.laws.kernel_numbers import each_kernel


def polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = coefficients[0] * x + coefficients[1]
    for coefficient in coefficients[2:]:
        value = value * x + coefficient
    return value


def bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def log(x: float) -> float:
    if x == 0:
        return -inf
    k = 0
    if x < 2.0**-1022:
        x, k = x * 2.0**54, -54
    step = (bits(x) - elementary.ROOT_HALF) >> 52
    k += step
    f = ldexp(x, -step) - 1.0
    s = f / (f + 2.0)
    z = s * s
    v = z * z
    r = polynomial(elementary.LOG_ODD, v) * z + polynomial(elementary.LOG_EVEN, v) * v
    h = (f * 0.5) * f
    t = (r + h) * s + k * elementary.LN2_LOW
    return k * elementary.LN2_HIGH - ((h - t) - f)


def log_complement(p: float) -> float:
    u = 1.0 - p
    return log(u) + ((1.0 - u) - p) / (u or 1.0)


def log_one_plus(x: float) -> float:
    u = 1.0 + x
    return log(u) + (x - (u - 1.0) if x < 1 else 1.0 - (u - x)) / u


def tail(y: float, terms: int) -> float:
    sum_ = 0.0
    for i in range(terms, 0, -1):
        sum_ = (sum_ + 1.0 / (2 * i + 1)) * (y * y)
    return sum_


def reduced(x: float) -> tuple[float, int]:
    m, k = frexp(x)
    return (2.0 * m, k - 1) if m < 0.7071067811865476 else (m, k)


def log2(n: int) -> float:
    m, k = reduced(float(n))
    y = (m - 1.0) / (m + 1.0)
    return k + (y + y * tail(y, 12)) * logarithms.TWO_OVER_LN2


def one_minus_ratio(z: float, y: float) -> tuple[float, float]:
    if z <= 1:
        terms, y = (6, y) if z <= 1 / 16 else (18, min(y, 1 / 3))
        r = y - (1.0 - y) * tail(y, terms)
        return r, 1.0 - r
    if z == inf:
        return 1.0, 0.0
    u = 1.0 + z
    m, k = reduced(u)
    y = (m - 1.0) / (m + 1.0)
    a = k * logarithms.LN2_HIGH
    b = k * logarithms.LN2_LOW + (2.0 * (y + y * tail(y, 12)) + (1.0 - (u - z)) / u)
    return ((z - a) - b) / z, (a + b) / z


def exp(x: float) -> float:
    x = min(max(x, -746.0), 710.0)
    k = round(x * elementary.ONE_OVER_LN2)
    h, low = x - k * elementary.LN2_HIGH, k * elementary.LN2_LOW
    r = h - low
    c = r - polynomial(elementary.EXP, r * r) * (r * r)
    e = 1.0 - ((low - (r * c) / (2.0 - c)) - h)
    first = k >> 1
    return e * 2.0**first * 2.0 ** (k - first)


POSITIVE = st.floats(0, allow_infinity=False) | st.floats(0.5, 2.0) | st.floats(0, 2.0**-1022)


@each_kernel
@given(POSITIVE)
@example(5e-324)
def test_log(kernel: Kernels, x: float) -> None:
    assert kernel.log(np.array([x]))[0] == log(x)


@each_kernel
@given(st.floats(0, 1) | st.floats(0, 1e-10))
@example(1.0)
def test_log_chance(kernel: Kernels, p: float) -> None:
    assert kernel.log_complement(np.array([p]))[0] == log_complement(p)
    both = kernel.log_chance(np.array([p, p]), np.array([True, False]))
    assert both.tolist() == [log(p), log_complement(p)]


@given(POSITIVE)
def test_log_one_plus(x: float) -> None:
    assert logarithms.log_one_plus(np.array([x]))[0] == log_one_plus(x)


@given(st.integers(1, 2**53))
def test_log2_counts(n: int) -> None:
    assert logarithms.log2_counts(np.array([n]))[0] == log2(n)


@given(st.floats(0) | st.floats(0, 1) | st.floats(0, 0.07))
def test_one_minus_ratio(z: float) -> None:
    y = 1.0 if z == inf else z / (2.0 + z)
    found = logarithms.one_minus_log1p_ratio(np.array([z]), np.array([y]))
    assert (found[0][0], found[1][0]) == one_minus_ratio(z, y)


@each_kernel
@given(st.floats(allow_nan=False) | st.floats(-750, 710))
def test_exp(kernel: Kernels, x: float) -> None:
    assert kernel.exp(np.array([x]))[0] == exp(x)

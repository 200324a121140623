"""log, ln(1 − p) and exp against Decimal's, which are correctly rounded.

Errors are in units of the last place of the true value. fdlibm's method promises less than one for
log and exp. ln(1 − p) adds the correction, whose sum rounds once more: one and a half.
"""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest

from steelyard.kernels.interface import Array, Kernels
from steelyard.kernels.numpy.elementary import BLOCK
from tests.laws.kernel_numbers import each_kernel

RANDOM = np.random.default_rng(5)
POWERS = 2.0 ** np.arange(-1074.0, 1024.0)
ABOVE_ZERO: Array = np.concatenate(
    [
        RANDOM.random(3000),
        10.0 ** RANDOM.uniform(-300, 300, 1500),
        1 + RANDOM.uniform(-1e-3, 1e-3, 1500),  # where f − f²/2 is nearly all
        1 + np.arange(-50, 50) * 2.0**-53,  # the neighbours of 1
        RANDOM.uniform(0.7071, 0.7072, 500),  # where the power of two changes
        RANDOM.uniform(1.4142, 1.4143, 500),
        RANDOM.integers(1, 2**52, 500).view(np.float64),  # subnormal, of any size
        10.0 ** RANDOM.uniform(-323, -308, 200),
        *(POWERS, POWERS[60:] * (1 + 2.0**-52), POWERS[60:] * (1 - 2.0**-53)),
        [5e-324, math.nextafter(2.0**-1022, 0), 2.0**-1022, 1.7976931348623157e308],
    ]
)
PROBABILITIES: Array = np.concatenate(
    [
        RANDOM.random(3000),
        10.0 ** RANDOM.uniform(-320, 0, 1500),
        1 - 10.0 ** RANDOM.uniform(-15, 0, 1500),
        RANDOM.uniform(0, 4e-16, 1000),  # where 1 − p keeps a bit or none of p
        np.arange(1, 200) * 2.0**-54,
        [0.5, math.nextafter(0.5, 0), math.nextafter(0.5, 1), math.nextafter(1, 0), 5e-324],
    ]
)
EXPONENTS: Array = np.concatenate(
    [
        RANDOM.uniform(-745, 709.7, 3000),
        RANDOM.uniform(-1, 1, 2000),
        *(10.0 ** RANDOM.uniform(-20, 0, 1000), -(10.0 ** RANDOM.uniform(-20, 0, 1000))),
        RANDOM.uniform(-745, -708, 1000),  # subnormal results
        np.arange(-40, 40) * math.log(2),  # the middle of a reduction
        (np.arange(-40, 40) + 0.5) * math.log(2),  # its ends
        [709.782712893384, -745.1332191019411, 0.0, -0.0],  # the last that have a value
    ]
)


def units(found: float, true: Decimal) -> float:
    return float(abs(Decimal(found) - true) / Decimal(math.ulp(float(true))))


def complement(p: Decimal) -> Decimal:
    """ln(1 − p) with digits enough for what 1 − p leaves of a small p."""
    with localcontext() as context:
        context.prec = 60 + 2 * max(0, -p.adjusted())
        return (1 - p).ln()


@each_kernel
@pytest.mark.parametrize(
    ("name", "values", "true", "bound"),
    [
        ("log", ABOVE_ZERO, Decimal.ln, 1.0),
        ("log_complement", PROBABILITIES, complement, 1.5),
        ("exp", EXPONENTS, Decimal.exp, 1.0),
    ],
)
def test_the_error_stays_below_the_bound(
    kernel: Kernels, name: str, values: Array, true: Callable[[Decimal], Decimal], bound: float
) -> None:
    found = getattr(kernel, name)(values)
    with localcontext() as context:
        context.prec = 60
        errors = [
            units(one, true(Decimal(value)))
            for one, value in zip(found.tolist(), values.tolist(), strict=True)
        ]
    assert max(errors) < bound, values[int(np.argmax(errors))]


@each_kernel
@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("log", [0.0, -0.0, 1.0], [-math.inf, -math.inf, 0.0]),
        ("log_complement", [0.0, -0.0, 1.0], [0.0, 0.0, -math.inf]),
        ("log_complement", [1e-17, 1e-320], [-1e-17, -1e-320]),  # 1 − p is 1
        ("exp", [-math.inf, math.inf, 0.0], [0.0, math.inf, 1.0]),
        ("exp", [-746.0, -1e300, 709.79, 1e300], [0.0, 0.0, math.inf, math.inf]),
        ("log", [], []),
    ],
)
def test_values_at_the_ends_of_the_range(
    kernel: Kernels, name: str, given: list[float], wanted: list[float]
) -> None:
    assert getattr(kernel, name)(np.array(given, np.float64)).tolist() == wanted


@each_kernel
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("log", np.concatenate([ABOVE_ZERO, [0.0]])),
        ("log_complement", np.concatenate([PROBABILITIES, [1.0]])),
        ("exp", EXPONENTS),
    ],
)
def test_a_value_does_not_depend_on_its_neighbours(
    kernel: Kernels, name: str, values: Array
) -> None:
    """The same bits alone, in any place of a block, and across the ends of blocks."""
    function = getattr(kernel, name)
    together = function(values)
    assert [float(function(values[i : i + 1])[0]) for i in range(0, len(values), 7)] == (
        together[::7].tolist()
    )
    several = np.tile(values, 2 * BLOCK // len(values) + 2)[3:]
    assert (function(several)[len(values) - 3 : 2 * len(values) - 3] == together).all()


@each_kernel
def test_log_chance_picks_the_logarithm_by_the_label(kernel: Kernels) -> None:
    """The same bits as of the two logarithms, row by row, at the ends too."""
    ends = [0.0, 1.0, 0.0, 1.0, 1e-320, 5e-324]
    chances = np.concatenate([np.tile(PROBABILITIES, 3), ends])
    happened = RANDOM.random(len(chances)) < 0.3
    happened[-6:] = [True, True, False, False, True, False]
    wanted = np.where(happened, kernel.log(chances), kernel.log_complement(chances))
    found = kernel.log_chance(chances, happened)
    assert (found == wanted).all()
    assert found[-6:-2].tolist() == [-math.inf, 0.0, 0.0, -math.inf]


@each_kernel
def test_arguments_are_not_changed(kernel: Kernels) -> None:
    for name, values in (("log", ABOVE_ZERO), ("log_complement", PROBABILITIES)):
        before = values.copy()
        getattr(kernel, name)(values)
        assert (values == before).all()


@each_kernel
def test_float32_is_taken_as_the_float64_it_is(kernel: Kernels) -> None:
    values = RANDOM.random(100).astype(np.float32)
    assert (kernel.log(values) == kernel.log(values.astype(np.float64))).all()

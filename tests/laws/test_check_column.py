"""Checks of columns against Python's comparisons, number by number."""

from collections.abc import Callable
from math import isinf, isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.kernels.interface import Array, Kernels
from steelyard.kernels.numpy import checking
from tests.laws.kernel_numbers import each_kernel

FAILS: dict[str, Callable[[Any], bool]] = {
    "present": isnan,
    "finite": isinf,
    "positive": lambda x: x <= 0,
    "not_negative": lambda x: x < 0,
    "probability": lambda x: x < 0 or x > 1,
    "count": lambda x: isnan(x) or isinf(x) or x != int(x) or not 0 <= x < 2**63,
}
SPECIAL = [0.0, -0.0, 1.0, 5e-324, -5e-324, 1 + 2.0**-52, 2.0**62, 2.0**63, -1.0, 0.5]
FLOATS = st.floats() | st.sampled_from(SPECIAL)
COLUMNS: dict[str, Any] = {
    "float64": st.lists(FLOATS, max_size=6),
    "float32": st.lists(st.floats(width=32) | st.sampled_from([0.0, -0.0, 1.0]), max_size=6),
    "float16": st.lists(st.floats(width=16), max_size=6),
    "int8": st.lists(st.integers(-(2**7), 2**7 - 1), max_size=6),
    "int64": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=6),
    "uint64": st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), max_size=6),
    "bool": st.lists(st.booleans(), max_size=6),
    "probabilities": st.lists(st.floats(0, 1), max_size=6),
}


@each_kernel
@pytest.mark.parametrize("name", COLUMNS)
@given(st.data())
def test_every_check(kernel: Kernels, name: str, data: st.DataObject) -> None:
    type_ = "float64" if name == "probabilities" else name
    values: Array = np.array(data.draw(COLUMNS[name]), type_)
    found = kernel.check_column(values, list(FAILS))
    numbers = values.tolist()
    for (rows, first), fails in zip(found.bad, FAILS.values(), strict=True):
        bad = [row for row, number in enumerate(numbers) if fails(number)]
        assert (rows, first) == (len(bad), bad[0] if bad else 0)
    if any(map(isnan, numbers)):
        assert isnan(found.least)
        assert isnan(found.largest)
    else:
        assert (found.least, found.largest) == (min(numbers, default=0), max(numbers, default=0))


def test_checks_have_two_halves() -> None:
    assert checking.PASSES.keys() == checking.FAILS.keys() == FAILS.keys()

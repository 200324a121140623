"""Quotients of whole numbers beyond int64's products, against Python's own integers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.curves.fixed_point import places, sum_of_quotients
from steelyard.states import Totals

amounts = st.one_of(st.integers(0, 2**61 - 1), st.integers(0, 100), st.just(2**61 - 1))


@given(st.lists(st.tuples(amounts, amounts, amounts), min_size=1, max_size=20))
def test_sums_of_quotients_are_those_of_python_s_integers(rows: list[tuple[int, int, int]]) -> None:
    """Narrow, long and wide columns give one number; all weights together stay below the total."""
    parts = [(w, a, a + b + (a + b == 0)) for w, a, b in rows]
    for totals in (Totals(2**30, 2**29, 0.0), Totals(2**61 - 1, 2**61 - 1, 0.0)):
        top = 2**31 if totals.narrow else 2**62
        fit = [
            (w % (top // 32), a % (top // 2), max(d % top, a % (top // 2), 1)) for w, a, d in parts
        ]
        exact = sum(w * ((a << places(totals)) // d) for w, a, d in fit)
        for dtype in (np.int64, object):
            weights, above, below = (np.array(c, dtype) for c in zip(*fit, strict=True))
            assert sum_of_quotients(weights, above, below, totals) == exact

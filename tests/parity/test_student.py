"""p values and quantiles of Student's t against SciPy, and against a printed table."""

import numpy as np
import pytest
from scipy import stats

from steelyard.stats.student import t_quantile, t_two_sided
from tests.effort import random_cases

CASES = random_cases(2000, 50_000)


def test_p_values() -> None:
    """Within 1e-11; SciPy itself is 1e-13 off at p = 1e-274."""
    dice = np.random.default_rng(3)
    freedom = 10 ** dice.uniform(-0.3, 9, CASES)
    t = dice.choice([-1, 1], CASES) * 10 ** dice.uniform(-4, 1.5, CASES)
    found, theirs = t_two_sided(t, freedom), 2 * stats.t.sf(np.abs(t), freedom)
    assert found[theirs > 1e-280] == pytest.approx(theirs[theirs > 1e-280], rel=1e-11)


@pytest.mark.parametrize("probability", [0.6, 0.8, 0.9, 0.95, 0.975, 0.995, 0.9999])
def test_quantiles(probability: float) -> None:
    freedom = 10 ** np.random.default_rng(4).uniform(-0.3, 9, CASES)
    freedom[:2] = np.inf
    found = t_quantile(probability, freedom)
    assert found == pytest.approx(stats.t.ppf(probability, freedom), rel=1e-12)
    assert found[0] == pytest.approx(stats.norm.ppf(probability), rel=1e-14)


def test_a_printed_table() -> None:
    """The column 0.975 of the table in NIST's handbook, section 1.3.6.7.2."""
    known = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    found = t_quantile(0.975, np.array([*map(float, known), np.inf]))
    assert found.round(3).tolist() == [*known.values(), 1.960]

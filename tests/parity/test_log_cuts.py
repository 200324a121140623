"""The tests of logs in time order against SciPy's t tests."""

import math

import numpy as np
import pytest

from steelyard.diagnosis.trends.log_cuts import best_cut, noise
from tests.parity.peers import package

stats = package("scipy.stats", "scipy")


@pytest.mark.parametrize("sizes", [(5, 1), (1, 7), (6, 4), (12, 18)])
def test_the_test_of_one_cut_is_that_of_scipy(sizes: tuple[int, int]) -> None:
    random = np.random.default_rng(sum(sizes))
    before, after = random.normal(0.7, 0.004, sizes[0]), random.normal(0.6, 0.004, sizes[1])
    found = best_cut([*before.tolist(), *after.tolist()])
    assert found is not None
    assert found.place == sizes[0]
    peer = stats.ttest_ind(after, before, equal_var=True)
    assert found.t == pytest.approx(peer.statistic, rel=1e-12)
    assert found.p == pytest.approx(peer.pvalue, rel=1e-12)


def test_the_test_of_a_line_is_that_of_scipy() -> None:
    random = np.random.default_rng(8)
    values = np.arange(9) + random.normal(0, 0.3, 9)
    found = best_cut(values.tolist())
    assert found is not None
    assert found.is_line
    peer = stats.linregress(np.arange(9), values)
    assert found.drift == pytest.approx(peer.slope, rel=1e-12)
    assert found.t == pytest.approx(peer.slope / peer.stderr, rel=1e-12)
    assert found.p == pytest.approx(peer.pvalue, rel=1e-11)


def test_sampling_noise_is_that_of_welch() -> None:
    """One log on each side, with the mean and the variance of a sample: SciPy has this test."""
    found = noise(-0.03, (-1.0, 1.0), [(0.008, 40.0), (0.011, 25.0)])
    assert found is not None
    assert found.error == pytest.approx(math.hypot(0.008, 0.011), rel=1e-15)
    spreads = 0.011 * math.sqrt(26), 0.008 * math.sqrt(41)  # of samples of 26 and 41 values
    peer = stats.ttest_ind_from_stats(-0.03, spreads[0], 26, 0.0, spreads[1], 41, equal_var=False)
    assert found.p == pytest.approx(peer.pvalue, rel=1e-12)

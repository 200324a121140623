"""The Wald test against linear algebra of NumPy and χ² of SciPy, up to a thousand slices."""

import numpy as np
import pytest
from scipy import stats

from steelyard.stats.wald import wald


@pytest.mark.parametrize("count", [2, 3, 10, 100, 1000])
def test_contrasts_by_linear_algebra(count: int) -> None:
    dice = np.random.default_rng(count)
    shares = dice.normal(size=(3 * count, count)) * dice.lognormal(size=count)
    covariance = shares.T @ shares
    numbers = dice.normal(size=count) * np.sqrt(np.diagonal(covariance))
    contrasts = np.column_stack([np.eye(count - 1), -np.ones(count - 1)])
    apart = contrasts @ numbers
    known = apart @ np.linalg.solve(contrasts @ covariance @ contrasts.T, apart)
    statistic, freedom, p = wald(numbers, covariance)
    assert freedom == count - 1
    assert statistic == pytest.approx(known, rel=1e-11)
    assert p == pytest.approx(stats.chi2.sf(statistic, count - 1), rel=1e-11)


def test_directions_without_variance_by_the_pseudoinverse() -> None:
    """Forty clusters and sixty slices: numbers from these clusters have no part elsewhere."""
    dice = np.random.default_rng(6)
    shares = dice.normal(size=(40, 60))
    covariance = shares.T @ shares
    numbers = dice.normal(size=40) @ shares
    contrasts = np.column_stack([np.eye(59), -np.ones(59)])
    apart = contrasts @ numbers
    known = apart @ np.linalg.pinv(contrasts @ covariance @ contrasts.T, rcond=1e-10) @ apart
    statistic, freedom, _ = wald(numbers, covariance)
    assert freedom == 40
    assert statistic == pytest.approx(known, rel=1e-9)

"""A made-up ads log for demonstrations: always the same, with the problems of real logs.

A few users have many rows and most have few, so that most users have labels of one class only. The
model rounds its predictions and gives new users a default, so that scores tie. Predictions are
right on average, except in one country, where they are 1.6 times too high.

Only uniform numbers are drawn: NumPy promises that their stream never changes.
"""

import numpy as np

from steelyard.model import Array, Floats

ROWS = 200_000
USERS = 20_000
SEED = 20_240_229
TOO_HIGH = 1.6
MISCALIBRATED = "BR"
COUNTRIES = {"US": 0.34, "IN": 0.22, "BR": 0.14, "DE": 0.11, "JP": 0.10, "FR": 0.09}
DEVICES = {"mobile": 0.64, "desktop": 0.30, "tablet": 0.06}
WEIGHTS = {"mobile": 1.0, "desktop": 1.25, "tablet": 2.5}  # 1 / the share of rows that was logged
NEW_USERS = 0.12
DEFAULT_SCORE = 0.03


def ads_log(rows: int = ROWS) -> dict[str, Array]:
    """The columns of the log.

    >>> {
    ...     name: column.dtype.name
    ...     for name, column in ads_log(10).items()
    ...     if column.dtype.kind != "U"
    ... }
    {'click': 'int8', 'pctr': 'float32', 'user_id': 'int64', 'weight': 'float32'}
    """
    random = np.random.default_rng(SEED)
    shares = 1 / (np.arange(USERS) + 8.0)  # 3,000 rows for one user, 3 for most
    user = _pick(random.random(rows), shares)
    user_draws = random.random((2, USERS))
    country = np.array(list(COUNTRIES))[_pick(user_draws[0], np.array(list(COUNTRIES.values())))]
    device = _pick(random.random(rows), np.array(list(DEVICES.values())))
    logit = -4.0 + 1.1 * _bell(random.random((12, rows))) - 0.25 * device
    rate = np.where(user_draws[1] < NEW_USERS, 0.0, 1.0)[user] / (1 + np.exp(-logit))
    rate = np.where(rate == 0, DEFAULT_SCORE, rate)
    luck = np.where(random.random(rows) < 0.5, 0.4, 1.6)  # not known to the model
    click = random.random(rows) < np.minimum(rate * luck, 1)
    high = np.where(country[user] == MISCALIBRATED, TOO_HIGH, 1.0)
    return {
        "click": click.astype(np.int8),
        "pctr": np.round(np.minimum(rate * high, 1), 3).astype(np.float32),
        "user_id": 10**12 + user * np.int64(2_654_435_761),
        "country": country[user],
        "device": np.array(list(DEVICES))[device],
        "weight": np.array(list(WEIGHTS.values()), np.float32)[device],
    }


def _pick(uniform: Floats, shares: Floats) -> Array:
    """Indices drawn in proportion to their shares."""
    steps = np.cumsum(shares)
    return np.searchsorted(steps / steps[-1], uniform, side="right")


def _bell(uniform: Floats) -> Floats:
    """Nearly normal numbers: the sum of twelve uniform ones, less six."""
    bell: Floats = uniform.sum(axis=0) - 6
    return bell

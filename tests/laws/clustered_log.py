"""A small log of users with several rows each, for tests of intervals and comparisons."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Columns = dict[str, npt.NDArray[Any]]


class Log(NamedTuple):
    """Columns of a log: click, score, other, weight, user, list, country, bid, truth, guess."""

    columns: Columns
    users: int

    def without(self, user: int) -> Columns:
        kept = self.columns["user"] != user
        return {name: column[kept] for name, column in self.columns.items()}

    def reweighted(self, user: int, factor: float) -> Columns:
        """The log with the weights of one user multiplied."""
        own = self.columns["user"] == user
        weight = np.where(own, self.columns["weight"] * factor, self.columns["weight"])
        return {**self.columns, "weight": weight}


def make_log(users: int = 40, seed: int = 0) -> Log:
    """Users of 2 to 11 rows, with an effect of their own; scores have ties."""
    random = np.random.default_rng(seed)
    user = np.repeat(np.arange(users), random.integers(2, 12, users))
    rows = len(user)
    signal = random.normal(0, 1, rows)
    chance = 1 / (1 + np.exp(0.6 - signal - random.normal(0, 0.7, users)[user]))
    scores = [
        np.round(1 / (1 + np.exp(0.5 - 0.8 * signal - random.normal(0, noise, rows))), 2)
        for noise in (0.4, 0.9)
    ]
    truth = random.gamma(2.0, 2.0, rows) + 0.1
    columns = {
        "click": (random.random(rows) < chance).astype(np.int64),
        "score": scores[0].clip(0.01, 0.99),
        "other": scores[1].clip(0.01, 0.99),
        "weight": random.integers(1, 5, rows) / 4,
        "user": user,
        "list": user * 3 + random.integers(0, 3, rows),
        "country": np.array(["DE", "FR", "US"])[random.integers(0, 3, rows)],
        "bid": random.random(rows) * 3,
        "truth": truth,
        "guess": truth * random.uniform(0.6, 1.5, rows) + 0.2,
    }
    return Log(columns, users)

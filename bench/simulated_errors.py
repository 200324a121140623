"""Simulated logs of predicted numbers, and the errors that infinitely many users would give.

A row has a level p = exp(1 + 0.3·x) with x from N(0, 1). Its truth is p·exp(b)·G: the user's own
bias b is from N(0, `bias`), and G from a gamma distribution of mean 1 and standard deviation ½. A
model predicts p·exp(n), where n is noise of the user (0.1) and of the row (0.2). The noise of two
models is independent and of the same size, so that both are equally good.

The level is independent of the rest, so that the truth is a product of means.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import digamma, gammainc

from bench.simulated_logs import NODES, WEIGHTS, Log, Sizes
from steelyard.model import Floats

LEVEL, LEVEL_SPREAD = 1.0, 0.3
USER_NOISE, ROW_NOISE = 0.1, 0.2
SHAPE = 4.0  # of the gamma distribution


@dataclass(frozen=True)
class ErrorProcess:
    """How rows come about: how many a user has, and how much users differ from predictions."""

    sizes: Sizes
    bias: float

    @property
    def about(self) -> str:
        return f"bias SD {self.bias:g}"


def drawn_errors(rng: np.random.Generator, process: ErrorProcess, users: int) -> Log:
    """A log of so many users; its labels are numbers."""
    owner = np.repeat(np.arange(users), process.sizes.draw(rng, users))
    count = len(owner)
    level = np.exp(LEVEL + LEVEL_SPREAD * rng.standard_normal(count))
    bias = np.exp(process.bias * rng.standard_normal(users))[owner]
    truth = level * bias * rng.gamma(SHAPE, 1 / SHAPE, count)
    noise = [
        USER_NOISE * rng.standard_normal(users)[owner] + ROW_NOISE * rng.standard_normal(count)
        for _ in range(2)
    ]
    return Log(owner, truth, level * np.exp(noise[0]), level * np.exp(noise[1]))


def error_truth(process: ErrorProcess) -> dict[str, float]:
    """The values of metrics for infinitely many users.

    With r = exp(n − b) and F_k the distribution function of the gamma distribution of shape k:
    E|G − r| = r·(2F_4 − 1) + 1 − 2F_5 and E|1 − r/G| = 1 − 2F_4 + 4/3·r·(2F_3 − 1), all at r.
    """
    noise = float(np.hypot(USER_NOISE, ROW_NOISE))
    of_bias, of_noise = np.exp(process.bias**2 / 2), np.exp(noise**2 / 2)
    level, square = np.exp(LEVEL + LEVEL_SPREAD**2 / 2), np.exp(2 * LEVEL + 2 * LEVEL_SPREAD**2)
    b, n = np.exp(process.bias * NODES)[:, None], np.exp(noise * NODES)
    at = [_gamma(shape, n / b) for shape in (SHAPE - 1, SHAPE, SHAPE + 1)]
    distance = n * (2 * at[1] - 1) + b * (1 - 2 * at[2])
    relative = 1 - 2 * at[1] + SHAPE / (SHAPE - 1) * n / b * (2 * at[0] - 1)
    squared = of_bias**4 * (1 + 1 / SHAPE) - 2 * of_bias * of_noise + of_noise**4
    surplus = process.bias**2 + digamma(SHAPE + 1) - np.log(SHAPE)  # E[y ln(y/q)] over E[y]
    return {
        "mse": float(square * squared),
        "mae": float(level * (WEIGHTS @ distance @ WEIGHTS)),
        "mape": float(WEIGHTS @ relative @ WEIGHTS),
        "poisson_deviance": float(2 * level * (of_bias * surplus - of_bias + of_noise)),
    }


def _gamma(shape: float, at: Floats) -> Floats:
    """The distribution function with the rate `SHAPE`."""
    return np.asarray(gammainc(shape, SHAPE * at))

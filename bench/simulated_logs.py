"""Simulated logs of users, and the values that infinitely many users would give.

A row of a user has a feature x from N(0, 1) and a click of probability expit(α + b + (1 + v)·x),
where the user's b is from N(0, 0.7) and v from N(0, 0.4); α sets the CTR. A model knows
s = x + user noise + row noise, and predicts expit(α + s + 0.25): too high, since the distance of
COPC from 1 has a kink at 1. The noise of two models is independent and of the same size, so that
both are equally good. How many rows a user has does not depend on b and v.

So the truth of AUC, AP, COPC and log loss is that of single rows, however many rows users have;
that of GAUC weights users by their rows. Both are numerical integrals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import expit, ndtr

from steelyard.model import Array, Floats

USER_EFFECT, USER_SLOPE = 0.7, 0.4
USER_NOISE, ROW_NOISE = 0.3, 0.4  # of a model
BIAS = 0.25


# --- how many rows users have ---------------------------------------------------------------------
@dataclass(frozen=True)
class Sizes:
    """How many rows a user has; at_least: the probability of so many or more; mean: about."""

    name: str
    draw: Callable[[np.random.Generator, int], Array]
    at_least: Callable[[Floats], Floats]
    mean: float


def fixed(rows: int) -> Sizes:
    return Sizes(
        f"{rows}",
        lambda rng, count: np.full(count, rows),
        lambda n: (n <= rows).astype(np.float64),
        rows,
    )


def one_large(rows: int, users: int) -> Sizes:
    """One of so many users has over half of the rows; the others have the same number."""
    large = round(1.2 * rows * (users - 1))
    return Sizes(
        f"{rows}, one user {large:,}",
        lambda rng, count: np.where(np.arange(count) % users, rows, large),
        lambda n: np.where(n <= rows, 1.0, np.where(n <= large, 1 / users, 0.0)),
        rows + (large - rows) / users,
    )


def lognormal(median: float, sigma: float) -> Sizes:
    """Rounded up to whole rows."""
    return Sizes(
        f"lognormal({median:g}, {sigma:g})",
        lambda rng, count: np.ceil(rng.lognormal(np.log(median), sigma, count)).astype(np.int64),
        lambda n: np.where(n <= 1, 1.0, ndtr(np.log(median / np.maximum(n - 1, 1e-9)) / sigma)),
        median * np.exp(sigma**2 / 2),
    )


def pareto(least: float, alpha: float) -> Sizes:
    """Rounded down to whole rows; with α below 2 their variance is infinite."""
    return Sizes(
        f"Pareto({least:g}, {alpha:g})",
        lambda rng, count: (least * rng.random(count) ** (-1 / alpha)).astype(np.int64),
        lambda n: np.minimum(1.0, least / n) ** alpha,
        least * alpha / (alpha - 1),
    )


@dataclass(frozen=True)
class Process:
    """How rows come about: how many a user has, and the share of clicks."""

    sizes: Sizes
    ctr: float

    @property
    def about(self) -> str:
        return f"CTR {100 * self.ctr:g} %"

    @cached_property
    def alpha(self) -> float:
        low, high = -10.0, 10.0
        while high - low > 1e-12:
            middle = (low + high) / 2
            low, high = (middle, high) if _ctr(middle) < self.ctr else (low, middle)
        return low


# --- logs -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Log:
    """Rows in the order of their users, who are numbered from 0; two models predict them."""

    users: Array
    label: Array
    one: Floats
    other: Floats

    def of_users(self, numbers: Array) -> "Log":
        """The rows of some users, numbered again in this order."""
        new = np.full(int(self.users[-1]) + 1, -1)
        new[numbers] = np.arange(len(numbers))
        rows = np.flatnonzero(new[self.users] >= 0)
        return Log(new[self.users[rows]], self.label[rows], self.one[rows], self.other[rows])

    @cached_property
    def with_both(self) -> Array:
        """The users with rows of both classes."""
        rows, clicks = np.bincount(self.users), np.bincount(self.users, self.label)
        return np.flatnonzero((clicks > 0) & (clicks < rows))

    def __add__(self, other: "Log") -> "Log":
        """The users of both, those of the second numbered after those of the first."""
        moved = replace(other, users=other.users + self.users[-1] + 1)
        columns = (
            (getattr(self, name), getattr(moved, name))
            for name in ("users", "label", "one", "other")
        )
        return Log(*(np.concatenate(both) for both in columns))


def drawn(rng: np.random.Generator, process: Process, users: int) -> Log:
    """A log of so many users."""
    sizes = process.sizes.draw(rng, users)
    owner = np.repeat(np.arange(users), sizes)
    x = rng.standard_normal(len(owner))
    logit = process.alpha + (USER_EFFECT * rng.standard_normal(users))[owner]
    logit += (1 + USER_SLOPE * rng.standard_normal(users))[owner] * x
    label = rng.random(len(owner)) < expit(logit)
    one, other = (expit(process.alpha + BIAS + x + noise) for noise in _noise(rng, owner, users))
    return Log(owner, label, one, other)


def _noise(rng: np.random.Generator, owner: Array, users: int) -> Iterator[Floats]:
    """The noise of two models: a part of each user, and a part of each row."""
    for _ in range(2):
        of_user, of_row = rng.standard_normal(users), rng.standard_normal(len(owner))
        yield USER_NOISE * of_user[owner] + ROW_NOISE * of_row


def drawn_with_both(rng: np.random.Generator, process: Process, users: int, start: Log) -> Log:
    """A log of so many users who have rows of both classes; start: the first users tried."""
    log = start
    while len(log.with_both) < users:
        tried = int(log.users[-1]) + 1
        missing = users * tried / len(log.with_both) - tried
        log = log + drawn(rng, process, int(1.05 * missing) + 10)
    return log.of_users(log.with_both[:users])


# --- the truth ------------------------------------------------------------------------------------
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(48)
WEIGHTS = WEIGHTS / WEIGHTS.sum()  # with these, a sum over the nodes is a mean over N(0, 1)
POINTS = 4001
LONG = 4096  # rows: a user with more has both classes, nearly always


def _normal(sd: float, points: int = POINTS) -> tuple[Floats, Floats]:
    """Points from −9 to 9 standard deviations and their probabilities, which add up to 1."""
    z = np.linspace(-9, 9, points)
    density = np.exp(-(z**2) / 2)
    return sd * z, density / density.sum()


def _click(x: Floats, alpha: float) -> Floats:
    """The probability of a click given x, over all users."""
    sd = np.hypot(USER_EFFECT, USER_SLOPE * x)
    return np.asarray(expit(alpha + x[..., None] + sd[..., None] * NODES) @ WEIGHTS)


def _given_score(s: Floats, noise: float) -> Floats:
    """Values of x given s = x + noise, for the weights above."""
    share = 1 / (1 + noise**2)
    found: Floats = s[:, None] * share + noise * np.sqrt(share) * NODES
    return found


def _ctr(alpha: float) -> float:
    x, mass = _normal(1.0)
    return float(_click(x, alpha) @ mass)


def truth(process: Process) -> dict[str, float]:
    """The values of metrics for infinitely many users; without `gauc` where all have one row."""
    noise = float(np.hypot(USER_NOISE, ROW_NOISE))
    s, mass = _normal(float(np.hypot(1, noise)))
    click = _click(_given_score(s, noise), process.alpha) @ WEIGHTS
    p, up, down = expit(process.alpha + BIAS + s), mass * click, mass * (1 - click)
    ctr = float(up.sum())
    above = np.cumsum(up[::-1])[::-1] - up / 2
    precision = above / (np.cumsum(mass[::-1])[::-1] - mass / 2)
    loss = -float(up @ np.log(p) + down @ np.log1p(-p))
    found = {
        "auc": _area(up, down),
        "ap": float(up @ precision) / ctr,
        "copc": ctr / float(mass @ p),
        "logloss": loss,
        "ne": loss / -float(ctr * np.log(ctr) + (1 - ctr) * np.log(1 - ctr)),
    }
    several = float(process.sizes.at_least(np.array([2.0]))[0]) > 0
    found |= counts_truth(process)
    return found | {"gauc": _gauc(process)} if several else found


def counts_truth(process: Process) -> dict[str, float]:
    """The values of metrics at the threshold ½."""
    noise = float(np.hypot(USER_NOISE, ROW_NOISE))
    sd, cut = float(np.hypot(1, noise)), -process.alpha - BIAS
    nodes, weights = np.polynomial.legendre.leggauss(400)
    cells = []
    for low, high in ((cut, 9 * sd), (-9 * sd, cut)):
        s = (high - low) / 2 * nodes + (high + low) / 2
        mass = weights * np.exp(-((s / sd) ** 2) / 2) * (high - low) / 2 / sd / np.sqrt(2 * np.pi)
        click = _click(_given_score(s, noise), process.alpha) @ WEIGHTS
        cells += [float(mass @ click), float(mass @ (1 - click))]
    tp, fp, fn, tn = cells
    recall, specificity = tp / (tp + fn), tn / (tn + fp)
    square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return {
        "recall": recall,
        "precision": tp / (tp + fp),
        "f1": 2 * tp / (2 * tp + fp + fn),
        "balanced_accuracy": (recall + specificity) / 2,
        "mcc": (tp * tn - fp * fn) / float(np.sqrt(square)),
    }


def _area(up: Floats, down: Floats) -> float:
    """The probability that a positive is above a negative; the same point counts one half."""
    below = np.cumsum(down) - down / 2
    return float(up @ below) / float(up.sum() * down.sum())


def _gauc(process: Process) -> float:
    """Given both classes, the mean AUC of a user's rows is the AUC of all rows they may have."""
    s, mass = _normal(float(np.hypot(1, ROW_NOISE)), points=501)
    x = _given_score(s, ROW_NOISE)
    top = bottom = 0.0
    for b, weight_b in zip(USER_EFFECT * NODES, WEIGHTS, strict=True):
        for v, weight_v in zip(USER_SLOPE * NODES, WEIGHTS, strict=True):
            if weight_b * weight_v < 1e-9:
                continue
            click = expit(process.alpha + b + (1 + v) * x) @ WEIGHTS
            rows = weight_b * weight_v * _rows_with_both(process.sizes, float(click @ mass))
            top += rows * _area(mass * click, mass * (1 - click))
            bottom += rows
    return float(top / bottom)


def _rows_with_both(sizes: Sizes, ctr: float) -> float:
    """The mean number of rows of a user of this CTR, 0 for one without both classes.

    Σ n·P(n)·(1 − ctrⁿ − (1 − ctr)ⁿ); beyond `LONG` rows without the powers, and as an integral.
    """
    n = np.arange(1.0, LONG + 1)
    share = sizes.at_least(n) - sizes.at_least(n + 1)
    found = float(n * share @ (1 - ctr**n - (1 - ctr) ** n))
    far = np.geomspace(LONG + 1, 1e15, 20_000)
    rest = np.trapezoid(sizes.at_least(far), far) + (LONG + 0.5) * sizes.at_least(far[:1])[0]
    return found + float(rest)

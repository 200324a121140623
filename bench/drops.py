"""Invented pairs of logs with a known cause of a drop of AUC, for the diagnosis.

Users have an effect of their own (SD 0.7) and differ in how well their score ranks (SD 0.4 of the
slope); the score does not know either. Both logs have the same users and new rows.
"""

from typing import Any, NamedTuple

import numpy as np

COUNTRIES = ("US", "IN", "BR", "DE", "JP", "FR", "MX", "PL")
DEVICES = ("mobile", "desktop", "tablet")
TYPES = ("banner", "native", "search", "video")
SHARES = {
    "country": (0.3, 0.2, 0.14, 0.12, 0.1, 0.07, 0.04, 0.03),
    "device": (0.6, 0.3, 0.1),
    "ad_type": (0.4, 0.3, 0.2, 0.1),
}
NAMES = {"country": COUNTRIES, "device": DEVICES, "ad_type": TYPES}
CAUSES = ("none", "slice", "mix", "broad", "repeated")

Log = dict[str, Any]


class Drop(NamedTuple):
    """Two logs; planted: the rows of the cause in each, where it is a slice."""

    before: Log
    after: Log
    planted: dict[str, str]


def users(random: np.random.Generator, count: int = 2000) -> Log:
    """The users of a log: how many rows they have, their country and their effects."""
    return {
        "size": np.maximum(random.lognormal(np.log(15), 1.0, count), 1).astype(int),
        "country": random.choice(len(COUNTRIES), count, p=SHARES["country"]),
        "effect": random.normal(0, 0.7, count),
        "slope": 1 + random.normal(0, 0.4, count),
    }


def log(random: np.random.Generator, people: Log, types: tuple[float, ...] | None = None) -> Log:
    """One day of these users; types: the shares of ad types."""
    user = np.repeat(np.arange(len(people["size"])), random.poisson(people["size"]))
    count = len(user)
    types = types or SHARES["ad_type"]
    kind = random.choice(len(TYPES), count, p=types)
    x = random.normal(0, 1, count)
    # The score of video ads ranks badly: their share is what a change of mix changes.
    slope = people["slope"][user] * np.where(kind == 3, 0.1, 1.2)
    logit = -1.6 + slope * x + people["effect"][user]
    return {
        "user_id": user,
        "country": people["country"][user],
        "device": random.choice(len(DEVICES), count, p=SHARES["device"]),
        "ad_type": kind,
        "hour": random.integers(0, 24, count),
        "click": (random.random(count) < 1 / (1 + np.exp(-logit))).astype(int),
        "x": x,
    }


def drop(cause: str, seed: int, strength: float = 1.0) -> Drop:
    """Two logs, of which the second has a cause of a drop."""
    random = np.random.default_rng(seed)
    people = users(random)
    before = log(random, people)
    planted: dict[str, str] = {}
    types = (0.22, 0.18, 0.1, 0.5) if cause == "mix" else None
    after = log(random, people, types)
    if cause == "slice":
        planted, hit = _slice(random, after)
        after["x"][hit] = worse(random, after["x"][hit], strength)
    if cause == "broad":
        after["x"] = worse(random, after["x"], 0.6 * strength)
    if cause == "repeated":
        after = _repeated(random, after)
    return Drop(named(before), named(after), planted)


def few_users(seed: int, *, planted: bool) -> Drop:
    """Two logs of 100 users with many rows; planted: the scores on desktops are noise."""
    random = np.random.default_rng(seed)
    people = users(random, 100)
    people["size"] *= 8
    before, after = log(random, people), log(random, people)
    hit = after["device"] == DEVICES.index("desktop")
    if planted:
        after["x"][hit] = worse(random, after["x"][hit], 1.0)
    return Drop(named(before), named(after), {"device": "desktop"} if planted else {})


def _slice(random: np.random.Generator, rows: Log) -> tuple[dict[str, str], Any]:
    """A slice of 3 to 30 % of the rows: a value, or a pair of values."""
    while True:
        names = random.choice(list(NAMES), random.integers(1, 3), replace=False)
        chosen = {str(name): int(random.integers(len(NAMES[str(name)]))) for name in names}
        hit = np.all([rows[name] == code for name, code in chosen.items()], axis=0)
        if 0.03 <= hit.mean() <= 0.3 and chosen.get("ad_type") != 3:
            return {name: NAMES[name][code] for name, code in chosen.items()}, hit


def worse(random: np.random.Generator, x: Any, strength: float) -> Any:
    """Scores that rank worse: at 1 they are noise."""
    noise = random.normal(0, 1, len(x))
    return np.sqrt(max(1 - strength**2, 0)) * x + strength * noise


def _repeated(random: np.random.Generator, rows: Log) -> Log:
    """The log with the rows of one user, whose scores are the wrong way round, many times."""
    sizes = np.bincount(rows["user_id"])
    user = int(np.argsort(sizes)[len(sizes) * 3 // 4])
    own = np.flatnonzero(rows["user_id"] == user)
    rows["click"][own] = (rows["x"][own] < np.median(rows["x"][own])).astype(int)
    times = int(0.12 * len(rows["click"]) / len(own))
    order = np.concatenate([np.arange(len(rows["click"])), np.tile(own, times)])
    return {name: column[order] for name, column in rows.items()}


def named(rows: Log) -> Log:
    """Columns as a log has them."""
    found = dict(rows)
    for name, values in NAMES.items():
        found[name] = np.array(values)[rows[name]]
    found["pctr"] = 1 / (1 + np.exp(1.6 - 1.2 * found.pop("x")))
    return found

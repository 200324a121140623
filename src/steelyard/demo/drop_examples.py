"""Pairs of made-up logs with a known cause of a drop: `steelyard demo --drop NAME`.

The cause is planted in the log after. Only uniform numbers are drawn, whose stream NumPy promises
not to change, and scores are rounded, so that a page may show what a diagnosis prints.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Floats

USERS, ROWS = 3000, 60_000
SHARES = {
    "country": {"US": 0.30, "IN": 0.20, "BR": 0.15, "DE": 0.25, "JP": 0.10},
    "device": {"mobile": 0.6, "desktop": 0.3, "tablet": 0.1},
    "ad_type": {"banner": 0.5, "native": 0.3, "video": 0.2},
}
VIDEO_SLOPE = 0.3  # the score of video ads ranks badly, which nobody noticed
Log = dict[str, Array]


def log(random: np.random.Generator, video: float = SHARES["ad_type"]["video"]) -> Log:
    """One day; video: the share of video ads."""
    others = {"banner": 0.625 * (1 - video), "native": 0.375 * (1 - video), "video": video}
    people = np.random.default_rng(1)  # the users are those of every day
    country = _pick(people.random(USERS), SHARES["country"])
    effect = 0.6 * _bell(people.random((12, USERS)))
    user = np.minimum((random.random(ROWS) ** 1.5 * USERS).astype(np.int64), USERS - 1)
    ad_type = _pick(random.random(ROWS), others)
    x = _bell(random.random((12, ROWS)))
    slope = np.where(ad_type == "video", VIDEO_SLOPE, 1.0)
    chance = 1 / (1 + np.exp(2.0 - slope * x - effect[user]))
    return {
        "click": (random.random(ROWS) < chance).astype(np.int8),
        "pctr": np.round(1 / (1 + np.exp(1.9 - x)), 4),
        "user_id": user + 10_000,
        "country": country[user],
        "device": _pick(random.random(ROWS), SHARES["device"]),
        "ad_type": ad_type,
        "hour": (random.random(ROWS) * 24).astype(np.int8),
    }


def broken_feature(random: np.random.Generator) -> Log:
    after = log(random)
    hit = np.flatnonzero((after["country"] == "DE") & (after["hour"] >= 9))
    after["pctr"][hit] = after["pctr"][hit][np.argsort(random.random(len(hit)))]
    return after


def more_video(random: np.random.Generator) -> Log:
    return log(random, video=0.55)


def delayed_labels(random: np.random.Generator) -> Log:
    after = log(random)
    late = (after["hour"] >= 20) & (random.random(ROWS) < 2 / 3)
    after["click"] = np.where(late, 0, after["click"]).astype(np.int8)
    return after


def new_type(random: np.random.Generator) -> Log:
    after = log(random)
    new = random.random(ROWS) < 0.15
    after["ad_type"] = np.where(new, "story", after["ad_type"])
    after["pctr"] = np.where(new, np.minimum(2.2 * after["pctr"], 0.99), after["pctr"]).round(4)
    return after


def repeated_user(random: np.random.Generator) -> Log:
    after = log(random)
    own = np.flatnonzero(after["user_id"] == 10_500)
    after["click"][own] = after["pctr"][own] < np.median(after["pctr"][own])
    order = np.concatenate([np.arange(ROWS), np.tile(own, 7000 // len(own))])
    return {name: column[order] for name, column in after.items()}


def week() -> dict[str, Log]:
    """Logs of ten days; the scores of a few rows are mixed up each day, from day 12 on all of DE.

    So days differ by more than users explain.
    """
    found = {}
    for day in range(4, 14):
        random = np.random.default_rng(day)
        rows = {name: column[: ROWS // 3] for name, column in log(random).items()}
        mixed = random.random(ROWS // 3) < 0.04 * random.random()
        hit = np.flatnonzero(mixed | ((rows["country"] == "DE") & (day >= 12)))
        rows["pctr"][hit] = rows["pctr"][hit][np.argsort(random.random(len(hit)))]
        found[f"day={day}"] = rows
    return found


class DropExample(NamedTuple):
    """What was planted in the log after, and how a diagnosis finds it.

    make: the log after; metric: the one that fell; over: where to look for the cause
    """

    cause: str
    make: Callable[[np.random.Generator], Log]
    metric: str = "auc"
    over: tuple[str, ...] = ("country", "device", "ad_type", "hour")

    def logs(self) -> tuple[Log, Log]:
        """The log before and the log after, the same each time."""
        return log(np.random.default_rng(2)), self.make(np.random.default_rng(3))


DROPS = {
    "broken-feature": DropExample(
        "from hour 9 on, the scores of one country are those of other rows", broken_feature
    ),
    "more-video": DropExample(
        "there are more video ads, which scores never ranked well; no model changed", more_video
    ),
    "delayed-labels": DropExample(
        "two thirds of the clicks from hour 20 on have not arrived yet",
        delayed_labels,
        "copc",
        ("country", "device", "part=hour//4"),
    ),
    "new-type": DropExample(
        "there is a new ad type, whose predictions are twice as high as its clicks",
        new_type,
        "copc",
    ),
    "repeated-user": DropExample(
        "the rows of one user, who clicks on what others do not, are there many times",
        repeated_user,
    ),
}


def _pick(uniform: Floats, shares: dict[str, float]) -> Array:
    """Names drawn in proportion to their shares."""
    steps = np.cumsum(list(shares.values()))
    return np.array(list(shares))[np.searchsorted(steps / steps[-1], uniform, side="right")]


def _bell(uniform: Floats) -> Floats:
    """Nearly normal numbers: the sum of twelve uniform ones, less six."""
    bell: Floats = uniform.sum(axis=0) - 6
    return bell

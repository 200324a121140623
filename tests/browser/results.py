"""Results whose report pages are opened, of rows that are made here; each is evaluated once."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import steelyard as sy
from steelyard.comparison.page import Comparison
from steelyard.model import Array
from steelyard.result.result import Result

Columns = dict[str, Any]

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "\"'><img src=x onerror=alert(3)>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; &amp; ]]>",
    "\u2028line\u2029separators\ttab",
    "😀 家 \u202eright to left\u202c مرحبا",
    "javascript:alert(4)",
    "x" * 10_000,
)


@cache
def clicks(kind: str = "plain") -> Columns:
    """Rows of an ads log; `kind`: "plain", "weighted", or "float32" with ties of odd thresholds."""
    dice = np.random.default_rng(20261117)
    rows = 3_000
    click = (dice.random(rows) < 0.2).astype(int)
    score = _probabilities(dice, click, 1.2).round(3)
    columns: Columns = {
        "click": click,
        "pctr": score.astype(np.float32) if kind == "float32" else score,
        "before": _probabilities(dice, click, 0.7).round(2),
        "user": dice.integers(0, 120, rows),
        "country": np.array(["DE", "US", "FR", "IT", "tiny"])[
            dice.choice(5, rows, p=[0.4, 0.3, 0.2, 0.095, 0.005])
        ],
        "device": np.array(["phone", "desk"])[dice.integers(0, 2, rows)],
    }
    if kind == "weighted":
        columns["weight"] = dice.integers(1, 9, rows) / 4
    return columns


def _probabilities(dice: np.random.Generator, label: Array, apart: float) -> Array:
    scores: Array = 1 / (1 + np.exp(1.5 - apart * label - dice.normal(size=len(label))))
    return scores


@cache
def one_score(kind: str = "plain") -> Result:
    return sy.evaluate(
        clicks(kind),
        label="click",
        score="pctr",
        by=["country", "device"],
        metrics=["auc", "ap", "ks", "f1", "copc", "logloss"],
        weight="weight" if kind == "weighted" else None,
    )


@cache
def two_scores() -> Result:
    return sy.evaluate(
        clicks(),
        label="click",
        score=["pctr", "before"],
        group="user",
        by=["country", "device"],
        metrics=["auc", "gauc", "ndcg@5", "copc", "logloss"],
    )


@cache
def classes() -> Result:
    dice = np.random.default_rng(3)
    names = np.array(["bird", "cat", "dog", "fish"])
    truth = dice.integers(0, 4, 800)
    raw = dice.random((800, 4)) + np.eye(4)[truth]
    scores = raw / raw.sum(axis=1, keepdims=True)
    columns = {"animal": names[truth], "day": dice.integers(0, 3, 800)}
    columns |= {name: scores[:, place] for place, name in enumerate(names.tolist())}
    return sy.evaluate(
        columns,
        label="animal",
        score=names.tolist(),
        classes=names.tolist(),
        by="day",
        metrics=["auc", "logloss"],
    )


@cache
def predicted_classes() -> Result:
    dice = np.random.default_rng(4)
    names = np.array(["bird", "cat", "dog", "fish"])
    truth = dice.integers(0, 4, 800)
    said = np.where(dice.random(800) < 0.7, truth, dice.integers(0, 4, 800))
    return sy.evaluate(
        {"animal": names[truth], "said": names[said], "day": dice.integers(0, 3, 800)},
        label="animal",
        prediction="said",
        by="day",
        metrics=["accuracy", "f1(macro)"],
    )


@cache
def regression() -> Result:
    dice = np.random.default_rng(5)
    truth = dice.gamma(2, 30, 800)
    return sy.evaluate(
        {
            "price": truth,
            "guess": truth * np.exp(dice.normal(0, 0.2, 800)),
            "city": np.array(["Bonn", "Ulm"])[dice.integers(0, 2, 800)],
        },
        label="price",
        prediction="guess",
        by="city",
        metrics=["mae", "rmse", "r2"],
        shapes=True,
    )


@cache
def hostile() -> Result:
    """Columns, slices and scores with names that must stay text."""
    dice = np.random.default_rng(6)
    rows = 400
    label = dice.integers(0, 2, rows)
    columns: Columns = {"label": label}
    columns |= {name: _probabilities(dice, label, 1) for name in HOSTILE[:3]}
    values = np.array(HOSTILE, dtype=object)
    columns |= {name: values[dice.integers(0, len(values), rows)] for name in HOSTILE[3:5]}
    columns["user"] = dice.integers(0, 20, rows)
    return sy.evaluate(
        columns,
        label="label",
        score=list(HOSTILE[:3]),
        group="user",
        by=list(HOSTILE[3:5]),
        metrics=["auc", "gauc", "logloss"],
    )


@cache
def intervals(scores: tuple[str, ...] = ("pctr",)) -> Result:
    return sy.evaluate(
        clicks(),
        label="click",
        score=list(scores),
        cluster="user",
        by=["country", "device"],
        metrics=["auc", "ap", "ks", "f1", "copc", "logloss"],
    )


@cache
def comparison(metrics: tuple[str, ...] = ("auc", "copc", "ks", "logloss")) -> Comparison:
    """Two scores by country, device, and an hour that has more slices than a picture shows."""
    hours = np.random.default_rng(8).integers(0, 40, 3_000)
    return sy.compare(
        clicks() | {"hour": hours},
        label="click",
        score=["before", "pctr"],
        cluster="user",
        by=["country", "device", "hour"],
        metrics=list(metrics),
    )


@cache
def hostile_comparison() -> Comparison:
    """As `hostile`, with every label in every slice."""
    dice = np.random.default_rng(6)
    rows = 800
    places = dice.integers(0, len(HOSTILE), rows)
    label = (np.arange(rows) % 2).astype(int)
    columns: Columns = {"label": label}
    columns |= {name: _probabilities(dice, label, 1) for name in HOSTILE[:3]}
    columns |= {HOSTILE[3]: np.array(HOSTILE, dtype=object)[places], HOSTILE[4]: places % 2}
    columns[HOSTILE[5]] = dice.integers(0, 90, rows)
    return sy.compare(
        columns,
        label="label",
        score=list(HOSTILE[:3]),
        cluster=HOSTILE[5],
        by=[HOSTILE[3], (HOSTILE[3], HOSTILE[4])],
        metrics=["auc", "logloss"],
    )


@cache
def diagnosis() -> sy.Diagnosis:
    """Two halves of the log; the scores of one country are those of other rows in the second."""
    before, after = (_with_campaigns(part) for part in (slice(1500), slice(1500, None)))
    after["pctr"] = np.where(after["country"] == "DE", after["pctr"][::-1], after["pctr"])
    over = ["country", "device", "campaign"]
    return sy.diagnose(before, after, label="click", score="pctr", cluster="user", over=over)


@cache
def trend() -> sy.Diagnosis:
    """The tenths of the log in time order; the scores of the last rank badly."""
    logs = [
        {name: column[start : start + 300] for name, column in clicks().items()}
        for start in range(0, 3000, 300)
    ]
    logs[-1]["pctr"] = 1 - logs[-1]["pctr"]
    over = ["country", "device"]
    return sy.diagnose(logs, label="click", score="pctr", cluster="user", over=over)


def _with_campaigns(part: slice) -> Columns:
    """A part of the log, with names that are hostile or long."""
    columns = {name: column[part] for name, column in clicks().items()}
    names = np.array([*HOSTILE, *(f"campaign {place}" for place in range(80))], dtype=object)
    return {**columns, "campaign": names[np.arange(1500) % len(names)]}


RESULTS: dict[str, Callable[[], Result | Comparison | sy.Diagnosis]] = {
    "one score": one_score,
    "two scores": two_scores,
    "classes": classes,
    "predicted classes": predicted_classes,
    "regression": regression,
    "hostile": hostile,
    "intervals": intervals,
    "comparison": comparison,
    "hostile comparison": hostile_comparison,
    "diagnosis": diagnosis,
    "trend": trend,
}

"""An engine that has no table whole gives the bits of the one that has all of them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import api
from steelyard.errors import SpecError
from steelyard.metrics import catalogue
from steelyard.metrics.pair_metrics import WholePairMetric
from steelyard.request.calls import make_request
from steelyard.sources.arrays import Arrays
from steelyard.sources.blocks import Block
from tests.effort import random_cases
from tests.engines.parts_engine import PartsEngine
from tests.every_spec import specs
from tests.laws.clustered_log import make_log

ROWS = make_log(150, seed=5).columns
LOG: dict[str, Any] = {
    **ROWS,
    "bid": 1.0 + ROWS["list"] % 3,  # a weight of groups too, so that it is constant within them
    "document": np.array([f"doc {place}" for place in range(len(ROWS["click"]))]),
    "word": np.array([f"list {number}" for number in ROWS["list"]]),
    "half": np.round(ROWS["score"], 1),
    "chance": ROWS["score"] / 2,
    "other": ROWS["score"] / 4,
    "rest": 1 - 0.75 * ROWS["score"],
    "called": np.where(ROWS["user"] % 3 == 0, "DE", ROWS["country"]),
    "third": np.random.default_rng(1).choice([1 / 3, 1.0, 2.5], len(ROWS["click"])),
}
ROLES: dict[str, Any] = {"label": "click", "score": "score"}


class Blocks(Arrays):
    """Arrays in blocks, the first of which is empty."""

    def blocks(self, wanted: Any, where: str | None = None) -> Iterator[Block]:
        (whole,) = super().blocks(wanted, where)
        for rows in (slice(0, 0), *(slice(s, s + 100) for s in range(0, whole.rows, 100))):
            columns = {request: _some(column, rows) for request, column in whole.columns.items()}
            yield Block(rows.start, len(range(whole.rows)[rows]), columns)


def _some(column: Any, rows: slice) -> Any:
    missing = None if column.missing is None else column.missing[rows]
    return replace(column, values=column.values[rows], missing=missing)


def both(folder: Path, **options: Any) -> tuple[Any, Any]:
    """The results of both engines, as text."""
    request = make_request("evaluate", {"source": Blocks(LOG), **options})
    found = [api._state_of(request, engine) for engine in (None, PartsEngine(folder))]
    whole, parts = (state.result().to_json() for state in found)
    return whole, parts


def of_scores() -> list[str]:
    """Every metric of scores, with each value of each of its parameters."""
    found = []
    for spec in specs("score", "bid"):
        bound = catalogue.resolve(spec, reads="score")
        with suppress(SpecError):  # some parameters need another one
            found.append((spec, bound.required_columns, bound.state_spec))
    return [spec for spec, *_ in found]


SHAPES = [
    "roc",
    "pr",
    "gains",
    "thresholds",
    "calibration_curve",
    "score_histogram",
    "group_values",
]


@pytest.mark.parametrize(
    "options",
    [
        {"group": "list"},
        {
            "group": "word",
            "weight": "third",
            "score": "half",
            "by": ["country", ("country", "user")],
        },
    ],
    ids=["total", "weights, ties, text keys, slices"],
)
def test_every_metric_of_scores_has_the_same_bits(options: dict[str, Any], tmp_path: Path) -> None:
    metrics = [*of_scores(), *SHAPES]
    whole, parts = both(tmp_path, **{**ROLES, "document": "document", **options}, metrics=metrics)
    assert parts == whole


FEW = ["auc", "ap", "gauc", "ndcg@3", "ece", "calibration_slope", "logloss", "copc", "roc"]
COUNTS = {"clicks": 1 + ROWS["list"] % 2, "shown": 3 + ROWS["list"] % 4}
GAPS = {
    name: np.where(np.arange(len(LOG["click"])) % every == 2, np.nan, LOG[name])
    for name, every in (("score", 5), ("half", 7))
}


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        (GAPS, {"score": ["score", "half"], "nan": "drop", "metrics": FEW}),
        (GAPS, {"score": ["score", "half"], "nan": "drop", "rows": "own", "metrics": FEW}),
        (COUNTS, {"label": "clicks", "trials": "shown", "metrics": ["auc", "gauc", "ece", "ks"]}),
        (GAPS, {"unscored": "not_retrieved", "metrics": ["ndcg@3", "map", "recall@5"]}),
        ({"score": 40 * LOG["score"] - 20}, {"metrics": ["auc", "gauc"]}),
    ],
    ids=["common rows", "rows of each score", "trials", "not retrieved", "no probabilities"],
)
def test_other_rows(columns: dict[str, Any], options: dict[str, Any], tmp_path: Path) -> None:
    given = {**ROLES, "group": "list", "by": "country", **options}
    whole, parts = both(tmp_path, source=Blocks({**LOG, **columns}), **given)
    assert parts == whole


@pytest.mark.full
def test_many_slices(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    columns = {
        "click": random.integers(0, 2, 600_000),
        "score": random.random(600_000),
        "advertiser": random.integers(0, 200_000, 600_000),
    }
    metrics = ["auc", "copc", "logloss", "ece"]
    whole, parts = both(tmp_path, source=columns, **ROLES, by="advertiser", metrics=metrics)
    assert parts == whole


def test_slices_of_any_number_and_one_class(tmp_path: Path) -> None:
    whole, parts = both(
        tmp_path, **ROLES, by=["list", "document"], metrics=["auc", "ap", "ece", "roc"]
    )
    assert parts == whole


# Metrics of pairs of rows, each of which no range has: memory for them would not be bounded.
REFUSED_METRICS = {"kendall"}


ROLES_OF: dict[str, dict[str, Any]] = {
    "number": {"label": "truth", "prediction": "guess"},
    "class": {"label": "country", "prediction": "called"},
    "scores of classes": {
        "label": "country",
        "score": ["chance", "other", "rest"],
        "classes": ["DE", "FR", "US"],
    },
}


@pytest.mark.parametrize("truth", ROLES_OF)
def test_every_metric_of_predictions_has_the_same_bits(truth: str, tmp_path: Path) -> None:
    bounds = [metric for metric in catalogue.every() if metric.reads == "prediction"]
    whole_tables = {m.function for m in bounds if isinstance(m, WholePairMetric)}
    assert whole_tables == REFUSED_METRICS
    found = [catalogue.resolve(spec, reads="prediction") for spec in specs("prediction", "bid")]
    metrics = [
        bound.name
        for bound in found
        if bound.metric.function not in REFUSED_METRICS
        and not bound.required_columns.positive_class
        and bound.required_columns.class_scores == (truth == "scores of classes")
        and bound.required_columns.numbers == (truth == "number")
    ]
    assert len(metrics) > 4
    metrics += ["roc", "pr"] if truth == "scores of classes" else []
    roles = ROLES_OF[truth]
    whole, parts = both(tmp_path, **roles, by="user", weight="third", metrics=metrics)
    assert parts == whole


def test_intervals_have_the_same_bits(tmp_path: Path) -> None:
    """Their influences are made of exact sums by slice and cluster."""
    bounds = [catalogue.resolve(spec, reads="score") for spec in of_scores()]
    can = [bound for bound in bounds if bound.cluster_spec is not None]
    one_of_each = {bound.metric.function: bound.name for bound in can}
    every_spec = [bound.name for bound in can]
    metrics = every_spec if random_cases(0, 1) else [*one_of_each.values()]
    assert len(metrics) > 30
    metrics += ["ece", "ece(bins=3, kind=width)"]  # the null level is that of clusters
    own = {"weight": "third", "by": "country", "cluster": "user", "group": "list"}
    given = {**ROLES, **own, "document": "document", "metrics": metrics}
    whole, parts = both(tmp_path, **given)
    assert parts == whole


def test_intervals_of_class_scores_have_the_same_bits(tmp_path: Path) -> None:
    averages = (
        "ovr",
        "ovo",
        "ovr, average=weighted",
        "ovo, average=weighted",
        "ovr, average=micro",
    )
    metrics = [f"auc({average})" for average in averages]
    own = {"weight": "third", "by": "user", "cluster": "list", "metrics": metrics}
    whole, parts = both(tmp_path, **ROLES_OF["scores of classes"], **own)
    assert parts == whole


@pytest.mark.parametrize("truth", [None, "scores of classes"])
def test_no_rows_have_no_interval(truth: str | None, tmp_path: Path) -> None:
    none = {name: column[:0] for name, column in LOG.items()}
    roles = ROLES_OF[truth] if truth else ROLES
    metrics = "auc" if truth else "auc,ks"
    given = {"source": Blocks(none), "cluster": "user", "metrics": metrics, "bootstrap": 100}
    whole, parts = both(tmp_path, **roles, **given)
    assert parts == whole


# Intervals by bootstrap: of maxima, of points of curves in one pass and in two, of areas.
RESAMPLED = ["ks", "lift(0.1)", "break_even", "precision_at_recall(0.5)", "pr_auc", "pnr"]
REPLICATES: dict[str, Any] = {**ROLES, "bootstrap": 100, "weight": "third"}


def test_replicates_have_the_same_bits(tmp_path: Path) -> None:
    """A first round counts each range in every replicate, a second makes parts."""
    bounds = [catalogue.resolve(spec, reads="score") for spec in of_scores()]
    every_spec = [bound.name for bound in bounds if bound.is_resampled]
    metrics = every_spec if random_cases(0, 1) else RESAMPLED
    slices = {"by": ["country", ("country", "half")][: random_cases(1, 2)], "score": "half"}
    given = {**REPLICATES, **slices, "cluster": "word"}
    whole, parts = both(tmp_path, **given, metrics=metrics)
    assert whole.count('"replicates": 100') >= len(metrics)
    assert parts == whole


def test_compared_replicates_have_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {**REPLICATES, "score": ["score", "half"], "cluster": "user", "metrics": "ks,auc"}
    whole = sy.compare(Blocks(LOG), **options).to_json()
    monkeypatch.setattr(api, "_state_of", partial(api._state_of, engine=PartsEngine(tmp_path)))
    assert sy.compare(Blocks(LOG), **options).to_json() == whole
    assert '"replicates": 100' in whole


def test_too_many_replicates_are_refused_by_name(tmp_path: Path) -> None:
    """More than fit in one place: 1,000,000 replicates of 16 ranges."""
    options = {**REPLICATES, "cluster": "user", "bootstrap": 1_000_000, "metrics": ["ks", "pnr"]}
    request = make_request("evaluate", {"source": Blocks(LOG), **options})
    with pytest.raises(sy.InputError, match=r"^ks, pnr in 1,000,000 replicates"):
        api._state_of(request, PartsEngine(tmp_path)).result()


# What is refused by design: pairs of rows are not in one range, and a replicate has other ranks.
REFUSED: dict[str, dict[str, Any]] = {
    "kendall": {**ROLES_OF["number"], "metrics": "median_ae,kendall"},
    "a bootstrap of median_ae, spearman": {
        **ROLES_OF["number"],
        "metrics": "median_ae,spearman",
        "cluster": "user",
        "bootstrap": 100,
    },
    "rows as clusters": {**ROLES, "cluster": "row", "metrics": "auc"},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_by_name(name: str, tmp_path: Path) -> None:
    request = make_request("evaluate", {"source": Blocks(LOG), **REFUSED[name]})
    with pytest.raises(sy.InputError, match=name):
        api._state_of(request, PartsEngine(tmp_path)).result()


def test_a_table_of_groups_is_refused_by_name(tmp_path: Path) -> None:
    given = {"source": Blocks(LOG), **ROLES, "group": "list", "metrics": "gauc"}
    found = api._state_of(make_request("evaluate", given), PartsEngine(tmp_path)).result()
    with pytest.raises(sy.InputError, match="a table of groups"):
        found.groups()


def test_a_bad_row_in_some_partition_is_an_error(tmp_path: Path) -> None:
    bad = {**LOG, "score": np.where(np.arange(len(LOG["click"])) > 700, np.nan, LOG["score"])}
    request = make_request("evaluate", {"source": Blocks(bad), **ROLES, "metrics": "auc"})
    with pytest.raises(sy.InputError, match="score"):
        api._state_of(request, PartsEngine(tmp_path)).result()

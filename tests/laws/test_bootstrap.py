"""The bootstrap: a replicate is the rows, each repeated as often as its cluster's weight says."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.evaluation.saved_state import State
from steelyard.metrics import catalogue
from steelyard.metrics.fold import WholeView, passes
from steelyard.metrics.influence import BOOTSTRAP
from steelyard.model import Array
from steelyard.result.sections import MetricValues
from steelyard.stats.bootstrap import Replicates, replicates, with_percentiles
from steelyard.stats.poisson_weights import cluster_hashes, poisson_weights

CURVES = (
    *("ks", "best_f1", "lift(0.1)", "capture(0.2)", "tpr_at_fpr(0.1)", "fpr_at_tpr(0.9)"),
    *("precision_at_recall(0.5)", "recall_at_precision(0.6)", "break_even", "pr_auc"),
    *("partial_auc(0.3)", "partial_auc(0.8, min_tpr=0.2, standardize=true)", "pnr"),
)
PAIRS = ("median_ae", "spearman", "kendall", "normalized_gini")
COUNT = 100  # replicates, the fewest allowed


def log(rows: int, users: int, seed: int = 1) -> dict[str, Array]:
    """A log with ties, weights and one user whose rows alone are a slice."""
    random = np.random.default_rng(seed)
    user = random.integers(0, users, rows)
    y = (random.random(rows) < 0.4).astype(np.int64)
    score = np.round(random.normal(size=rows) + y + random.normal(size=users)[user], 1)
    return {
        "y": y,
        "s": score,
        "other": np.round(score + random.normal(size=rows), 1),
        "truth": np.round(random.exponential(size=rows), 1) + y,
        "w": random.choice([0.1, 1 / 3, 1.0, 2.5, 1e6], rows),
        "country": np.where(user == 3, "lone", random.choice(["DE", "US"], rows)),
        "user": user * 1_000_003,
        "name": np.array([f"user {number}" for number in user]),
    }


LOG = log(400, 40)
OF_SCORES: dict[str, Any] = {"label": "y", "score": "s", "metrics": CURVES}
OF_PAIRS: dict[str, Any] = {"label": "truth", "prediction": "s", "metrics": PAIRS}
KINDS = {"scores": OF_SCORES, "pairs": OF_PAIRS}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def of_replicates(state: State, count: int) -> dict[tuple[str, Any], Array]:
    """The values in each replicate, by metric and slice."""
    found: dict[tuple[str, Any], Array] = {}
    for _, _, keys, table in state._tables():
        for (spec, _), bounds in passes(state.plan.metrics).items():
            ranges, hashes = WholeView(table.view(spec)), cluster_hashes(state.clusters)
            made = replicates(ranges, bounds, hashes, count)
            for name, each in made.items():
                found |= {(name, key): line for key, line in zip(keys, each.values, strict=True)}
    return found


def count_users(slice_: Mapping[str, Any]) -> int:
    users = LOG["user"][LOG["country"] == slice_["country"]] if slice_ else LOG["user"]
    return len(set(users.tolist()))


def shown(rows: Any) -> list[Any]:
    """What intervals are, bit by bit."""
    return [(row.metric, row.slice, row.value, row.low, row.high, row.details) for row in rows]


# --- replicates ----------------------------------------------------------------------------------
def test_every_metric_without_influence_values_is_here() -> None:
    known = {catalogue.resolve(spec).metric.name for spec in CURVES}
    known |= {catalogue.resolve(spec, reads="prediction").metric.name for spec in PAIRS}
    every = catalogue.every()
    wanted = {m.name for m in every if m.shape is None and m.interval.kind == BOOTSTRAP}
    assert known == wanted


@each_kind
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("cluster", ["user", "name"])
def test_a_replicate_is_of_repeated_rows(
    kind: dict[str, Any], weight: str | None, cluster: str
) -> None:
    options = {**kind, "weight": weight, "by": "country"}
    state = sy.state(LOG, **options, cluster=cluster, bootstrap=COUNT)
    found = of_replicates(state, 4)
    numbers = {state.clusters.key(number): number for number in range(len(state.clusters))}
    of_rows = np.array([numbers[key] for key in LOG[cluster].tolist()])
    for replicate in range(4):
        times = poisson_weights(cluster_hashes(state.clusters), replicate)[of_rows]
        rows = np.repeat(np.arange(len(of_rows)), times)
        assert 0 < len(set(rows.tolist())) < len(of_rows)
        literal = sy.evaluate({name: column[rows] for name, column in LOG.items()}, **options)
        known = {(row.metric, tuple(row.slice.values())): row.value for row in literal}
        for key, line in found.items():
            value = None if line[replicate] != line[replicate] else line[replicate]
            assert value == known.get(key), (key, replicate)


@each_kind
def test_an_interval_is_two_values_of_replicates(kind: dict[str, Any]) -> None:
    options = {**kind, "by": "country", "cluster": "user", "bootstrap": COUNT}
    values = of_replicates(sy.state(LOG, **options), COUNT)
    for row in sy.evaluate(LOG, **options):
        line = np.sort(values[row.metric, tuple(row.slice.values())])
        if row.low is not None:  # the second from each end: ⌊101 · 0.025⌋
            line = line[line == line]
            assert (row.low, row.high) == (line[1], line[-2])
            assert row.details["replicates"] == len(line)
            assert row.details["clusters"] == count_users(row.slice)
        else:
            assert row.value is None or row.details["no_interval"] != ""
            assert row.slice == {"country": "lone"} or np.isnan(line).mean() > 0.1


def by_hand(
    values: Any, clusters: int = 9, confidence: float = 0.95
) -> tuple[float, float, dict[str, Any]]:
    """The ends, and details, of one slice whose replicates have these values."""
    made = Replicates(np.array([values], float), np.array([clusters]))
    found = with_percentiles(MetricValues.of([0.5]), made, confidence)
    assert found.low is not None
    assert found.high is not None
    return float(found.low[0]), float(found.high[0]), next(found.details_of(0, 1))


@pytest.mark.parametrize(
    ("count", "confidence", "low", "high"),
    [
        (999, 0.95, 25, 975),  # 1000 · 0.025 is 25
        (1000, 0.95, 25, 976),
        (1000, 0.9, 50, 951),
        (100, 0.95, 2, 99),
        (100, 0.99, None, None),  # 101 · 0.005 is below 1
        (199, 0.99, 1, 199),
    ],
)
def test_percentiles_by_hand(
    count: int, confidence: float, low: int | None, high: int | None
) -> None:
    values = np.random.default_rng(1).permutation(np.arange(1, count + 1))
    *ends, details = by_hand(values, confidence=confidence)
    if low is None:
        wanted = {"no_interval": "100 replicates are too few for a confidence of 0.99"}
        assert (str(ends), details) == ("[nan, nan]", wanted)
    else:
        assert (ends, details) == ([low, high], {"clusters": 9, "replicates": count})


def test_replicates_without_a_value() -> None:
    values = np.arange(1.0, 1001.0)
    values[900:] = np.nan  # 900 values: ⌊901 · 0.025⌋ is 22
    assert by_hand(values) == (22, 879, {"clusters": 9, "replicates": 900})
    values[899] = np.nan
    assert by_hand(values)[2] == {"no_interval": "101 of 1,000 replicates have no value"}


# --- the same bits -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "cluster"),
    [
        pytest.param(OF_SCORES, "user", id="scores-user"),
        pytest.param(OF_PAIRS, "name", id="pairs-name"),
        pytest.param(OF_SCORES, "name", id="scores-name", marks=pytest.mark.full),
        pytest.param(OF_PAIRS, "user", id="pairs-user", marks=pytest.mark.full),
    ],
)
def test_split_shuffled_saved_and_loaded(
    kind: dict[str, Any], cluster: str, tmp_path: Path
) -> None:
    options = {**kind, "weight": "w", "by": "country", "cluster": cluster, "bootstrap": COUNT}
    expected = shown(sy.evaluate(LOG, **options))
    assert sum(low is not None for _, _, _, low, _, _ in expected) > len(kind["metrics"])
    order = np.random.default_rng(2).permutation(len(LOG["y"]))
    shuffled = {name: column[order] for name, column in LOG.items()}
    assert shown(sy.evaluate(shuffled, **options)) == expected
    halves = [{name: c[part::2] for name, c in shuffled.items()} for part in range(2)]
    merged = sy.merge(*(sy.state(half, **options) for half in halves))
    assert shown(merged.result()) == expected
    merged.save(tmp_path / "both.sy")
    assert shown(sy.load(tmp_path / "both.sy").result()) == expected


def test_two_scores_share_the_weights() -> None:
    options: dict[str, Any] = {"label": "y", "cluster": "user", "bootstrap": COUNT}
    options |= {"by": "country", "metrics": ["ks", "pnr"]}
    both = sy.evaluate(LOG, score=["s", "other"], **options)
    alone = [shown(sy.evaluate(LOG, score=name, **options)) for name in ("s", "other")]
    assert shown(both) == alone[0] + alone[1]
    twice = sy.evaluate(LOG, score={"one": "s", "same": "s"}, **options)
    ends = [(row.low, row.high) for row in twice]
    assert ends[: len(ends) // 2] == ends[len(ends) // 2 :]


def test_a_file_and_arrays(tmp_path: Path) -> None:
    lines = [",".join(map(str, line)) for line in zip(*LOG.values(), strict=True)]
    (tmp_path / "log.csv").write_text("\n".join([",".join(LOG), *lines]))
    for cluster in ("user", "name"):
        options = {**OF_SCORES, "cluster": cluster, "bootstrap": COUNT}
        made = [shown(sy.evaluate(source, **options)) for source in (tmp_path / "log.csv", LOG)]
        assert made[0] == made[1]


def test_rows_as_clusters_have_their_positions_as_keys() -> None:
    positions = {**LOG, "position": np.arange(len(LOG["y"]))}
    made = [
        shown(sy.evaluate(positions, **OF_SCORES, cluster=cluster, bootstrap=COUNT))
        for cluster in ("row", "position")
    ]
    assert made[0] == made[1]


# --- no interval ---------------------------------------------------------------------------------
def test_one_cluster_has_no_interval() -> None:
    row = sy.evaluate(
        {**LOG, "user": np.zeros(400, np.int64)},
        **{**OF_SCORES, "metrics": "ks"},
        cluster="user",
        bootstrap=COUNT,
    ).rows[0]
    assert row.value is not None
    assert (row.low, row.high) == (None, None)
    assert row.details["no_interval"] == "it has rows of fewer than two clusters"
    assert "replicates" not in row.details


def test_few_clusters_are_too_often_left_out() -> None:
    """Of two clusters, both have weight 0 in 14 of 100 replicates."""
    columns = {**LOG, "user": LOG["user"] % 2}
    row = sy.evaluate(columns, label="y", score="s", metrics="ks", cluster="user", bootstrap=COUNT)
    assert row.rows[0].low is None
    assert "of 100 replicates have no value" in row.rows[0].details["no_interval"]


def test_a_slice_without_a_value_has_no_reason_for_its_interval() -> None:
    columns = {**LOG, "country": np.where(LOG["y"] == 1, "one", "none")}
    result = sy.evaluate(
        columns, label="y", score="s", by="country", metrics="ks", cluster="user", bootstrap=COUNT
    )
    none = next(row for row in result if row.slice.get("country") == "none")
    assert (none.value, none.low, dict(none.details)) == (None, None, {})


def test_without_the_option_details_say_why() -> None:
    metrics = ["ks", "auc", "ece"]
    columns = {**LOG, "s": 1 / (1 + np.exp(-LOG["s"]))}
    options: dict[str, Any] = {"label": "y", "score": "s", "metrics": metrics, "cluster": "user"}
    ks, auc, ece = sy.evaluate(columns, **options)
    assert (ks.low, ks.high) == (None, None)
    assert "bootstrap=..." in ks.details["no_interval"]
    assert "maximum over thresholds" in ks.details["no_interval"]
    assert auc.low is not None
    with_it = list(sy.evaluate(columns, **options, bootstrap=COUNT))
    assert with_it[0].low is not None
    assert with_it[1] == auc  # metrics with influence values keep their intervals
    assert with_it[2] == ece
    assert ece.low is None
    assert "no_interval" not in ece.details


@each_kind
def test_no_rows(kind: dict[str, Any]) -> None:
    columns = {**LOG, "s": np.full(400, np.nan)}
    options = {**kind, "nan": "drop", "cluster": "user", "bootstrap": COUNT}
    for row in sy.evaluate(columns, **options):
        assert (row.value, row.low, row.dropped) == (None, None, 400)


# --- width ---------------------------------------------------------------------------------------
def test_replicates_vary_as_influence_values_say() -> None:
    """The whole partial AUC is the AUC, whose standard error has a formula."""
    columns = log(6000, 300, seed=5)
    options: dict[str, Any] = {"label": "y", "score": "s", "cluster": "user", "bootstrap": 800}
    state = sy.state(columns, **options, metrics="partial_auc")
    line = of_replicates(state, 800)["partial_auc", ()]
    auc = sy.evaluate(columns, **options, metrics="auc").rows[0]
    assert line.std() == pytest.approx(auc.details["standard_error"], rel=0.1)
    row, error = state.result().rows[0], auc.details["standard_error"]
    assert row.value == auc.value
    # The 20th of 800 values from an end has a standard error of 0.1 of theirs.
    assert row.low == pytest.approx(auc.low, abs=0.35 * error)
    assert row.high == pytest.approx(auc.high, abs=0.35 * error)


@pytest.mark.parametrize("count", [99, 1_000_001, 10**300])
def test_replicates_are_from_a_hundred_to_a_million(count: int) -> None:
    log = {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.3, 0.4], "u": [1, 2, 3, 4]}
    with pytest.raises(sy.InputError, match="a whole number from 100 to 1,000,000"):
        sy.evaluate(log, label="y", score="s", cluster="u", metrics="ks", bootstrap=count)

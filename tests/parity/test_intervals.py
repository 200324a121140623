"""Published numbers: pROC's DeLong variances, intervals and test on aSAH and ROCR.simple."""

import csv
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import steelyard
from tests.parity.peers import shared

sy: Any = steelyard
NORMAL = NormalDist().inv_cdf(0.975)
# pROC 1.18, var(roc(..., method = "delong")).
VARIANCES = {
    "wfns": 0.00146991470882363,
    "s100b": 0.00266868245717244,
    "ndka": 0.0031908105493913,
}
ENDS = {
    "wfns": (0.748534887819453, 0.898822835757783),
    "s100b": (0.630118211761623, 0.832618915609651),
}


def asah() -> tuple[list[int], dict[str, list[float]]]:
    with shared("roc", "aSAH.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    scores = {name: [float(row[name]) for row in rows] for name in VARIANCES}
    return [int(row["outcome"] == "Poor") for row in rows], scores


@pytest.mark.parametrize("name", VARIANCES)
def test_rows_as_clusters_give_the_variance_of_delong(name: str) -> None:
    label, scores = asah()
    (row,) = sy.evaluate(label=label, score=scores[name], cluster="row", metrics="auc").rows
    error = row.details["standard_error"]
    assert error**2 == pytest.approx(VARIANCES[name], rel=1e-13)
    if name in ENDS:  # pROC's interval is plain and normal
        ends = (row.value - NORMAL * error, row.value + NORMAL * error)
        assert ends == pytest.approx(ENDS[name], rel=1e-13)


def test_the_paired_test_of_delong() -> None:
    label, scores = asah()
    both = {name: scores[name] for name in ("s100b", "wfns")}
    row = sy.compare(label=label, score=both, cluster="row", metrics="auc").row("auc")
    error = row.details["standard_error"]
    assert row.difference / error == pytest.approx(2.20898359144091, rel=1e-12)
    assert 2 * NormalDist().cdf(-row.difference / error) == pytest.approx(
        0.0271757822291882, rel=1e-11
    )
    ends = (row.difference - NORMAL * error, row.difference + NORMAL * error)
    assert ends == pytest.approx((0.0104061769564846, 0.174214419249478), rel=1e-11)


def test_rocr_simple() -> None:
    with shared("roc", "ROCR_simple.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    score, label = zip(*((float(row[-2]), int(float(row[-1]))) for row in rows), strict=True)
    (row,) = sy.evaluate(label=list(label), score=list(score), cluster="row", metrics="auc").rows
    assert row.value == pytest.approx(0.834187518842327, rel=1e-13)
    assert row.details["standard_error"] ** 2 == pytest.approx(0.000975662935746, rel=1e-10)


@pytest.mark.parametrize("equal", [True, False])
def test_obuchowski_by_hand(equal: bool) -> None:
    """Placements of three clusters, added up as in Biometrics 53:567.

    Of clusters that differ in size, each is divided by 1 − its share of the class, and the factor
    is (I − 1)/I: for the same sizes that is the same.
    """
    label = np.array([1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1])
    score = np.array([0.9, 0.2, 0.4, 0.5, 0.1, 0.7, 0.3, 0.6, 0.8, 0.75, 0.15, 0.45])
    cluster = np.array([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    if not equal:
        cluster = np.array([1, 1, 1, 2, 2, 2, 3, 3, 1, 1, 1, 1])
    up, down = score[label == 1], score[label == 0]
    area = np.mean([[float(p > n) for n in down] for p in up])
    v10 = {i: np.mean(score[i] > down) for i in np.flatnonzero(label == 1)}
    v01 = {i: np.mean(up > score[i]) for i in np.flatnonzero(label == 0)}
    a = [sum(v - area for i, v in v10.items() if cluster[i] == c) for c in (1, 2, 3)]
    b = [sum(v - area for i, v in v01.items() if cluster[i] == c) for c in (1, 2, 3)]
    m, n = len(up), len(down)
    factor = 3 / 2
    if not equal:
        factor = 2 / 3
        sizes = [[sum(label[cluster == c] == y) for c in (1, 2, 3)] for y in (1, 0)]
        a = [x / (1 - size / m) for x, size in zip(a, sizes[0], strict=True)]
        b = [x / (1 - size / n) for x, size in zip(b, sizes[1], strict=True)]
    s10, s01, s11 = (
        factor * sum(x * y for x, y in zip(*pair, strict=True)) / size
        for pair, size in (((a, a), m), ((b, b), n), ((a, b), 1))
    )
    variance = s10 / m + s01 / n + 2 * s11 / (m * n)
    (row,) = sy.evaluate(label=label, score=score, cluster=cluster, metrics="auc").rows
    assert row.details["standard_error"] ** 2 == pytest.approx(variance, rel=1e-13)

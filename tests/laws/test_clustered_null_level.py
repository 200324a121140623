"""ECE's null level with clusters, against its definition; what p-values take rows as."""

import json
from fractions import Fraction
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from tests.laws.clustered_log import Columns, make_log
from tests.oracles.calibration import Row
from tests.oracles.calibration_levels import binned

LOG = make_log(30, seed=6).columns
ROLES: dict[str, Any] = {"label": "click", "score": "score", "weight": "weight", "by": "country"}
SPECS = {
    f"ece(bins={bins}, kind={kind})": (bins, kind)
    for bins in (1, 3, 10, 1000)
    for kind in ("mass", "width")
}
TESTS = ("ecce", "spiegelhalter", "hosmer_lemeshow")


def oracle(log: Columns, rows: Any, bins: int, kind: str) -> float:
    """Σ_b √(2V_b/π)/W, V_b = Σ_c (Σ w(y − q))², over the users c."""
    columns = [log[name][rows].tolist() for name in ("click", "score", "weight", "user")]
    found = [
        Row(Fraction(y), Fraction(q), Fraction(w), q, field=user)
        for y, q, w, user in zip(*columns, strict=True)
    ]
    level = 0.0
    for part in binned(found, bins, kind):
        gaps: dict[int, Fraction] = {}
        for row in part:
            gaps[row.field] = gaps.get(row.field, Fraction(0)) + row.w * (row.y - row.p)
        level += sqrt(2 / pi * sum(gap * gap for gap in gaps.values()))
    return level / float(sum(row.w for row in found))


def levels(log: Columns, specs: Any = SPECS) -> dict[Any, float | None]:
    found = sy.evaluate(log, cluster="user", metrics=list(specs), **ROLES).rows
    return {(row.metric, row.slice.get("country")): row.details["null_level"] for row in found}


def test_the_null_level_of_clusters_is_that_of_its_definition() -> None:
    found = levels(LOG)
    names = sy.evaluate(LOG, metrics=list(SPECS), **ROLES).rows.totals()
    for (bins, kind), row in zip(SPECS.values(), names, strict=True):
        for country in (None, "DE", "FR", "US"):
            rows = slice(None) if country is None else LOG["country"] == country
            expected = oracle(LOG, rows, bins, kind)
            assert found[row.metric, country] == pytest.approx(expected, rel=1e-13)


def test_order_parts_and_the_unit_of_weights_change_no_bit() -> None:
    expected = levels(LOG)
    order = np.random.default_rng(2).permutation(len(LOG["user"]))
    shuffled = {name: column[order] for name, column in LOG.items()}
    assert levels(shuffled) == expected
    assert levels({**LOG, "weight": LOG["weight"] * 2.0**-1060}) == expected
    parts = [{n: c[rows] for n, c in shuffled.items()} for rows in (slice(50), slice(50, None))]
    states = [sy.state(p, cluster="user", metrics=list(SPECS), **ROLES) for p in parts]
    merged = sy.merge(*states[::-1])
    whole = sy.evaluate(LOG, cluster="user", metrics=list(SPECS), **ROLES)
    assert [*sy.State.loads(merged.dumps()).result().rows] == [*whole.rows]


def test_rows_that_err_together_raise_the_null_level() -> None:
    """A perfect model by the row, where 25 copies of each row are one user: √25 times as much."""
    random = np.random.default_rng(3)
    q = random.random(2000)
    rows = {"y": (random.random(2000) < q) * 1, "q": q, "u": np.arange(2000)}
    copies = {name: np.repeat(column, 25) for name, column in rows.items()}
    roles: dict[str, Any] = {"label": "y", "score": "q", "metrics": ["ece"]}
    (alone,) = sy.evaluate(rows, cluster="u", **roles).rows
    (together,) = sy.evaluate(copies, cluster="u", **roles).rows
    (apart,) = sy.evaluate(copies, cluster="row", **roles).rows
    assert together.value == alone.value
    assert together.details["null_level"] == pytest.approx(alone.details["null_level"], rel=1e-12)
    ratio = together.details["null_level"] / apart.details["null_level"]
    assert ratio == pytest.approx(5.0, rel=0.05)  # of 2,000 users, a standard error of 1 %


def test_one_cluster_has_no_null_level() -> None:
    one = {**LOG, "user": np.where(LOG["country"] == "DE", 0, LOG["user"] + 1)}
    found = levels(one, ["ece"])
    assert [key for key, level in found.items() if level is None] == [("ece", "DE")]


def test_p_values_say_that_they_take_rows_as_independent() -> None:
    text = "rows taken as independent"
    roles = {**ROLES, "by": None}
    found = sy.evaluate(LOG, cluster="user", metrics=[*TESTS, "auc"], **roles)
    for row in found.rows:
        assert row.details.get("rows_taken_as") == (None if row.metric == "auc" else "independent")
    *tests, auc = [line for line in str(found).splitlines() if line.startswith((*TESTS, "auc"))]
    assert all(line.endswith(text) for line in tests)
    assert text not in auc
    for made in (found.to_markdown(), found.to_html()):
        assert made.count(text) >= len(TESTS)
    listed = json.loads(found.to_json())["rows"]
    assert [row["details"].get("rows_taken_as") for row in listed] == ["independent"] * 3 + [None]
    assert str(sy.Result.from_json(found.to_json())) == str(found)
    for cluster in (None, "row"):
        assert text not in str(sy.evaluate(LOG, cluster=cluster, metrics=[*TESTS], **roles))


@pytest.mark.parametrize("metric", TESTS)
def test_the_page_of_a_test_says_it_too(metric: str) -> None:
    assert "rows taken as independent" in str(sy.explain(metric))

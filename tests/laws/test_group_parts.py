"""The parts of a change of GAUC and NDCG add up to it; oracles on rows, one pair at a time."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from bench.drops import drop
from steelyard.diagnosis.models import group_pairs
from steelyard.diagnosis.models.group_areas import GroupAreaMoves, PlacedGroups
from steelyard.diagnosis.models.group_pairs import cell_sums
from steelyard.diagnosis.parts.group_parts import both_cells, group_sums, parts_of_groups
from steelyard.diagnosis.two_logs.reading import read
from steelyard.diagnosis.two_logs.two_logs import LogRows
from steelyard.request.diagnose import DiagnoseRequest

Rows = Sequence[tuple[int, int, int, int, int]]  # group, slice, label, score, weight

GROUPS, SLICES = 4, 3
ROW = st.tuples(
    *(st.integers(0, most) for most in (GROUPS - 1, SLICES - 1, 1, 4)), st.integers(1, 3)
)
Cells = dict[tuple[int, ...], Fraction]


def pairs(rows: Rows) -> list[tuple[Any, Any]]:
    """The pairs of a positive and a negative of one group."""
    return [(up, down) for up, down in product(rows, rows) if up[0] == down[0] and up[2] > down[2]]


LOG = st.lists(ROW, min_size=3, max_size=25).filter(lambda rows: bool(pairs(rows)))


def by_cells(rows: Rows) -> tuple[Cells, Cells]:
    """By the slices of positive and negative: the weight of pairs as GAUC has it, and the won."""
    weights: Cells = {cell: Fraction(0) for cell in product(range(SLICES), repeat=2)}
    won = dict(weights)
    for group in {row[0] for row in rows}:
        own = [row for row in rows if row[0] == group]
        both = pairs(own)
        total = sum(up[4] * down[4] for up, down in both)
        for up, down in both:
            weight = Fraction(up[4] * down[4] * sum(row[4] for row in own), total)
            weights[up[1], down[1]] += weight
            won[up[1], down[1]] += weight * Fraction((up[3] > down[3]) * 2 + (up[3] == down[3]), 2)
    return weights, won


def gauc(rows: Rows) -> Fraction:
    weights, won = by_cells(rows)
    return sum(won.values(), Fraction(0)) / sum(weights.values(), Fraction(0))


def placed(rows: Rows) -> tuple[PlacedGroups, Any]:
    ordered = sorted(rows, key=lambda row: row[3])
    group, code, label, score, weight = (np.array(c) for c in zip(*ordered, strict=True))
    log = LogRows(score.astype(float), label == 1, (code,), group, weight, group)
    return PlacedGroups(log, GROUPS), code


def parts_by_definition(before: Rows, after: Rows) -> list[Fraction]:
    """What each slice adds by its own change: half of mean share times change, of all pairs."""
    tables = [by_cells(rows) for rows in (before, after)]
    totals = [sum(weights.values(), Fraction(0)) for weights, _ in tables]
    found = [Fraction(0)] * SLICES
    for cell in product(range(SLICES), repeat=2):
        if all(weights[cell] for weights, _ in tables):
            both = [w[cell] / total for (w, _), total in zip(tables, totals, strict=True)]
            share = (both[0] + both[1]) / 2
            moved = (
                tables[1][1][cell] / tables[1][0][cell] - tables[0][1][cell] / tables[0][0][cell]
            )
            for k in cell:
                found[k] += share * moved / 2
    return found


@pytest.mark.parametrize("chunk", [1, 12, 1 << 20])
@given(rows=LOG)
def test_pairs_of_slices_are_those_of_all_pairs(chunk: int, rows: Rows) -> None:
    log, codes = placed(rows)
    with patch.object(group_pairs, "CHUNK", chunk):
        found = cell_sums(log.points(codes), SLICES)
    weights, won = by_cells(rows)
    for cell in product(range(SLICES), repeat=2):
        assert found.weights[cell] == pytest.approx(float(weights[cell]), rel=1e-12, abs=1e-12)
        assert found.areas[cell] == pytest.approx(float(won[cell]), rel=1e-12, abs=1e-12)


@given(LOG, LOG)
def test_the_parts_of_gauc_add_up(before: Rows, after: Rows) -> None:
    logs = placed(before), placed(after)
    sums = group_sums(*logs[0], SLICES), group_sums(*logs[1], SLICES)
    codes = logs[0][1], logs[1][1]
    parts = parts_of_groups(sums, both_cells((logs[0][0], logs[1][0]), codes, SLICES))
    change = sums[1].value - sums[0].value
    assert sum((part.total for part in parts), Fraction(0)) == change
    assert abs(change - (gauc(after) - gauc(before))) < Fraction(1, 2**50)
    own = [float(each) for each in parts_by_definition(before, after)]
    assert [float(part.within) for part in parts] == pytest.approx(own, rel=1e-11, abs=1e-14)


@given(st.lists(st.sampled_from([1, 2**26 + 1, 2**40 + 1]), min_size=25, max_size=25), LOG)
def test_heavy_weights_are_added_exactly(weights: Sequence[int], rows: Rows) -> None:
    heavy = [(*row[:4], weight) for row, weight in zip(rows, weights, strict=False)]
    log, codes = placed(heavy)
    found = group_sums(log, codes, SLICES)
    scale = [Fraction(float(each)) for each in log.pair_weight]
    for k in range(SLICES):
        wanted = Fraction(0)
        for up, down in pairs(heavy):
            won = 2 * (up[3] > down[3]) + (up[3] == down[3])
            sides = (up[1] == k) + (down[1] == k)
            wanted += scale[up[0]] * up[4] * down[4] * won * sides
        assert found.areas[k] == wanted


def some(log: Any, count: int = 8000) -> dict[str, Any]:
    return {name: column[:count] for name, column in log.items()}


@pytest.mark.parametrize("metric", ["auc", "gauc", "ndcg", "ndcg@5", "logloss", "ne"])
def test_the_interval_is_that_of_the_comparison(metric: str) -> None:
    """To the last bit: they are made by the same functions."""
    pair = drop("slice", 7)
    logs = some(pair.before), some(pair.after, 7000)
    named: dict[str, Any] = {"label": "click", "score": "pctr", "cluster": "user_id"}
    named |= {"group": "user_id"} if metric[0] in "gn" and metric != "ne" else {}
    line = sy.diagnose(*logs, metric=metric, over=["country"], **named).lines[1]
    row = sy.compare(*logs, metrics=metric, **named).row(metric)
    sign = -1.0 if metric in ("logloss", "ne") else 1.0
    ends = sorted((sign * line.evidence["low"], sign * line.evidence["high"]))
    assert sign * line.evidence["change"] == row.difference
    assert ends == [row.low, row.high]


def test_the_influence_at_a_constant_mix() -> None:
    """Of a user: the derivative of Σ mean share · change of M by its weight, shares held."""
    pair = drop("slice", 7)
    request = DiagnoseRequest(
        before=some(pair.before, 1500),
        after=some(pair.after, 1500),
        label="click",
        score="pctr",
        group="user_id",
        cluster="user_id",
        over=["device"],
        metric="gauc",
    )
    two = read(request).two
    model, codes = GroupAreaMoves(two, (0.0, 0.0)), (two.logs[0].codes[0], two.logs[1].codes[0])
    old, new = (each.columns[0] for each in model.within_influences(codes, 3))
    found = new - old
    cells = both_cells(model.placed, codes, 3)
    share = sum(each.weights / each.weights.sum() for each in cells) / 2

    def within(cluster: int, step: int) -> float:
        """With the rows of a cluster weighted 1 + step/1000."""
        logs = []
        for log in two.logs:
            assert log.clusters is not None
            weight = np.where(log.clusters == cluster, 1000 + step, 1000)
            logs.append(replace(log, weight=weight))
        before, after = both_cells(GroupAreaMoves(two.of(logs), (0.0, 0.0)).placed, codes, 3)
        return float((share * (after.areas / after.weights - before.areas / before.weights)).sum())

    largest = np.argsort(-np.abs(found))[:5]
    for cluster in largest.tolist():
        slope = (within(cluster, 1) - within(cluster, -1)) / 0.002
        assert found[cluster] == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("metric", ["gauc", "ndcg@5"])
def test_a_broken_country_is_found(metric: str) -> None:
    pair = drop("none", 3)
    after = dict(pair.after)
    hit = after["country"] == "US"
    after["pctr"] = np.where(hit, np.random.default_rng(1).random(len(hit)) / 2, after["pctr"])
    found = sy.diagnose(
        pair.before,
        after,
        label="click",
        score="pctr",
        group="user_id",
        cluster="user_id",
        metric=metric,
    )
    assert [cause.slice for cause in found.causes] == [{"country": "US"}]
    assert ("not in device" in str(found.notes)) == (metric == "ndcg@5")


def test_users_who_left_and_joined() -> None:
    """Users of a low GAUC left: the change is mix, and none of it is that of the others."""
    pair = drop("none", 3)
    before = some(pair.before)
    left = before["user_id"] % 3 == 0
    bad = before | {"pctr": np.where(left, -before["pctr"], before["pctr"])}
    after = {name: column[~left] for name, column in before.items()}
    found = sy.diagnose(
        bad, after, label="click", score="pctr", group="user_id", metric="gauc", over=["device"]
    )
    table = found.parts[-1]
    assert table.dimension == "user_id"
    assert [each.key for each in table.slices] == ["returning", "left"]
    assert table.within == 0
    assert table.mix == table.change > 0
    assert sum(each.part.total for each in table.slices) == table.change

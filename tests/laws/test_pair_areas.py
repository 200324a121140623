"""Areas of pairs of slices, computed from sorted rows, are those of all pairs of rows."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.diagnosis.parts.pair_areas import pair_sums
from steelyard.diagnosis.two_logs.two_logs import LogRows
from tests.laws.test_attribution import LOG, SLICES, Rows
from tests.laws.test_attribution import pair_sums as by_definition


def log_of(rows: Rows) -> tuple[LogRows, np.ndarray]:
    ordered = sorted(rows, key=lambda row: row[2])
    codes, labels, scores, weights = (np.array(column) for column in zip(*ordered, strict=True))
    log = LogRows(scores.astype(float), labels == 1, (codes,), np.arange(len(codes)), weights)
    return log, codes


@pytest.mark.parametrize("chunk", [1, 8, 1 << 20])
@given(rows=LOG)
def test_areas_are_those_of_all_pairs(chunk: int, rows: Rows) -> None:
    log, codes = log_of(rows)
    with patch("steelyard.kernels.numpy.areas_of_pairs.CHUNK", chunk):
        found = pair_sums(log, codes, SLICES)
    wanted = by_definition(rows)
    assert [list(column) for column in found[:2]] == [list(column) for column in wanted[:2]]
    assert [list(row) for row in found.areas] == [list(row) for row in wanted.areas]
    assert found.value == wanted.value


@given(st.lists(st.sampled_from([1, 2**40 + 1, 2**50]), min_size=25, max_size=25), LOG)
def test_weights_beyond_int64_are_exact(weights: Sequence[int], rows: Rows) -> None:
    heavy = [(*row[:3], weight) for row, weight in zip(rows, weights, strict=False)]
    if {row[1] for row in heavy} != {0, 1}:
        return
    log, codes = log_of(heavy)
    found, wanted = pair_sums(log, codes, SLICES), by_definition(heavy)
    assert [list(row) for row in found.areas] == [list(row) for row in wanted.areas]
    assert found.value == wanted.value


@pytest.mark.parametrize("few", [0, 1 << 22])
@given(st.lists(st.floats(2**-30, 2.0**40), min_size=25, max_size=25), LOG)
def test_float_weights_are_exact(few: int, weights: Sequence[float], rows: Rows) -> None:
    """Also where many rows need digits of fewer bits."""
    heavy = [(*row[:3], Fraction(weight)) for row, weight in zip(rows, weights, strict=False)]
    if {row[1] for row in heavy} != {0, 1}:
        return
    ordered = sorted(heavy, key=lambda row: row[2])
    log, codes = log_of([(*row[:3], 1) for row in ordered])
    log = replace(log, exact_weight=np.array([float(row[3]) for row in ordered]))
    with patch("steelyard.kernels.numpy.areas_of_pairs.FEW", few):
        found = pair_sums(log, codes, SLICES)
    unit = max(weight[3].denominator for weight in heavy)
    whole = by_definition([(*row[:3], int(row[3] * unit)) for row in heavy])
    assert found.value == whole.value
    assert [found.own(k) for k in range(SLICES)] == [whole.own(k) for k in range(SLICES)]

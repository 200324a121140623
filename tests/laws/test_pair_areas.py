"""Areas of pairs of slices, computed from sorted rows, are those of all pairs of rows."""

from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.diagnosis.models.areas import PlacedLog
from steelyard.diagnosis.parts.pair_areas import pair_sums
from steelyard.diagnosis.two_logs.two_logs import LogRows
from tests.laws.test_attribution import LOG, SLICES, Rows
from tests.laws.test_attribution import pair_sums as by_definition


def placed(rows: Rows) -> tuple[PlacedLog, np.ndarray]:
    ordered = sorted(rows, key=lambda row: row[2])
    codes, labels, scores, weights = (np.array(column) for column in zip(*ordered, strict=True))
    log = LogRows(scores.astype(float), labels == 1, (codes,), np.arange(len(codes)), weights)
    return PlacedLog(log), codes


@pytest.mark.parametrize("chunk", [1, 8, 1 << 20])
@given(rows=LOG)
def test_areas_are_those_of_all_pairs(chunk: int, rows: Rows) -> None:
    log, codes = placed(rows)
    with patch("steelyard.kernels.numpy.areas_of_pairs.CHUNK", chunk):
        found = pair_sums(log, codes, SLICES)
    wanted = by_definition(rows)
    assert [list(column) for column in found[:2]] == [list(column) for column in wanted[:2]]
    assert [list(row) for row in found.areas] == [list(row) for row in wanted.areas]
    assert log.exact == wanted.value


@given(st.lists(st.sampled_from([1, 2**40 + 1, 2**50]), min_size=25, max_size=25), LOG)
def test_weights_beyond_int64_are_exact(weights: Sequence[int], rows: Rows) -> None:
    heavy = [(*row[:3], weight) for row, weight in zip(rows, weights, strict=False)]
    if {row[1] for row in heavy} != {0, 1}:
        return
    log, codes = placed(heavy)
    found, wanted = pair_sums(log, codes, SLICES), by_definition(heavy)
    assert [list(row) for row in found.areas] == [list(row) for row in wanted.areas]
    assert log.exact == wanted.value

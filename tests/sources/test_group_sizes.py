"""Sizes of groups instead of their keys."""

from collections.abc import Callable
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import steelyard
from tests.parity.peers import lightgbm_says, xgboost_says

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
GROUPED = {"y": [1, 0, 0, 0, 1], "s": [0.9, 0.3, 0.5, 0.8, 0.6], "group": list("vwxyz")}


def test_group_sizes_in_functions() -> None:
    """The first list is in perfect order, the second upside down: (3 · 1 + 2 · 0) / 5.

    A size of 0 has no rows.
    """
    y, s = GROUPED["y"], GROUPED["s"]
    assert sy.gauc(y, s, group_sizes=[3, 2]) == sy.gauc(y, s, group_sizes=[3, 0, 2.0]) == 0.6
    assert sy.mrr(y, s, group_sizes=numpy.array([3, 2])) == (1 + 1 / 2) / 2
    with pytest.raises(sy.InputError, match="gauc is computed by group"):
        sy.gauc(y, s)


@pytest.mark.parametrize("frame", [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_group_sizes_in_tables(frame: Callable[[Any], Any]) -> None:
    """A column that is called group already stays; a condition holds after the lists are made."""
    source = frame(GROUPED)
    asked = {"label": "y", "score": "s", "group_sizes": [3, 2], "metrics": "gauc"}
    assert sy.evaluate(source, **asked)["gauc"] == 0.6
    assert sy.evaluate(source, where="s > 0.4", **asked)["gauc"] == 1 / 2
    assert sy.evaluate(source, by="\"group\" < 'y'", **asked)["gauc"] == 0.6
    assert len(getattr(source, "column_names", list(source))) == 3  # the user's frame is as it was


@pytest.mark.parametrize(("tool", "says"), [("lightgbm", lightgbm_says), ("xgboost", xgboost_says)])
def test_group_sizes_agree_with_other_tools(tool: str, says: Callable[..., float]) -> None:
    """A size of 0 is a third list to them, with the value 1; to us it is no list."""
    y, s = numpy.array([1, 0, 2, 0, 1, 0]), numpy.arange(6.0, 0, -1)
    asked = {"label": y, "score": s, "metrics": "ndcg@2", "preset": tool}
    ours = sy.evaluate(group_sizes=[3, 3], **asked)["ndcg@2"]
    assert says(y, s, numpy.array([3, 3]), "ndcg@2") == pytest.approx(ours, rel=1e-6)
    assert sy.evaluate(group_sizes=[3, 0, 3], **asked)["ndcg@2"] == ours
    theirs = says(y, s, numpy.array([3, 0, 3]), "ndcg@2")
    assert theirs == pytest.approx((2 * ours + 1) / 3, rel=1e-6)

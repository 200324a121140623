"""Whole numbers stay whole: keys stay apart, scores that float64 cannot hold are refused."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import steelyard
from tests.sources.evaluated import auc_of

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
LARGE = 2**53  # the largest number up to which float64 holds every whole number


def large_ids() -> str:
    """Three users whose ids differ by one, of 64 bits in one file; another file has floats."""
    users = pyarrow.array([LARGE, LARGE + 1, LARGE + 2] * 2, pyarrow.int64())
    clicks = pyarrow.table(
        {"y": [1, 1, 1, 0, 0, 0], "s": [0.9, 0.5, 0.2, 0.8, 0.4, 0.1], "u": users}
    )
    pyarrow.parquet.write_table(clicks, "a.parquet")
    other = pyarrow.table({"y": [1, 0], "s": [0.6, 0.5], "u": pyarrow.array([7.0, 7.0])})
    pyarrow.parquet.write_table(other, "b.parquet")
    return "*.parquet"


def test_large_ids_stay_apart_where_another_file_has_floats(folder: Path) -> None:
    roles: dict[str, Any] = {"label": "y", "score": "s"}
    result = sy.evaluate(large_ids(), **roles, group="u", by="u", metrics=["gauc", "field_ece(u)"])
    assert (result["gauc"], result.row("gauc").details["groups_used"]) == (1.0, 4)
    slices = [row.slice["u"] for row in result.rows if row.metric == "gauc" and row.slice]
    assert slices == [7, LARGE, LARGE + 1, LARGE + 2]
    assert [type(key) for key in slices] == [int] * 4
    # Each user has one click of two rows; the scores add to 1.1, 1.7, 0.9 and 0.3.
    assert result["field_ece(u)"] == pytest.approx((0.1 + 0.7 + 0.1 + 0.7) / 8)
    with pytest.raises(sy.SourceError, match=r"u is BIGINT here and a float .* 9007199254740993"):
        sy.evaluate(large_ids(), label="y", score="u", metrics="auc")
    in_lists = {"y": [1, 0, 1], "s": [0.1, 0.2, 0.3], "u": [LARGE, LARGE + 1, 7.5]}
    assert len(sy.evaluate(in_lists, **roles, by="u", metrics="prevalence").rows) == 4


@pytest.mark.parametrize("type_", ["HUGEINT", "UHUGEINT", "DECIMAL(38,0)", "DECIMAL(38,2)"])
@pytest.mark.parametrize("large", [LARGE, 2**70])
def test_whole_scores_that_float64_does_not_hold(type_: str, large: int) -> None:
    rows = "SELECT * FROM (VALUES (0, {}::{}), (1, {}::{})) t(y, s)"
    with pytest.raises(sy.InputError, match=r"s has 1 value that float64 cannot hold .* row 1"):
        auc_of(rows.format(large, type_, large + 1, type_))
    assert auc_of(rows.format(large, type_, 2 * large, type_)) == 1


def test_whole_scores_in_text(folder: Path) -> None:
    path = folder / "t.csv"
    for large in (LARGE, 2**70):
        path.write_text(f"y,s\n0,{large}\n1,{large + 1}\n1,0.5\n", encoding="utf-8")
        with pytest.raises(sy.InputError, match=rf"s has 1 value that float64 .*\({large + 1}\)"):
            auc_of(path)
    path.write_text(f"y,s\n0,{LARGE}\n1,{2 * LARGE}\n1,1e300\n", encoding="utf-8")
    assert auc_of(path) == 1


def test_a_number_has_no_underscore(folder: Path) -> None:
    path = folder / "t.csv"
    path.write_text("y,s\n0,1_000\n1,2\n", encoding="utf-8")
    with pytest.raises(sy.InputError, match=r"not a number, the first at row 0 \('1_000'\)"):
        auc_of(path)
    with pytest.raises(sy.SourceError, match="VARCHAR"):
        auc_of(path, score="s + 0")

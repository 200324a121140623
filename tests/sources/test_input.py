"""Columns that users pass and that work: every kind, with the oracle's value."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from steelyard.errors import UndefinedWarning
from tests.sources.columns import AUC, NAN, WEIGHTED, S, W, Y, frozen, literal_auc, sy


def test_the_oracle_distinguishes_columns() -> None:
    """By hand: of the six pairs 2>1, 3>1 and half of 3=3 are won."""
    assert AUC == 2.5 / 6
    assert AUC not in (literal_auc(Y, S[::-1]), literal_auc(Y[::-1], S), WEIGHTED)


class Arrayish:
    """Any object that knows how to become an array."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self.values, dtype)


class Sequenceish:
    """A sequence by its protocol alone."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: int) -> int:
        return self.values[place]


def every_other(values: list[int]) -> npt.NDArray[Any]:
    """A column with gaps between its values."""
    return np.repeat(np.array(values), 2)[::2]


def read_only(values: list[int]) -> npt.NDArray[Any]:
    column = np.array(values)
    column.flags.writeable = False
    return column


def unusual_index(values: list[int]) -> Any:
    return pd.Series(values, index=[9, 9, 3, -1, 0])


def of_type(dtype: np.dtype[Any]) -> Callable[[list[int]], Any]:
    return lambda values: np.array(values, dtype)


def view(values: list[int]) -> memoryview:
    column: Any = np.array(values)
    return memoryview(column)


DTYPES = [np.dtype(code) for code in "bBhHiIlLqQefdg"]
SWAPPED = [dtype.newbyteorder() for dtype in DTYPES if dtype.itemsize in (2, 4, 8)]
COLUMNS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "tuple": tuple,
    "list of floats": lambda v: [float(x) for x in v],
    "list of NumPy scalars": lambda v: [np.int8(x) for x in v],
    "sequence": Sequenceish,
    "__array__": Arrayish,
    "memoryview": view,
    "bytearray": bytearray,
    **{f"numpy {dtype.name}": of_type(dtype) for dtype in DTYPES},
    **{f"swapped {dtype.name}": of_type(dtype) for dtype in SWAPPED},
    "with gaps": every_other,
    "backwards": lambda v: np.array(v[::-1])[::-1],
    "a matrix column": lambda v: np.array([v, v]).T[:, 0],
    "read-only": read_only,
    "unmasked": lambda v: np.ma.masked_array(v),
    "masked nowhere": lambda v: np.ma.masked_array(v, mask=[False] * len(v)),
    "objects": lambda v: np.array(v, object),
    "mixed objects": lambda v: np.array([v[0], float(v[1]), np.int8(v[2]), *v[3:]], object),
    "pandas": pd.Series,
    "pandas, unusual index": unusual_index,
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas Float64": lambda v: pd.Series(v, dtype="Float64"),
    "pandas UInt8": lambda v: pd.Series(v, dtype="UInt8"),
    "pandas float32": lambda v: pd.Series(v, dtype="float32"),
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas arrow": lambda v: pd.Series(v, dtype="int64[pyarrow]"),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars float32": lambda v: pl.Series(v, dtype=pl.Float32),
    "polars uint8": lambda v: pl.Series(v, dtype=pl.UInt8),
    "arrow": pa.array,
    "arrow float32": lambda v: pa.array(v, pa.float32()),
    "arrow chunked": lambda v: pa.chunked_array([v[:2], v[2:]]),
}


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_columns_that_work(make: Callable[[list[int]], Any]) -> None:
    """In every role; and nothing is written to."""
    y, s, w = make(Y), make(S), make(W)
    before = [frozen(column) for column in (y, s, w)]
    assert sy.auc(y, S) == AUC
    assert sy.auc(Y, s) == AUC
    assert sy.auc(Y, S, sample_weight=w) == WEIGHTED
    assert sy.auc(y, s, sample_weight=w) == WEIGHTED
    assert sy.auc(y, s, sample_weight=w, nan="drop", positive=1) == WEIGHTED
    assert [frozen(column) for column in (y, s, w)] == before


def test_a_range() -> None:
    assert sy.auc([0, 0, 1], range(3), sample_weight=range(1, 4)) == 1.0


# --- labels --------------------------------------------------------------------------------------

WORDS = ["no", "yes", "no", "yes", "yes"]
SIGNS = [-1, 1, -1, 1, 1]
BOOLS = [False, True, False, True, True]

LABELS: dict[str, tuple[Any, Any]] = {
    "booleans": (BOOLS, None),
    "NumPy booleans": (np.array(BOOLS), None),
    "object booleans": (np.array(BOOLS, object), None),
    "booleans, positive=True": (BOOLS, True),
    "pandas boolean": (pd.Series(BOOLS, dtype="boolean"), None),
    "pandas bool": (pd.Series(BOOLS), None),
    "polars boolean": (pl.Series(BOOLS), None),
    "arrow boolean": (pa.array(BOOLS), None),
    "signs": (SIGNS, None),
    "float signs": ([float(sign) for sign in SIGNS], None),
    "int8 signs": (np.array(SIGNS, np.int8), None),
    "signs, positive=1": (SIGNS, 1),
    "words": (WORDS, "yes"),
    "NumPy words": (np.array(WORDS), "yes"),
    "NumPy words, big-endian": (np.array(WORDS).astype(">U3"), "yes"),
    "positive as NumPy word": (WORDS, np.str_("yes")),
    "object words": (np.array(WORDS, object), "yes"),
    "bytes": (np.array(WORDS).astype("S3"), "yes"),
    "object bytes": ([word.encode() for word in WORDS], "yes"),
    "NumPy strings": (np.array(WORDS, np.dtypes.StringDType()), "yes"),
    "pandas words": (pd.Series(WORDS), "yes"),
    "pandas string": (pd.Series(WORDS, dtype="string"), "yes"),
    "pandas object words": (pd.Series(WORDS, dtype=object), "yes"),
    "pandas category": (pd.Series(WORDS, dtype="category"), "yes"),
    "polars words": (pl.Series(WORDS), "yes"),
    "polars categories": (pl.Series(WORDS, dtype=pl.Categorical), "yes"),
    "arrow words": (pa.array(WORDS), "yes"),
    "arrow dictionary": (pa.array(WORDS).dictionary_encode(), "yes"),
    "arrow chunked words": (pa.chunked_array([WORDS[:2], WORDS[2:]]), "yes"),
    "other numbers": ([7, 9, 7, 9, 9], 9),
    "positive of another type": ([7, 9, 7, 9, 9], 9.0),
    "positive as NumPy number": ([7, 9, 7, 9, 9], np.int16(9)),
    "zero as the positive": ([5, 0, 5, 0, 0], 0),
    "fractions": ([0.25, 0.5, 0.25, 0.5, 0.5], 0.5),
    "labels that uint64 alone holds": (
        np.array([1, 2**64 - 1, 1, 2**64 - 1, 2**64 - 1]),
        2**64 - 1,
    ),
}


@pytest.mark.parametrize(("label", "positive"), LABELS.values(), ids=LABELS)
def test_labels_that_work(label: Any, positive: Any) -> None:
    before = frozen(label)
    assert sy.auc(label, S, positive=positive) == AUC
    assert sy.auc(label, S, positive=positive, nan="drop", sample_weight=W) == WEIGHTED
    assert frozen(label) == before


# --- scores and weights with something to them ---------------------------------------------------


def test_float32_scores_are_compared_as_float32() -> None:
    """0.1 and its float32 neighbour are two scores in float64 and a tie in float32."""
    close = [0.1, float(np.float32(0.1))]
    assert sy.auc([0, 1], close) == 1.0
    assert sy.auc([0, 1], np.array(close, np.float32)) == 0.5


def test_a_threshold_is_rounded_to_the_scores_type() -> None:
    scores = np.array([0.3, 0.1], np.float32)  # float32(0.3) is above 0.3, but it is 0.3
    assert sy.recall([1, 0], scores, threshold=0.3) == 1.0
    below = np.array([0.7, 0.1], np.float32)  # float32(0.7) is below 0.7
    assert sy.recall([1, 0], below, threshold=0.7) == 1.0


@pytest.mark.parametrize(("threshold", "share"), [(1e300, 0.0), (-1e300, 1.0)])
def test_a_threshold_beyond_float32(threshold: float, share: float) -> None:
    assert sy.recall([1, 0], np.array([1.0, 2.0], np.float32), threshold=threshold) == share


def test_long_doubles_that_float64_holds() -> None:
    assert sy.auc(Y, np.array(S, np.longdouble) / 8) == AUC


def test_both_zeros_are_a_tie() -> None:
    assert sy.auc([0, 1], [-0.0, 0.0]) == sy.auc([0, 1], [0.0, -0.0]) == 0.5


def test_scores_at_the_ends_of_float64() -> None:
    ends = [-1.7976931348623157e308, -5e-324, 5e-324, 1.7976931348623157e308]
    assert sy.auc([0, 0, 1, 1], ends) == 1.0
    assert sy.auc([0, 0, 1, 1], [1e308, 1e308, 1e308, 1e308]) == 0.5  # their sum is not finite


def test_integers_that_float64_holds() -> None:
    assert sy.auc([0, 1], [2**53 + 2, 2**62]) == 1.0
    assert sy.auc([0, 1], np.array([2**63, 2**64 - 2**11], np.uint64)) == 1.0


def test_boolean_scores_and_weights() -> None:
    assert sy.auc([0, 1, 1], [False, True, False]) == 0.75
    assert sy.auc([0, 1, 1], [0.5, 1, 0], sample_weight=[True, True, False]) == 1.0


def test_weights_of_any_size() -> None:
    """W⁺W⁻ far beyond and far below float64: only the ratio is rounded."""
    for scale in (1e300, 5e-324, 1e-200):
        assert sy.auc(Y, S, sample_weight=[scale] * 5) == AUC
    assert sy.auc(Y, S, sample_weight=np.full(5, 2**64 - 1, np.uint64)) == AUC
    assert sy.auc(Y, S, sample_weight=np.array(W, np.uint64) << np.uint64(60)) == WEIGHTED


def test_weight_zero_is_absence() -> None:
    """Even where the label is none, and even as -0.0."""
    assert sy.auc([0, 1, 7, 1], [1, 2, 0, 0], sample_weight=[1, 1, 0, 1]) == 0.5
    assert sy.auc([0, 1, 7, 1], [1, 2, 0, 0], sample_weight=[1, 1, -0.0, 1]) == 0.5


# --- no value ------------------------------------------------------------------------------------

EMPTY: list[Any] = [
    [],
    (),
    np.zeros(0),
    np.zeros(0, np.int8),
    np.zeros(0, object),
    np.zeros(0, "U1"),
    pd.Series([], dtype="Int64"),
    pl.Series([], dtype=pl.Float32),
    pa.array([], pa.float64()),
]


def undefined(call: Callable[[], Any], why: str) -> None:
    with pytest.warns(UndefinedWarning, match=why) as caught:
        value = call()
    assert value != value
    assert len(caught) == 1
    assert caught[0].filename == __file__  # the warning points at the user's line


@pytest.mark.parametrize("empty", EMPTY, ids=lambda v: f"{type(v).__module__} {type(v).__name__}")
def test_empty_input(empty: Any) -> None:
    undefined(lambda: sy.auc(empty, []), "auc has no value: there are no rows")
    if getattr(empty, "dtype", None) != np.dtype("U1"):
        undefined(lambda: sy.auc([], empty), "there are no rows")
        undefined(lambda: sy.auc([], [], sample_weight=empty), "there are no rows")


def test_rows_without_a_value() -> None:
    undefined(lambda: sy.auc([1, 1], [1, 2]), "there are no negatives")
    undefined(lambda: sy.auc([0, 0], [1, 2]), "there are no positives")
    undefined(lambda: sy.auc([-1, -1], [1, 2]), "there are no positives")
    undefined(lambda: sy.auc(["no", "no"], [1, 2], positive="yes"), "there are no positives")
    undefined(lambda: sy.auc(["yes", "yes"], [1, 2], positive="yes"), "there are no negatives")
    undefined(
        lambda: sy.auc([0, 1], [1, 2], sample_weight=[0, 0]),
        "there are no rows with a weight above 0",
    )
    undefined(lambda: sy.auc([0, 1], [1, 2], sample_weight=[0, 1.5]), "there are no negatives")
    undefined(lambda: sy.auc([0, 1], [NAN, NAN], nan="drop"), "there are no rows")
    undefined(lambda: sy.auc(["a", None], [NAN, 1.0], nan="drop"), "there are no rows")


def test_none_is_not_an_array() -> None:
    with pytest.raises(sy.InputError, match=r"^y_score cannot be read as an array \(it is None\)"):
        sy.auc(Y, None)
    with pytest.raises(sy.InputError, match=r"^y_true cannot be read as an array \(it is None\)"):
        sy.mae(None, S)


def test_several_scores_are_given_by_name() -> None:
    label, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    scores = [score, [-one for one in score]]
    with pytest.raises(sy.InputError, match=r"2 rows of 4 values, but label has 4 rows.*score=\{"):
        sy.evaluate(label=label, score=scores, metrics="auc")
    result = sy.evaluate(label=label, score=dict(zip("ab", scores, strict=True)), metrics="auc")
    assert (result.value("auc", score="a"), result.value("auc", score="b")) == (0.75, 0.25)


def test_what_drops_infinities_is_said_and_drops_them() -> None:
    label, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, float("inf")]
    with pytest.raises(sy.InputError, match=r"out with where='isfinite\(score\)'.*np\.isfinite"):
        sy.evaluate(label=label, score=score, metrics="auc", nan="drop")
    result = sy.evaluate(label=label, score=score, metrics="auc", where="isfinite(score)")
    assert result["auc"] == 0.5  # 0.35 is above 0.1 and below 0.4


@pytest.mark.parametrize("metric", ["auc", "gauc"])
def test_grades_beside_a_binary_metric(metric: str) -> None:
    """The advice is one that works: with grades of 1 and more as positive there are two classes."""
    rows = {"grade": [0, 1, 2, 0], "s": [0.1, 0.4, 0.35, 0.8], "query": [1, 1, 2, 2]}
    roles = {"score": "s", "group": "query"}
    with pytest.raises(sy.InputError, match=r"1 grade .*row 2 \(2\).*grade >= 1 as the label\.$"):
        sy.evaluate(rows, label="grade", **roles, metrics=["ndcg", metric])
    assert sy.evaluate(rows, label="grade >= 1", **roles, metrics=metric)[metric] == 0.5

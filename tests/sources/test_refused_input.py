"""Columns that users pass and that do not work: an error that names column, count and row.

Nothing else escapes: no raw NumPy error, no warning (pytest makes those errors), no wrong number.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from steelyard.errors import InputError
from tests.sources.columns import INF, NAN, S, W, Y, frozen, literal_auc, masked, sy

# --- missing values ------------------------------------------------------------------------------


# A column of five rows, of which 1 and 3 are missing.
HOLES: dict[str, Any] = {
    "NaN": [1, NAN, 3, NAN, 0],
    "None": [1, None, 3, None, 0],
    "float32 NaN": np.array([1, NAN, 3, NAN, 0], np.float32),
    "float16 NaN": np.array([1, NAN, 3, NAN, 0], np.float16),
    "long double NaN": np.array([1, NAN, 3, NAN, 0], np.longdouble),
    "big-endian NaN": np.array([1, NAN, 3, NAN, 0], ">f8"),
    "None and a NumPy NaN": np.array([1, None, 3, np.float32(NAN), 0], object),
    "pandas NaN": pd.Series([1, NAN, 3, NAN, 0], index=[5, 4, 3, 2, 1]),
    "pandas Int64": pd.Series([1, None, 3, None, 0], dtype="Int64"),
    "pandas Float64": pd.Series([1, None, 3, None, 0], dtype="Float64"),
    "pandas category": pd.Series([1, None, 3, None, 0], dtype="category"),
    "NA among objects": pd.Series([1, pd.NA, 3, pd.NaT, 0], dtype=object),
    "polars null": pl.Series([1, None, 3, None, 0]),
    "polars NaN and null": pl.Series([1.0, NAN, 3.0, None, 0.0]),
    "arrow null": pa.array([1, None, 3, None, 0]),
    "arrow chunked null": pa.chunked_array([[1, None], [3, None, 0]]),
    "masked": masked([1, 2, 3, 3, 0], 1, 3),
    "masked and NaN": masked([1, 2, 3, NAN, 0], 1),
    "masked NaN": masked([1, NAN, 3, INF, 0], 1, 3),
    "masked integers": masked([1, 9, 3, -9, 0], 1, 3),
    "masked objects": np.ma.masked_array(
        np.array([1, "--", 3, None, 0], object), mask=[False, True, False, False, False]
    ),
}


@pytest.mark.parametrize("column", HOLES.values(), ids=HOLES)
def test_missing_values(column: Any) -> None:
    """An error that names column, count and first row; or, by choice, rows left out and counted."""
    before = frozen(column)
    with pytest.raises(InputError, match=r"y_score has 2 missing values .* the first at row 1:"):
        sy.auc([0, 1, 1, 0, 1], column)
    with pytest.raises(InputError, match=r"sample_weight has 2 missing .* the first at row 1:"):
        sy.auc([0, 1, 1, 0, 1], S, sample_weight=column)
    expected = literal_auc([0, 1, 1], [1, 3, 0])
    assert sy.auc([0, 1, 1, 0, 1], column, nan="drop") == expected
    result = sy.evaluate(label=[0, 1, 1, 0, 1], score=column, metrics=["auc"], nan="drop")
    assert (result["auc"], result.rows[0].n, result.rows[0].dropped) == (expected, 3, 2)
    assert frozen(column) == before


@pytest.mark.parametrize(
    "label",
    [
        [0, None, 1, NAN, 1],
        pd.Series([0, None, 1, None, 1], dtype="boolean"),
        pd.Series(["no", None, "yes", None, "yes"]),
        pl.Series([False, None, True, None, True]),
        pa.array(["no", None, "yes", None, "yes"]),
        np.array(["no", None, "yes", NAN, "yes"], object),
        masked(["no", "maybe", "yes", "what", "yes"], 1, 3),
        masked([0, 7, 1, 8, 1], 1, 3),
    ],
    ids=lambda v: f"{type(v).__module__} {type(v).__name__}",
)
def test_missing_labels(label: Any) -> None:
    positive = "yes" if "yes" in list(map(str, label)) else None
    with pytest.raises(InputError, match=r"y_true has 2 missing values .* the first at row 1:"):
        sy.auc(label, S, positive=positive)
    expected = literal_auc([0, 1, 1], [1, 3, 0])
    assert sy.auc(label, S, positive=positive, nan="drop") == expected


def test_rows_missing_here_and_there_are_dropped_once() -> None:
    result = sy.evaluate(
        label=[0, None, 1, 0, 1, 1],
        score=[1, NAN, 3, NAN, 0, 5],
        weight=[1, 1, 2, 1, NAN, 1],
        metrics="auc",
        nan="drop",
    )
    assert (result.rows[0].n, result.rows[0].dropped, result["auc"]) == (2 + 1, 3, 1.0)


# After rows were dropped, the first position named is the user's row, not the one that is left.
DROPPED: dict[str, tuple[Callable[[], Any], str]] = {
    "label": (lambda: sy.auc([NAN, 0, 1, 2], [1, NAN, 3, 4], nan="drop"), "at row 3 "),
    "mixed": (lambda: sy.auc([0, NAN, 0, -1], [1, 2, 3, 4], nan="drop"), r"a -1 first at row 3\)"),
    "infinite": (lambda: sy.auc([NAN, 0, 1, 1], [1, 2, INF, 4], nan="drop"), "at row 2:"),
    "weight": (
        lambda: sy.auc([1, 0, 1], [NAN, 2, 3], sample_weight=[1, 1, -1], nan="drop"),
        r"at row 2 \(-1\)",
    ),
    "inexact": (
        lambda: sy.auc([NAN, 0, 1], [1, 2, 2**53 + 1], nan="drop"),
        r"at row 2 \(9007199254740993\)",
    ),
    "third label": (
        lambda: sy.auc([None, "a", "b", "c"], [1, 2, 3, 4], positive="a", nan="drop"),
        r"the third first at row 3\)",
    ),
    "words as scores": (lambda: sy.auc([NAN, 0, 1], ["x", "y", "z"], nan="drop"), "at row 1,"),
    "past a weight of zero": (
        lambda: sy.auc([5, 0, 1, 6], [1, 2, 3, 4], sample_weight=[0, 1, 1, 1]),
        "has 1 value outside .* at row 3 ",
    ),
}


@pytest.mark.parametrize(("call", "message"), DROPPED.values(), ids=DROPPED)
def test_positions_are_the_users_rows(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


# --- columns that are none -----------------------------------------------------------------------


def numbers() -> Iterator[int]:
    yield from Y


class Refuses:
    """An object whose own __array__ fails."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise RuntimeError("not today")


NO_COLUMNS: dict[str, tuple[Any, str]] = {
    "a generator": (numbers(), "{} cannot be read as an array (it is one generator)"),
    "a dict": (dict.fromkeys(Y), "{} cannot be read as an array (it is one dict)"),
    "a set": ({1, 2}, "{} cannot be read as an array (it is one set)"),
    "text": ("01011", "{} cannot be read as an array (it is one str)"),
    "bytes": (b"01011", "{} cannot be read as an array (it is one bytes)"),
    "a number": (0.5, "{} cannot be read as an array (it is one float)"),
    "a NumPy scalar": (np.float32(1), "{} cannot be read as an array (it is one float32)"),
    "a 0-d array": (np.array(1), "{} cannot be read as an array (it is one ndarray)"),
    "an object": (object(), "{} cannot be read as an array (it is one object)"),
    "a ragged list": ([[1], [2, 3], [4], [5], [6]], "{} has 2 values at row 1 and 1 at row 0"),
    "what refuses": (Refuses(), "{} cannot be read as an array (not today)"),
    "a column matrix": (
        np.zeros((5, 1)),
        "{} has 2 dimensions (shape (5, 1)), but one is expected",
    ),
    "a row matrix": (np.zeros((1, 5)), "{} has 2 dimensions (shape (1, 5)), but one is expected"),
    "a cube": (np.zeros((5, 1, 1)), "{} has 3 dimensions (shape (5, 1, 1)), but one is expected"),
    "masked 2-D": (np.ma.zeros((5, 2)), "{} has 2 dimensions (shape (5, 2)), but one is expected"),
    "a list of lists": ([[1]] * 5, "{} has 2 dimensions (shape (5, 1)), but one is expected"),
    "a pandas frame": (pd.DataFrame({"a": Y}), "{} has 2 dimensions (shape (5, 1))"),
    "a polars frame": (pl.DataFrame({"a": Y}), "{} has 2 dimensions (shape (5, 1))"),
    "complex numbers": (np.array(Y, complex), "{} holds values of type complex128"),
    "dates": (np.array(Y, "M8[D]"), "{} holds values of type datetime64[D], the first at row 0"),
    "spans": (np.array(Y, "m8[s]"), "{} holds values of type timedelta64[s], the first at row 0"),
    "pandas dates": (pd.Series(pd.to_datetime(Y)), "{} holds values of type datetime64["),
    "records": (np.zeros(5, [("a", int)]), "{} holds values of type void64, the first at row 0"),
    "objects": ([1, 2, object(), 4, 5], "{} holds values of type object, the first at row 2"),
    "Python dates": ([1, datetime(2020, 1, 1), 3, 4, 5], "{} holds values of type datetime"),
    "decimals": (
        [1, 2, 3, Decimal("0.1"), 5],
        "{} holds values of type Decimal, the first at row 3",
    ),
    "complex objects": ([None, 1j, 1, 1, 1], "{} holds values of type complex"),
    "integers of 80 bits": ([1, 2, 3, 4, 2**80], "{} holds values of type int, the first at row 4"),
    "words among numbers": (
        [1, 2, "3", 4, None],
        "{} holds values of type str, the first at row 2",
    ),
    "bytes that are no text": (np.array([b"\xff"] * 5), "{} holds values of type bytes"),
    "lists as objects": (pd.Series([[1], [2], [3], [4], [5]]), "{} holds values of type list"),
}


@pytest.mark.parametrize(("column", "message"), NO_COLUMNS.values(), ids=NO_COLUMNS)
def test_objects_that_are_no_column_are_refused(column: Any, message: str) -> None:
    columns: dict[str, Any] = {"y_true": Y, "y_score": S, "sample_weight": W}
    for name in columns:
        with pytest.raises(InputError) as caught:
            sy.ks(**columns | {name: column}, nan="drop")
        assert message.format(name) in str(caught.value)


INFINITE_CLASSES: list[Callable[[list[float]], Any]] = [
    lambda column: sy.kappa(column, [0, 1, 1]),
    lambda column: sy.kappa([0, 1, 1], column),
    lambda column: sy.accuracy([0, 1, 1], y_pred=column),
    lambda column: sy.confusion(column, column),
    lambda column: sy.auc(column, np.eye(3)),
    lambda column: sy.auc(column[1:], [0.1, 0.2], positive=1),
    lambda column: sy.evaluate(label=[0, 1, 1], prediction=column, metrics="accuracy"),
]


@pytest.mark.parametrize("infinity", [INF, -INF])
@pytest.mark.parametrize("call", INFINITE_CLASSES)
def test_infinity_is_no_class(call: Callable[[list[float]], Any], infinity: float) -> None:
    with pytest.raises(InputError, match=r"has 1 infinite value, the first at row [12]: "):
        call([0, 1, infinity])
    with pytest.raises(InputError, match=r"positive=-?inf is not one of the choices"):
        sy.auc([0, infinity], [0.1, 0.2], positive=infinity)


def test_a_class_may_be_called_inf() -> None:
    assert sy.accuracy(["inf", "a", "nan"], ["inf", "a", "a"]) == 2 / 3


def test_a_message_names_the_type_str() -> None:
    """NumPy calls text of three letters str96."""
    with pytest.raises(InputError, match=r"^y_score holds values of type str, the first at row 0"):
        sy.auc([0, 1], ["0.1", "0.2"])


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_numpy_matrix() -> None:
    with pytest.raises(InputError, match=r"y_true has the shape \(1, 5\)"):
        sy.auc(np.matrix(Y), S)


@pytest.mark.parametrize(
    "score", [list("abcde"), pd.Series(list("abcde")), np.array(list("abcde"))]
)
def test_text_is_refused_as_numbers(score: Any) -> None:
    message = r"holds values of type str\w*, the first at row 0, but numbers are expected"
    with pytest.raises(InputError, match=f"y_score {message}"):
        sy.auc(Y, score)
    with pytest.raises(InputError, match=f"sample_weight {message}"):
        sy.auc(Y, S, sample_weight=score)


# --- values that are none ------------------------------------------------------------------------

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    # scores
    "infinite": (
        lambda: sy.auc(Y, [1, INF, 3, -INF, 0]),
        "y_score has 2 infinite values, the first at row 1:",
    ),
    "infinite float32": (
        lambda: sy.auc(Y, np.array([1, 2, INF, 3, 0], np.float32)),
        "y_score has 1 infinite value, the first at row 2:",
    ),
    "infinite float16": (
        lambda: sy.auc(Y, np.array([1, 2, 3, 4, -INF], np.float16)),
        "y_score has 1 infinite value, the first at row 4:",
    ),
    "infinite, even for nan=drop": (
        lambda: sy.auc(Y, [NAN, INF, 1, 1, 1], nan="drop"),
        "y_score has 1 infinite value, the first at row 1:",
    ),
    "NaN comes first": (
        lambda: sy.auc(Y, [INF, NAN, 1, 1, 1]),
        "y_score has 1 missing value (NaN, None or masked), the first at row 1:",
    ),
    "beyond 2**53": (
        lambda: sy.auc(Y, [1, 2, 3, 2**53 + 1, -(2**53) - 1]),
        "has 2 values that float64 cannot hold exactly, the first at row 3 (9007199254740993)",
    ),
    "beyond 2**53, unsigned": (
        lambda: sy.auc(Y, np.array([1, 2, 3, 4, 2**64 - 1], np.uint64)),
        "has 1 value that float64 cannot hold exactly, the first at row 4 (18446744073709551615)",
    ),
    # labels
    "labels of a list": (
        lambda: sy.auc([0, 1, 2, 1, 3], S),
        "y_true has 2 values outside {0, 1} and {-1, +1}, the first at row 2 (2)",
    ),
    "fractions": (
        lambda: sy.auc([0, 1, 0, 0.5, 1], S),
        "y_true has 1 value outside {0, 1} and {-1, +1}, the first at row 3 (0.5)",
    ),
    "infinite labels": (
        lambda: sy.auc([0, 1, 0, INF, 1], S),
        "y_true has 1 value outside {0, 1} and {-1, +1}, the first at row 3 (inf)",
    ),
    "unsigned labels": (
        lambda: sy.auc(np.array([0, 1, 0, 255, 1], np.uint8), S),
        "the first at row 3 (255)",
    ),
    "words": (
        lambda: sy.auc(["no", "yes", "no", "yes", "yes"], S),
        "y_true has 5 values outside {0, 1} and {-1, +1}, the first at row 0 ('no')",
    ),
    "both zeros and minus ones": (
        lambda: sy.auc([1, 1, -1, 0, 1], S),
        "y_true marks negatives both as 0 and as -1 (a 0 first at row 3, a -1 first at row 2)",
    ),
    "three words": (
        lambda: sy.auc(["a", "b", "a", "b", "c"], S, positive="a"),
        "y_true has more than two values ('a', 'b', 'c', the third first at row 4)",
    ),
    "three numbers": (
        lambda: sy.auc([1, 2, 1, 3, 1], S, positive=1),
        "y_true has more than two values (1, 2, 3, the third first at row 3)",
    ),
    "positive absent": (
        lambda: sy.auc(["a", "b", "a", "b", "b"], S, positive="c"),
        "positive='c' does not occur in y_true, which holds 'a', 'b':",
    ),
    "positive absent from many": (
        lambda: sy.auc(["a", "b", "c", "b", "b"], S, positive="d"),
        "positive='d' does not occur in y_true, which holds 'a', 'b', ...:",
    ),
    "a word asked of numbers": (
        lambda: sy.auc(Y, S, positive="1"),
        "positive='1' does not occur in y_true, which holds 0, 1",
    ),
    "a number asked of words": (
        lambda: sy.auc(["0", "1", "0", "1", "1"], S, positive=1),
        "positive=1 does not occur in y_true, which holds '0', '1'",
    ),
    "positive as a list": (
        lambda: sy.auc(Y, S, positive=[1]),
        "positive=[1] is not one of the choices",
    ),
    "positive as NaN": (
        lambda: sy.auc(Y, S, positive=NAN),
        "positive=nan is not one of the choices",
    ),
    "positive as bytes": (
        lambda: sy.auc(Y, S, positive=b"1"),
        "positive=b'1' is not one of the choices",
    ),
    "positive as an array": (
        lambda: sy.auc(Y, S, positive=np.array(1)),
        "positive=array(1) is not one of the choices",
    ),
    # weights
    "negative": (
        lambda: sy.auc(Y, S, sample_weight=[1, -2, 3, -4, 5]),
        "sample_weight has 2 negative values, the first at row 1 (-2)",
    ),
    "a negative float32": (
        lambda: sy.auc(Y, S, sample_weight=np.array([1, 1, 1, -0.1, 1], np.float32)),
        "sample_weight has 1 negative value, the first at row 3 (-0.1)",
    ),
    "a negative int8": (
        lambda: sy.auc(Y, S, sample_weight=np.array([1, 1, 1, 1, -128], np.int8)),
        "sample_weight has 1 negative value, the first at row 4 (-128)",
    ),
    "an infinite weight": (
        lambda: sy.auc(Y, S, sample_weight=[1, 1, INF, 1, 1]),
        "sample_weight has 1 infinite value, the first at row 2",
    ),
    "minus infinity": (
        lambda: sy.auc(Y, S, sample_weight=[1, 1, 1, 1, -INF]),
        "sample_weight has 1 infinite value, the first at row 4",
    ),
    "a NaN weight": (
        lambda: sy.auc(Y, S, sample_weight=[1, 1, 1, NAN, 1]),
        "sample_weight has 1 missing value (NaN, None or masked), the first at row 3",
    ),
    # shapes and choices
    "short scores": (
        lambda: sy.auc(Y, S[:-1]),
        "y_score has 4 rows but y_true has 5: pass arrays of the same length.",
    ),
    "no scores": (lambda: sy.auc(Y, []), "y_score has 0 rows but y_true has 5"),
    "long weights": (
        lambda: sy.auc(Y, S, sample_weight=[*W, 1]),
        "sample_weight has 6 rows but y_true has 5",
    ),
    "one weight": (
        lambda: sy.auc(Y, S, sample_weight=[1]),
        "sample_weight has 1 row but y_true has 5",
    ),
    "an unknown nan rule": (
        lambda: sy.auc(Y, S, nan="skip"),
        "nan='skip' is not one of the choices: use one of error, drop.",
    ),
    "nan as None": (
        lambda: sy.auc(Y, S, nan=None),
        "nan=None is not one of the choices: use one of error, drop.",
    ),
}


@pytest.mark.parametrize(("call", "message"), CALLS.values(), ids=CALLS)
def test_invalid_values_of_options_are_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


wide = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant <= 52, reason="long double is float64 on this platform"
)


@wide
def test_long_doubles_that_float64_cannot_hold() -> None:
    fine = np.array([1, 2, 3, 4, 1], np.longdouble) + np.ldexp(np.longdouble(1), -60)
    with pytest.raises(InputError, match=r"y_score has 5 values that float64 cannot hold exactly"):
        sy.auc(Y, fine)
    huge = np.array(["1", "2", "3", "1e400", "-1e400"], np.longdouble)
    with pytest.raises(InputError, match=r"has 2 values .* the first at row 3 \(1e\+400\)"):
        sy.auc(Y, huge)
    with pytest.raises(InputError, match=r"sample_weight has 2 values .* at row 3 \(1e\+400\)"):
        sy.auc(Y, S, sample_weight=huge)


@pytest.mark.parametrize("name", ["label", "score", "weight"])
def test_evaluate_names_its_own_arguments(name: str) -> None:
    columns: dict[str, Any] = {"label": Y, "score": S, "weight": W}
    with pytest.raises(InputError, match=f"^{name} has 1 missing value"):
        sy.evaluate(**columns | {name: [1, None, 1, 1, 1]})

"""Bad keys, grades, cuts and group weights: refused with a sentence that names column and row."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from steelyard.errors import InputError, SpecError, SteelyardError
from tests.sources.columns import INF, NAN, masked, sy

Y = [0, 1, 0, 1, 1]
S = [1.0, 2.0, 3.0, 3.0, 0.0]
G = [1, 1, 2, 2, 2]
LISTS: tuple[Callable[..., Any], ...] = (
    sy.cg,
    sy.dcg,
    sy.ndcg,
    sy.map,
    sy.mrr,
    sy.hit_rate,
    sy.err,
    sy.rbp,
    sy.r_precision,
)
CUT: tuple[Callable[..., Any], ...] = (sy.precision_at_k, sy.recall_at_k, sy.f1_at_k)
by_name = pytest.mark.parametrize("function", [*LISTS, *CUT], ids=lambda f: f.__name__)


def cut(function: Callable[..., Any]) -> dict[str, Any]:
    return {"k": 2} if function in CUT else {}


def evaluate(metrics: str | list[str], **columns: Any) -> Any:
    given = {"label": Y, "score": S, "group": G} | columns
    wanted = [metrics] if isinstance(metrics, str) else metrics
    return sy.evaluate(**{k: v for k, v in given.items() if v is not None}, metrics=wanted)


# --- keys ----------------------------------------------------------------------------------------

MISSING_KEYS: dict[str, Any] = {
    "None": [1, None, 2, None, 2],
    "NaN": [1, NAN, 2, NAN, 2],
    "float32 NaN": np.array([1, NAN, 2, NAN, 2], np.float32),
    "words": ["a", None, "b", None, "b"],
    "pandas words": pd.Series(["a", None, "b", None, "b"]),
    "pandas Int64": pd.Series([1, None, 2, None, 2], dtype="Int64"),
    "polars": pl.Series([1, None, 2, None, 2]),
    "polars words": pl.Series(["a", None, "b", None, "b"]),
    "masked": masked([1, 7, 2, 7, 2], 1, 3),
}


@pytest.mark.parametrize("keys", MISSING_KEYS.values(), ids=MISSING_KEYS)
def test_missing_keys(keys: Any) -> None:
    """Rows 1 and 3. With nan="drop" they are left out and counted."""
    for function in (sy.gauc, sy.ndcg):
        with pytest.raises(InputError, match=r"group has 2 missing values .*first at row 1\b"):
            function(Y, S, group=keys)
    with pytest.raises(InputError, match=r"group has 2 missing values .*first at row 1\b"):
        evaluate("gauc", group=keys)
    (row,) = evaluate(["mrr"], group=keys, nan="drop")
    assert (row.n, row.dropped) == (3, 2)
    # Left are (0, 1.0) of the first group, (0, 3.0) and (1, 0.0) of the second.
    assert row.value == 0.5


@pytest.mark.parametrize("keys", [[1, 1, 2.5, 2, 0.1], np.array([1, 1, 2.5, 2, 0.1], np.float32)])
def test_keys_that_are_no_whole_numbers(keys: Any) -> None:
    with pytest.raises(InputError, match=r"group has 2 values .*first at row 2 \(2\.5\)"):
        sy.gauc(Y, S, group=keys)


@pytest.mark.parametrize("key", [INF, -INF, 1e300, 2.0**64, -(2.0**63) - 2048])
def test_whole_floats_beyond_64_bits(key: float) -> None:
    """Such floats are whole, but no key holds them."""
    with pytest.raises(InputError, match=r"group has 1 .*at row 1\b"):
        sy.gauc(Y, S, group=[1.0, key, 2.0, 2.0, 2.0])


def test_keys_of_another_length() -> None:
    with pytest.raises(InputError, match=r"group has 4 rows but y_true has 5"):
        sy.ndcg(Y, S, group=G[:4])


def test_groups_of_one_row_have_no_pair_but_a_list() -> None:
    each = range(5)
    with pytest.warns(sy.UndefinedWarning, match="no group has both classes"):
        assert np.isnan(sy.gauc(Y, S, group=each))
    assert sy.gauc(Y, S, group=each, single_class=0.5) == 0.5
    assert sy.ndcg(Y, S, group=each) == 1.0
    assert sy.precision_at_k(Y, S, group=each, k=2) == 0.5


def test_a_group_metric_needs_a_group_in_a_table() -> None:
    for metric in ("gauc", "ndcg@10", "map", "precision@2"):
        with pytest.raises((InputError, SpecError), match=r"group") as caught:
            evaluate(metric, group=None)
        assert metric in str(caught.value)


def test_gauc_needs_a_group() -> None:
    with pytest.raises(InputError, match="gauc is computed by group: give the group of each row"):
        sy.gauc(Y, S)


# --- grades --------------------------------------------------------------------------------------


@by_name
@pytest.mark.parametrize(
    ("label", "said"),
    [
        ([0, 1, -2, 1, -1], r"y_true has 2 .*first at row 2 \(-2\)"),
        ([0, 1, -0.5, 1, 2], r"y_true has 1 .*at row 2 \(-0\.5\)"),
        ([0, 1, INF, 1, 2], r"y_true has 1 .*row 2 \(inf\)"),
        ([0, 1, NAN, 1, None], r"y_true has 2 missing .*first at row 2\b"),
    ],
)
def test_invalid_grades_are_refused(function: Callable[..., Any], label: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        function(label, S, group=G, **cut(function))


@by_name
def test_text_is_refused_as_grades(function: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match=r"y_true .*row 0\b"):
        function(["no", "yes", "no", "yes", "yes"], S, group=G, **cut(function))


def test_text_with_positive_gives_grades_0_and_1() -> None:
    words = ["no", "yes", "no", "yes", "yes"]
    assert sy.map(words, S, group=G, positive="yes") == sy.map(Y, S, group=G)


@pytest.mark.parametrize("function", [sy.cg, sy.dcg, sy.ndcg])
def test_grades_too_large_for_powers(function: Callable[..., Any]) -> None:
    """2^53 − 1 is the last of its kind that float64 holds."""
    with pytest.raises(InputError, match=r"gain=exp2 .*up to 53, .* a grade of 54"):
        function([0, 1, 2, 54, 53], S, group=G, gain="exp2")
    with pytest.raises(InputError, match=r"gain=exp2 takes whole grades .* a grade of [01]\.5"):
        function([0, 0.5, 2, 1.5, 3], S, group=G, gain="exp2")
    assert function([0, 1, 2, 53, 53], S, group=G, gain="exp2") > 0
    assert function([0, 0.5, 2, 54, 2.0**53], S, group=G) > 0
    with pytest.raises(InputError, match=r"y_true has 1 .*row 4 \(1e\+300\)"):
        function([0, 0.5, 2, 54, 1e300], S, group=G)


def test_grades_above_max_grade() -> None:
    """The largest is named, so that one correction is enough."""
    with pytest.raises(InputError, match=r"up to max_grade=4, .* a grade of 6"):
        sy.err([0, 5, 2, 6, 4], S, group=G)
    assert sy.err([0, 5, 2, 6, 4], S, group=G, max_grade=6) > 0
    with pytest.raises(InputError, match=r"up to max_grade=5, .* a grade of 6"):
        evaluate("err(5)@3", label=[0, 5, 2, 6, 4])


def test_gauc_takes_two_classes() -> None:
    with pytest.raises(InputError, match=r"y_true has 1 value outside .*row 3 \(2\)"):
        sy.gauc([0, 1, 0, 2, 1], S, group=G)
    with pytest.raises(InputError, match=r"label has 1 grade other than 0 and 1, .*row 3 \(2\)"):
        evaluate(["ndcg", "gauc"], label=[0, 1, 0, 2, 1])


def test_minus_one_is_a_class_but_no_grade() -> None:
    label = [-1, 1, -1, 1, 1]
    assert sy.gauc(label, S, group=G) == sy.gauc(Y, S, group=G)
    with pytest.raises(InputError, match=r"y_true has 2 .*first at row 0 \(-1\)"):
        sy.ndcg(label, S, group=G)


# --- cuts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [*LISTS[:-1], *CUT], ids=lambda f: f.__name__)
@pytest.mark.parametrize("k", [0, -1, 1.5, "3", True, NAN, INF, [1]])
def test_invalid_cuts_are_refused(function: Callable[..., Any], k: Any) -> None:
    assert function is not sy.r_precision  # which cuts at R
    with pytest.raises(SpecError, match=r"\bk\b"):
        function(Y, S, group=G, k=k)


@pytest.mark.parametrize("k", ["0", "-1", "1.5", "x", "", "1e1", "+2", "9999999999"])
def test_invalid_cuts_in_a_name_are_refused(k: str) -> None:
    with pytest.raises(SpecError):
        evaluate(f"ndcg@{k}")


@pytest.mark.parametrize("k", [2, np.int64(2), np.uint8(2)])
def test_any_whole_number_cuts(k: Any) -> None:
    assert sy.ndcg(Y, S, group=G, k=k) == sy.ndcg(Y, S, group=G, k=2)


def test_a_cut_beyond_any_list() -> None:
    """Past the longest list there may be, a cut is refused: k + R and its kin must fit int64."""
    longest = 2**31 - 1
    assert sy.ndcg(Y, S, group=G, k=longest) == sy.ndcg(Y, S, group=G)
    assert sy.precision_at_k(Y, S, group=G, k=longest) == (1 / longest + 2 / longest) / 2
    assert sy.f1_at_k([1], [0.5], k=longest) == 2 / 2**31
    for k in (2**31, 2**63 - 1, 2**63, 2**70):
        with pytest.raises(SpecError, match=rf"k as a whole number from 1 to .*, not {k}"):
            sy.f1_at_k(Y, S, group=G, k=k)


@pytest.mark.parametrize("function", CUT)
def test_the_cut_is_part_of_the_name(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"\bk\b"):
        function(Y, S, group=G)


@pytest.mark.parametrize("name", ["gauc", "uauc", "r_precision"])
def test_what_cannot_be_cut(name: str) -> None:
    with pytest.raises(SpecError, match=rf"{name}@3"):
        evaluate(f"{name}@3")


@pytest.mark.parametrize("name", ["gauc", "ndcg@3", "map"])
def test_no_group_metric_is_approximate(name: str) -> None:
    with pytest.raises(SpecError, match=r"~"):
        evaluate(f"{name}~")


# --- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "gauc(single_class=1)",
        "gauc(single_class=none)",
        "gauc(min_rows=0.5)",
        "gauc(min_rows=-1)",
        "ndcg(gain=exp)@3",
        "ndcg(ties=random)",
        "ndcg(empty=0.5)",
        "map(denominator=k)",
        "precision(denominator=R)@3",
        "recall(average=weighted)@3",
        "rbp(p=1)",
        "rbp(p=-0.1)",
        "err(max_grade=0)",
        "err(max_grade=1.5)",
        "map(rel=-1)",
        "map(gain=exp2)",
        "ndcg(p=0.5)",
    ],
)
def test_parameters_that_mean_nothing(spec: str) -> None:
    with pytest.raises(SpecError) as caught:
        evaluate(spec)
    assert spec.partition("(")[0] in str(caught.value)


# --- group weights -------------------------------------------------------------------------------

FUNCTIONS = pytest.mark.parametrize("function", [sy.gauc, sy.ndcg, sy.map, sy.mrr])


@FUNCTIONS
@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ([1, 1, 2, 2, 3], r"group_weight varies within 1 group, .* is 2 \(2\.0 to 3\.0\)"),
        ([1, 2, 3, 4, 5], r"group_weight varies within 2 groups, .* is 1 \(1\.0 to 2\.0\)"),
        ([1, 1, -2, -2, -2], r"group_weight has 3 negative .*row 2 \(-2(\.0)?\)"),
        ([1, 1, NAN, NAN, NAN], r"group_weight has 3 missing .*row 2\b"),
        ([1, None, 2, 2, 2], r"group_weight has 1 missing .*row 1\b"),
        ([1, 1, INF, INF, INF], r"group_weight has 3 infinite .*row 2\b"),
        ([1, 1, 2, 2], r"group_weight has 4 rows"),
        (["a", "a", "b", "b", "b"], r"group_weight .*row 0\b"),
    ],
)
def test_invalid_group_weights_are_refused(
    function: Callable[..., Any], weight: Any, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        function(Y, S, group=G, group_weight=weight)


def test_a_group_weight_that_varies_between_parts() -> None:
    """Each part has one weight for its group; merged, group 2 has two."""

    def part(chosen: slice, weight: list[float]) -> Any:
        columns = {"y": Y[chosen], "s": S[chosen], "g": G[chosen], "w": weight}
        return sy.state(
            columns, label="y", score="s", group="g", metrics=['gauc(group_weight="w")']
        )

    first, second = part(slice(0, 3), [1, 1, 2]), part(slice(3, 5), [3, 3])
    with pytest.raises(SteelyardError, match=r"\bw\b"):
        sy.merge(first, second).result()


def test_a_column_that_is_not_there() -> None:
    columns = {"y": Y, "s": S, "g": G, "impressions": [1] * 5}
    with pytest.raises(SteelyardError, match=r"impressions"):
        sy.evaluate(
            columns, label="y", score="s", group="g", metrics=["gauc(group_weight=impression)"]
        )


# --- roles ---------------------------------------------------------------------------------------


def test_trec_ties_need_documents() -> None:
    with pytest.raises((InputError, SpecError), match=r"document"):
        evaluate("map(ties=trec)")
    with pytest.raises((InputError, SpecError), match=r"document"):
        sy.map(Y, S, group=G, ties="trec")


def test_states_in_the_order_of_rows_do_not_merge() -> None:
    def state() -> Any:
        return sy.state(label=Y, score=S, group=G, metrics=["map(ties=stable)"])

    assert state().result()["map(ties=stable)"] > 0
    with pytest.raises(SteelyardError, match=r"stable"):
        sy.merge(state(), state())


@pytest.mark.parametrize("metric", ["auc", "gauc", "precision(0.3)"])
def test_only_lists_have_rows_that_were_not_retrieved(metric: str) -> None:
    with pytest.raises((InputError, SpecError), match=r"not_retrieved|unscored"):
        evaluate(["ndcg", metric], score=[1, NAN, 3, 3, 0], unscored="not_retrieved")


def test_missing_scores_are_refused_by_default() -> None:
    holes = [1, NAN, 3, NAN, 0]
    with pytest.raises(InputError, match=r"y_score has 2 missing .*first at row 1\b"):
        sy.ndcg(Y, holes, group=G)
    # (1, not retrieved) of group 1; (0, 3), (1, not retrieved), (1, 0) of group 2.
    assert sy.mrr(Y, holes, group=G, unscored="not_retrieved") == 0.25
    assert sy.mrr(Y, holes, group=G, nan="drop") == 0.5
    with pytest.raises((InputError, SpecError), match=r"unscored"):
        sy.ndcg(Y, holes, group=G, unscored="zero")


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(InputError, match=r"y_score has 1 infinite .*row 4\b"):
        sy.ndcg(Y, [1, 2, 3, 4, -INF], group=G)


# --- many rows, many groups ----------------------------------------------------------------------


def test_a_large_group_and_many_groups() -> None:
    """The same rows as one list and as lists of one; full sizes are in the benchmark."""
    count = 200_000
    rng = np.random.default_rng(3)
    label = rng.integers(0, 2, count)
    score = rng.integers(0, 50, count)
    one = sy.gauc(label, score, group=np.zeros(count, np.int64))
    assert one == sy.auc(label, score)
    each = np.arange(count)
    assert sy.ndcg(label, score, group=each, k=10) == 1.0
    assert sy.gauc(label, score, group=each, single_class=0.5) == 0.5
    assert sy.map(label, score) == pytest.approx(label.mean(), rel=0.01)


def test_many_grades_in_many_groups_take_little_memory() -> None:
    """A count of each of 63 grades in each list would be 500 bytes a row, three times over."""
    count = 50_000
    label, score, each = np.arange(count) % 64, np.zeros(count), np.arange(count)
    sy.ndcg(label, score, group=each, k=10)  # what is made once is there
    tracemalloc.start()
    try:
        assert sy.ndcg(label, score, group=each, k=10) == 1.0
        assert tracemalloc.get_traced_memory()[1] < 200 * count
    finally:
        tracemalloc.stop()


def test_large_grades_are_saved_as_they_are() -> None:
    table = {"y": [2.0**53, 0.5, 300, 1], "s": [1, 2, 3, 4], "g": [1, 1, 2, 2]}
    state = sy.state(table, label="y", score="s", group="g", metrics=["cg"])
    again = sy.State.loads(state.dumps())
    assert again.result().value("cg") == (2**53 + 0.5 + 301) / 2


@pytest.mark.parametrize("single", ["skip", 0.5])
def test_groups_that_are_all_too_small(single: Any) -> None:
    """Where groups of one class count, both classes are not what is missing."""
    result = sy.evaluate(
        label=[1, 0],
        score=[1, 0],
        group=[1, 1],
        metrics=f"gauc(single_class={single}, min_rows=4)",
    )
    both = "both classes and " if single == "skip" else ""
    assert result.rows[0].why == f"no group has {both}so many rows"


def test_nothing_relevant_to_pool() -> None:
    found = sy.evaluate(
        label=[0, 0], score=[1, 0], group=[1, 1], metrics="recall(micro, empty=0)@1"
    )
    assert found.rows[0].why == "no group has a relevant row"
